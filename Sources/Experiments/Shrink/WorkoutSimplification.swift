import CoachProtocol
import Console
import Link
import Simulator

/// Ways to simplify one workout of a scenario, the most effective first.
///
/// A candidate is a workout as a scenario's file spells it, so that a shrunk run is always one that a file can describe.
struct WorkoutSimplification {
  private let make: @Sendable (JSONNode, VirtualTime.Span) -> [JSONNode]
  /// Whether to repeat the step on its result.
  let repeats: Bool

  /// Replacements for a workout in a run of a duration, the most drastic first; none that equals it.
  func candidates(_ workout: JSONNode, duration: VirtualTime.Span) -> [JSONNode] {
    // By text, because equal nodes may have other positions.
    let text = JSONWriter.pretty(workout, width: 120)
    return make(workout, duration).filter { JSONWriter.pretty($0, width: 120) != text }
  }

  /// In the order in which they are tried.
  static let steps = [
    Self(make: { workout, _ in plainSource(workout) }, repeats: false),
    Self(make: { workout, _ in without(workout, path: [], keys: settings) }, repeats: true),
    Self(make: { workout, _ in without(workout, path: ["source", "model"], keys: traits) }, repeats: true),
    Self(make: { workout, _ in fewerStops(workout) }, repeats: true),
    Self(make: { workout, _ in shorterDistance(workout) }, repeats: true),
    Self(make: { workout, _ in withoutPause(workout) }, repeats: true),
    Self(make: { workout, _ in shorterPauses(workout) }, repeats: true),
    Self(make: { workout, duration in shorterRecording(workout, duration) }, repeats: true),
  ]

  /// Keys of a workout that have a default.
  private static let settings = ["mode", "personality", "runType", "startedBy", "preparing", "at"]
  /// Keys of the made-up runner that have a default.
  private static let traits = [
    "intervals", "stops", "hills", "drift", "noise", "restingHeartRate", "maximumHeartRate", "pace",
  ]

  // MARK: - Where the run comes from

  /// The made-up runner in place of a file; 100 km, so that the run does not end by itself, if 5 km are too few.
  private static func plainSource(_ workout: JSONNode) -> [JSONNode] {
    guard workout["source"]?["model"] == nil, workout["source"] != nil else { return [] }
    let distances: [JSONMember?] = [nil, JSONMember("distance", .integer(100_000))]
    return distances.map { distance in
      let model = JSONNode(.fields(["model": .object([distance].compactMap(\.self))]))
      return workout.replacing(["source"], with: model)
    }
  }

  /// The workout without one of some keys, each in turn.
  private static func without(_ workout: JSONNode, path: [String], keys: [String]) -> [JSONNode] {
    guard case .object(let members)? = workout.node(at: path)?.value else { return [] }
    return keys.compactMap { key in
      guard members.contains(where: { $0.key == key }) else { return nil }
      return workout.replacing(path[...], with: JSONNode(.object(members.filter { $0.key != key })))
    }
  }

  private static func fewerStops(_ workout: JSONNode) -> [JSONNode] {
    let path = ["source", "model", "stops"]
    guard case .array(let stops)? = workout.node(at: path)?.value, stops.count > 1 else { return [] }
    return stops.indices.map { index in
      var fewer = stops
      fewer.remove(at: index)
      return workout.replacing(path[...], with: JSONNode(.array(fewer)))
    }
  }

  /// Half as far, three quarters as far, or a round distance below.
  private static func shorterDistance(_ workout: JSONNode) -> [JSONNode] {
    let path = ["source", "model", "distance"]
    guard let distance = workout.node(at: path)?.double, distance > 1 else { return [] }
    let whole = Int64(max(1, distance.rounded(.down)))
    var candidates = [max(1, whole / 2), max(1, whole / 4 * 3)]
    for unit in [1_000, 100] as [Int64] where whole > unit { candidates.append(whole / unit * unit) }
    return candidates.filter { Double($0) < distance }.map {
      workout.replacing(path[...], with: JSONNode(.integer($0)))
    }
  }

  // MARK: - Pauses

  /// A pause and the resume that ends it, by their indexes among a workout's events.
  private static func pauses(_ events: [JSONNode]) -> [(pause: Int, resume: Int)] {
    var found: [(pause: Int, resume: Int)] = []
    var open: Int?
    let timed = events.indices.compactMap { index in events[index].instant.map { (index, $0) } }
    for (index, _) in timed.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
      switch events[index]["do"]?.text {
      case "pause": open = open ?? index
      case "resume":
        if let pause = open { found.append((pause, index)) }
        open = nil
      default: break
      }
    }
    return found
  }

  private static func withoutPause(_ workout: JSONNode) -> [JSONNode] {
    guard case .array(let events)? = workout["events"]?.value else { return [] }
    return pauses(events).map { pair in
      let rest = events.indices.filter { $0 != pair.pause && $0 != pair.resume }.map { events[$0] }
      return workout.replacing(["events"], with: JSONNode(.array(rest)))
    }
  }

  /// One pause as short as a second, a quarter, a half as long.
  private static func shorterPauses(_ workout: JSONNode) -> [JSONNode] {
    guard case .array(let events)? = workout["events"]?.value else { return [] }
    return pauses(events).flatMap { pair -> [JSONNode] in
      guard let begin = events[pair.pause].instant, let end = events[pair.resume].instant else { return [] }
      let seconds = (end - begin) / 1_000_000_000
      let lengths = Set([1, seconds / 4, seconds / 2]).filter { $0 >= 1 && $0 < seconds }.sorted()
      return lengths.map { length in
        var changed = events
        changed[pair.resume] = events[pair.resume].happening(at: begin + length * 1_000_000_000)
        return workout.replacing(["events"], with: JSONNode(.array(changed)))
      }
    }
  }

  // MARK: - Recordings

  /// The stretch of a recording that the run needs: its end first, then its beginning.
  private static func shorterRecording(_ workout: JSONNode, _ duration: VirtualTime.Span) -> [JSONNode] {
    guard case .object(let members)? = workout["source"]?.value, members.contains(where: { $0.key == "import" })
    else { return [] }
    func seconds(_ key: String) -> Int64? {
      members.first { $0.key == key }?.node.writtenSpan.map { $0.nanoseconds / 1_000_000_000 }
    }
    let from = seconds("from") ?? 0
    let (before, overflow) = from.addingReportingOverflow((duration.nanoseconds + 999_999_999) / 1_000_000_000)
    guard !overflow else { return [] }
    let to = min(seconds("to") ?? before, before)
    let length = to - from
    guard length >= 2 else { return [] }
    let stretches = [
      (from, to), (from, from + length / 2), (from + length / 2, to), (from, from + length / 4 * 3),
      (from + length / 4, to),
    ]
    return stretches.map { stretch in
      var changed = members.filter { $0.key != "from" && $0.key != "to" }
      if stretch.0 > 0 { changed.append(JSONMember("from", .string(DurationText.text(.seconds(stretch.0))))) }
      changed.append(JSONMember("to", .string(DurationText.text(.seconds(stretch.1)))))
      return workout.replacing(["source"], with: JSONNode(.object(changed)))
    }
  }
}

extension JSONNode {
  /// A duration, as text or as a number of seconds; nil for everything else.
  fileprivate var writtenSpan: VirtualTime.Span? {
    text.map { try? DurationText.parse($0) } ?? span
  }

  /// When an event happens, in nanoseconds since the run's start; nil if it does not say.
  var instant: Int64? { self["at"]?.writtenSpan?.nanoseconds }

  /// The event at another instant, in nanoseconds since the run's start.
  func happening(at nanoseconds: Int64) -> JSONNode {
    let text = DurationText.text(VirtualTime.Span(nanoseconds: nanoseconds))
    return replacing(["at"], with: JSONNode(.string(text)))
  }
}

/// Simplification of what is run: workouts, optional sections, and when it all happens.
extension Shrinker {
  /// Simplifies the workouts, drops optional sections and lets everything happen earlier; repeats the earlier steps on
  /// the result.
  mutating func simplifyWorkouts() throws(Failure) {
    var pass = 0
    var changed: Bool
    repeat {
      changed = try dropSections()
      if try dropWorkouts() { changed = true }
      for index in best.workouts.indices where try simplifyWorkout(index) { changed = true }
      if try happenEarlier() { changed = true }
      guard changed else { return }
      try shortenRun()
      if best.faults.count > 1 { try dropFaults() }
      try dropParts()
      pass += 1
    } while pass < 2 && runs < runsMax
  }

  private mutating func dropSections() throws(Failure) -> Bool {
    var hasDropped = false
    var again = true
    while again {
      again = false
      for candidate in ScenarioPart.withoutSections(best) where try tryKeepingCaused(candidate) {
        (hasDropped, again) = (true, true)
        break
      }
    }
    return hasDropped
  }

  private mutating func dropWorkouts() throws(Failure) -> Bool {
    var hasDropped = false
    var index = 0
    while case .array(var list)? = SavedScenario.node(best, in: "/")["workouts"]?.value, list.count > 1,
      index < list.count
    {
      list.remove(at: index)
      let node = SavedScenario.node(best, in: "/").replacing(["workouts"], with: JSONNode(.array(list)))
      if let candidate = Scenario.reading(node), try tryKeepingCaused(candidate) {
        hasDropped = true
      } else {
        index += 1
      }
    }
    return hasDropped
  }

  private mutating func simplifyWorkout(_ index: Int) throws(Failure) -> Bool {
    var hasChanged = false
    for step in WorkoutSimplification.steps {
      var again = true
      var rounds = 0
      while again, rounds < 12, runs < runsMax {
        again = false
        rounds += 1
        for workout in best.workoutCandidates(index, step) {
          guard let candidate = best.replacingWorkout(index, with: workout) else { continue }
          guard try tryKeepingCaused(candidate) else { continue }
          hasChanged = true
          again = step.repeats
          break
        }
      }
    }
    return hasChanged
  }

  /// Moves all faults and events by the same time towards the run's start, in halves of what is possible.
  private mutating func happenEarlier() throws(Failure) -> Bool {
    var hasMoved = false
    var shift = (best.firstInstant ?? .start).nanoseconds / 1_000_000_000
    while shift >= 1, runs < runsMax {
      if let candidate = best.happening(earlierBy: .seconds(shift)), try tryKeepingCaused(candidate) {
        hasMoved = true
        shift = min(shift, (best.firstInstant ?? .start).nanoseconds / 1_000_000_000)
      } else {
        shift /= 2
      }
    }
    return hasMoved
  }
}

extension Scenario {
  /// The workout as the file spells it, by its index among ``workouts``; nil if the file does not describe it.
  private func workoutNode(_ index: Int) -> JSONNode? {
    let node = SavedScenario.node(self, in: "/")
    if case .array(let list)? = node["workouts"]?.value {
      return list.indices.contains(index) ? list[index] : nil
    }
    return index == 0 ? node["workout"] : nil
  }

  /// Simpler replacements of a workout.
  fileprivate func workoutCandidates(_ index: Int, _ step: WorkoutSimplification) -> [JSONNode] {
    workoutNode(index).map { step.candidates($0, duration: duration) } ?? []
  }

  /// The scenario with another workout in one's place; nil if it would not be valid.
  fileprivate func replacingWorkout(_ index: Int, with workout: JSONNode) -> Scenario? {
    let node = SavedScenario.node(self, in: "/")
    if case .array(var list)? = node["workouts"]?.value {
      guard list.indices.contains(index) else { return nil }
      list[index] = workout
      return .reading(node.replacing(["workouts"], with: JSONNode(.array(list))))
    }
    return .reading(node.replacing(["workout"], with: workout))
  }
}
