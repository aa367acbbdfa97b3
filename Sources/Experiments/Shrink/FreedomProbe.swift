import Simulator
import Console
package import Link

/// What may vary in a shrunk run without the failure going away.
package struct Freedom: Equatable {
  /// What was varied.
  enum Subject: Equatable {
    /// The seed of all draws.
    case seed
    /// When everything happens, with the same times in between.
    case everything
    /// When a fault begins, by its id and kind; its length stays. A length of nil is a fault without an end.
    case fault(String, kind: String, length: VirtualTime.Span?)
    /// The kind of a fault, by its id.
    case kind(String)
    /// When an event happens: its list as in the file, its index there, what it does.
    case event(list: String, index: Int, name: String)

    /// The subject as a phrase.
    var text: String {
      switch self {
      case .seed: "the seed"
      case .everything: "the begin of all faults and events together"
      case .fault(let id, _, _): "the begin of fault \(id)"
      case .kind(let id): "the kind of fault \(id)"
      case .event(let list, let index, let name): "the time of \(list)[\(index)] (\(name))"
      }
    }
  }

  var subject: Subject
  /// The instants between which every tried one failed in the same way; nil for what is no instant.
  var range: ClosedRange<VirtualTime>?
  /// Kinds of faults that fail in the same way in its place.
  var kinds: [String] = []
  /// How many variants were tried within the range, or among seeds or kinds.
  var tried: Int
  /// How many of them failed in the same way.
  var failed: Int

  /// A sentence without its full stop: `any loss of 15 s that begins in 4:10..4:40 does it (9 of 9 tried)`.
  var text: String { "\(sentence) (\(failed) of \(tried) tried)" }

  private var sentence: String {
    let stretch = range.map { "\($0.lowerBound.text)..\($0.upperBound.text)" } ?? "the whole run"
    switch subject {
    case .seed: return failed == tried ? "any seed does it" : failed == 0 ? "no other seed does it" : "some seeds do it"
    case .everything: return "it may begin anywhere in \(stretch), if all faults and events move together"
    case .fault(_, let kind, let length):
      let lasting = length.map { " of \(StoryText.length($0))" } ?? ""
      return "any \(kind)\(lasting) that begins in \(stretch) does it"
    case .kind(let id): return "\(StoryText.alternatives(kinds)) in place of fault \(id) does it, too"
    case .event(let list, let index, let name): return "any \(name) in \(stretch) does it (\(list)[\(index)])"
    }
  }

  /// For programs.
  package var json: JSONNode {
    JSONNode(
      .fields([
        "what": .string(subject.text), "sentence": .string(text),
        "from": range.map { .integer($0.lowerBound.nanoseconds) },
        "to": range.map { .integer($0.upperBound.nanoseconds) },
        "kinds": kinds.isEmpty ? nil : .texts(kinds), "tried": .count(tried), "failed": .count(failed),
      ]))
  }
}

/// Finds out what may vary in the smallest run: it varies one thing at a time and runs it.
extension Shrinker {
  /// How many runs of the limit are kept for this.
  static let freedomRunsMax = 100
  /// How many other seeds are tried.
  private static let seedsTried: UInt64 = 6

  /// Returns what may vary in ``best``, without subjects for which no runs were left.
  mutating func findFreedoms() throws(Failure) -> [Freedom] {
    let limit = min(runsMax, runs + Self.freedomRunsMax)
    var found: [Freedom] = []
    if let seed = try seedFreedom(limit) { found.append(seed) }
    let events = best.timedEvents
    if best.faults.count + events.count > 1, let first = best.firstInstant {
      let freedom = try timeFreedom(.everything, at: first, limit) { scenario, instant in
        // A later run is longer already.
        scenario.happening(earlierBy: first - instant, isLonger: instant > first)
      }
      if let freedom { found.append(freedom) }
    }
    for index in best.faults.indices {
      let fault = best.faults[index]
      if let kind = try kindFreedom(index, limit) { found.append(kind) }
      let freedom = try timeFreedom(
        .fault(fault.id, kind: fault.kind, length: fault.end.map { $0 - fault.begin }), at: fault.begin, limit
      ) { scenario, instant in
        var moved = scenario
        moved.faults[index].begin = instant
        moved.faults[index].end = fault.end.map { $0 + (instant - fault.begin) }
        return moved
      }
      if let freedom { found.append(freedom) }
    }
    for event in events {
      let subject = Freedom.Subject.event(list: event.path.joined(separator: "."), index: event.index, name: event.name)
      let freedom = try timeFreedom(subject, at: event.at, limit) { $0.moving(event, to: $1) }
      if let freedom { found.append(freedom) }
    }
    return found
  }

  private mutating func seedFreedom(_ limit: Int) throws(Failure) -> Freedom? {
    var freedom = Freedom(subject: .seed, tried: 0, failed: 0)
    for step in 1...Self.seedsTried where runs < limit {
      var candidate = best
      candidate.seed = best.seed &+ step
      freedom.tried += 1
      if try fails(candidate) { freedom.failed += 1 }
    }
    return freedom.tried > 0 ? freedom : nil
  }

  /// Tries other kinds that lose every frame of the fault's direction, in its place.
  private mutating func kindFreedom(_ index: Int, _ limit: Int) throws(Failure) -> Freedom? {
    let fault = best.faults[index]
    guard fault.place == .link, type(of: fault.body.fault).lasts else { return nil }
    var lost = fault
    lost.body = .frame(LossFault(.independent(.always)))
    var cut = fault
    cut.body = .world(DisconnectFault())
    (cut.direction, cut.channels) = (nil, nil)
    var freedom = Freedom(subject: .kind(fault.id), tried: 0, failed: 0)
    for other in [lost, cut] where other.kind != fault.kind && runs < limit {
      var candidate = best
      candidate.faults[index] = other
      freedom.tried += 1
      guard try fails(candidate) else { continue }
      freedom.failed += 1
      freedom.kinds.append(other.kind)
    }
    return freedom.failed > 0 ? freedom : nil
  }

  /// The instants around one at which something may happen.
  ///
  /// Tries steps of 1, 2, 4 and more seconds until the run does not fail, then halves down to a second.
  private mutating func timeFreedom(
    _ subject: Freedom.Subject, at instant: VirtualTime, _ limit: Int,
    move: (Scenario, VirtualTime) -> Scenario?
  ) throws(Failure) -> Freedom? {
    var freedom = Freedom(subject: subject, range: instant...instant, tried: 0, failed: 0)
    var ends = [instant, instant]
    for (side, sign) in [(0, -1), (1, 1)] as [(Int, Int64)] {
      var (good, step): (Int64, Int64) = (0, 1)
      var bad: Int64?
      // At most as far as the run is long.
      let most = sign < 0 ? instant.nanoseconds / 1_000_000_000 : best.duration.nanoseconds / 1_000_000_000
      while runs < limit {
        let next = bad.map { good + ($0 - good) / 2 } ?? min(good + step, most)
        guard next > good, next != bad else { break }
        let other = instant + .seconds(sign * next)
        // The run is longer by as much, so that its end does not come before the failure.
        let longer = sign > 0 ? best.lasting(best.duration + .seconds(next)) : best
        if let candidate = move(longer, other), try fails(candidate) {
          good = next
          step *= 2
          freedom.tried += 1
          freedom.failed += 1
          ends[side] = other
        } else {
          bad = next
        }
      }
    }
    guard ends[0] < ends[1] else { return nil }
    freedom.range = ends[0]...ends[1]
    return freedom
  }

  private mutating func fails(_ candidate: Scenario) throws(Failure) -> Bool {
    if case .fails = try attempt(candidate) { true } else { false }
  }
}
