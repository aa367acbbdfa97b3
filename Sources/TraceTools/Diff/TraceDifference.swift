package import Console
package import Link

/// The alignment of two lists of decisions, and where they diverge.
package struct TraceDifference {
  /// A pair of matching decisions, or a decision that the other side lacks.
  package struct Step {
    package var before: Decision?
    package var after: Decision?
    /// The tolerance for equal time and place.
    var tolerance = Tolerance.none

    /// How it changed.
    package var change: Change {
      guard let before else { return .added }
      guard let after else { return .removed }
      return tolerance.covers(before, after) ? .same : .moved
    }

    /// How much later the second side decides; nil if only one side does.
    var delay: VirtualTime.Span? {
      guard let before, let after else { return nil }
      return after.time - before.time
    }

    /// When it happened, on the side that has it.
    package var time: VirtualTime { before?.time ?? after?.time ?? .start }
  }

  /// How far apart in time and place two decisions with the same text may be to count as equal.
  package struct Tolerance {
    var time: VirtualTime.Span
    /// Metres.
    var distance: Double

    /// Nothing may differ.
    static let none = Tolerance(time: .zero, distance: 0)
    /// The most metres that a runner covers in a second.
    private static let speedMax = 12.0

    /// - Parameter distance: In metres; nil for the most that a runner covers in `time`.
    package init(time: VirtualTime.Span, distance: Double? = nil) {
      self.time = time
      self.distance = distance ?? time.seconds * Self.speedMax
    }

    /// Whether two decisions with the same text are the same.
    func covers(_ before: Decision, _ after: Decision) -> Bool {
      if before.time == after.time, before.place == after.place { return true }
      guard time > .zero || distance > 0 else { return false }
      let delay = after.time - before.time
      let way = abs((after.distance ?? 0) - (before.distance ?? 0))
      return delay <= time && delay >= time * -1 && way <= distance
    }
  }

  /// How a decision changed.
  package enum Change: String, CaseIterable {
    /// The same, at the same time.
    case same
    /// The same, at another time or place.
    case moved
    /// Only the first side has it.
    case removed
    /// Only the second side has it.
    case added
  }

  /// The number of decisions of a kind, by change.
  struct Count {
    var kind: String
    var counts: [Change: Int] = [:]
  }

  /// In the order of the first side; events that only the second side has are inserted at their positions.
  package let steps: [Step]

  /// Whether both sides have the same decisions at the same times.
  package var isEmpty: Bool { firstDifference == nil }

  /// The index of the first step that differs; nil if none does.
  package var firstDifference: Int? { steps.firstIndex { $0.change != .same } }

  /// By kind, in the order of their first appearance.
  var counts: [Count] {
    var counts: [Count] = []
    for step in steps {
      guard let kind = (step.before ?? step.after)?.kind else { continue }
      let place = counts.firstIndex { $0.kind == kind } ?? counts.count
      if place == counts.count { counts.append(Count(kind: kind)) }
      counts[place].counts[step.change, default: 0] += 1
    }
    return counts
  }

  /// Compares two lists.
  ///
  /// Decisions are paired by their text, in order (Myers's difference algorithm); then the times of each pair are
  /// compared. If the part that differs exceeds ``differencesMax``, only the common beginning and end are paired.
  /// Decisions that only changed their order are paired as well if they are the same within the tolerance.
  package init(_ before: [Decision], _ after: [Decision], tolerance: Tolerance = .none) {
    var first = 0
    while first < before.count, first < after.count, before[first].text == after[first].text { first += 1 }
    var tail = 0
    while tail < before.count - first, tail < after.count - first,
      before[before.count - 1 - tail].text == after[after.count - 1 - tail].text
    { tail += 1 }
    var steps: [Step] = []
    for index in 0..<first { steps.append(Step(before: before[index], after: after[index])) }
    Self.pair(before[first..<(before.count - tail)], after[first..<(after.count - tail)], &steps)
    for index in (0..<tail).reversed() {
      steps.append(Step(before: before[before.count - 1 - index], after: after[after.count - 1 - index]))
    }
    Self.pairReordered(&steps, tolerance)
    for index in steps.indices { steps[index].tolerance = tolerance }
    self.steps = steps
  }

  /// Pairs decisions of one side with equal unpaired decisions of the other side, in the order of their times.
  private static func pairReordered(_ steps: inout [Step], _ tolerance: Tolerance) {
    guard tolerance.time > .zero else { return }
    // By text, for lookup only; each list is in the order of the second side.
    var added: [String: [Int]] = [:]
    for index in steps.indices where steps[index].before == nil {
      if let after = steps[index].after { added[after.text, default: []].append(index) }
    }
    var isTaken = [Bool](repeating: false, count: steps.count)
    for index in steps.indices where steps[index].after == nil {
      guard let before = steps[index].before, let others = added[before.text] else { continue }
      let other = others.first { !isTaken[$0] && steps[$0].after.map { tolerance.covers(before, $0) } ?? false }
      guard let other else { continue }
      steps[index].after = steps[other].after
      isTaken[other] = true
    }
    steps = steps.indices.filter { !isTaken[$0] }.map { steps[$0] }
  }

  /// The limit of the total length of the parts that differ; beyond it they are not paired.
  static let differencesMax = 8_000

  private static func pair(_ before: ArraySlice<Decision>, _ after: ArraySlice<Decision>, _ steps: inout [Step]) {
    guard before.count + after.count <= differencesMax else {
      for decision in before { steps.append(Step(before: decision)) }
      for decision in after { steps.append(Step(after: decision)) }
      return
    }
    // Numbers instead of texts, because each is compared often.
    var numbers: [String: Int] = [:]
    func number(_ decision: Decision) -> Int {
      let known = numbers[decision.text] ?? numbers.count
      numbers[decision.text] = known
      return known
    }
    let sides = (before.map(number), after.map(number))
    let difference = sides.1.difference(from: sides.0)
    // A set of indices, used for membership only.
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let (old, new) = (Array(before), Array(after))
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let takesOld = left < old.count && removed.contains(left)
      let takesNew = right < new.count && inserted.contains(right)
      if takesOld, !takesNew || old[left].time <= new[right].time {
        steps.append(Step(before: old[left]))
        left += 1
      } else if takesNew {
        steps.append(Step(after: new[right]))
        right += 1
      } else {
        steps.append(Step(before: old[left], after: new[right]))
        left += 1
        right += 1
      }
    }
  }
}

/// A decision of a run, read from a line of its trace.
package struct Decision: Sendable {
  /// Its family: the part of the event's name before the first point, or the whole name.
  package let kind: String
  package let node: TraceEvent.Place
  package let time: VirtualTime
  /// The decision as a line: the event with the fields that can be compared between runs.
  package let text: String
  /// The athlete's position: numbers that change with the time of the decision.
  package let place: String
  /// How far the athlete was, in metres; nil if the line does not say.
  let distance: Double?
  /// The trace's line.
  package let line: Int

  /// Reads a line; nil for one that reports no decision.
  ///
  /// - Parameter isComplete: Whether every line counts as a decision, with names, numbers and frames.
  package init?(_ event: TraceEvent, line: Int, isComplete: Bool = false) {
    let name = event.name.text
    guard isComplete || Self.isDecision(name) else { return nil }
    kind = name.split(separator: ".").first.map(String.init) ?? name
    node = event.place
    time = event.time
    self.line = line
    var text = "\(event.place.text) \(name)"
    var place = ""
    for field in event.fields where isComplete ? field.key != "id" || name != "frame.sent" : !Self.isName(field.key) {
      var part = " \(field.key)="
      field.value.append(to: &part)
      if !isComplete, Self.places.contains(field.key) { place += part } else { text += part }
    }
    self.text = text
    self.place = place
    distance = event["distance"]?.double
  }

  private static func isDecision(_ name: String) -> Bool {
    families.contains { name == $0 || name.hasPrefix($0) && name.utf8.dropFirst($0.utf8.count).first == 0x2E }
      && !passedOver.contains(name)
  }

  private static func isName(_ key: String) -> Bool { names.contains(key) }

  /// Families of events that report decisions.
  private static let families = [
    "run", "liveness", "script", "audio", "transfer", "violation", "workout", "health", "haptic", "start", "voice",
    "ai", "memory", "message.refused", "message.failed", "payload", "node", "context", "reachability", "uplink",
    "command", "expectation", "end", "app",
  ]

  /// Events of these families that report intermediate steps, not outcomes.
  private static let passedOver = ["transfer.progress", "uplink.duplicate", "workout.position"]

  /// Fields with identifiers, which differ even between runs with equal decisions.
  private static let names = [
    "id", "transfer", "workoutId", "runId", "note", "reply", "healthKitWorkoutUUID", "workout", "aarcRunId", "digest",
    "bytes", "epoch", "seq", "sentAt", "startedAt", "recordedAt", "lastFresh", "lines", "t0", "outstanding", "frames",
    "ghost", "retryAt",
  ]

  /// Fields that change with the time of a decision.
  private static let places = ["elapsed", "distance"]
}

extension Decision {
  /// The decisions of a trace, in its order.
  package static func all(of trace: RecordedTrace, isComplete: Bool = false) -> [Decision] {
    trace.events.enumerated().compactMap { index, event in
      Decision(event, line: trace.line(of: index), isComplete: isComplete)
    }
  }
}
