package import Simulator
package import Console
package import Link
import LinkTransport

/// Runs every placement of up to N faults in a scenario, the smallest first.
///
/// A placement of two or more faults is a sequence in order of time. Each later fault is placed in the run with the
/// earlier ones: a frame that is retransmitted because of the first fault is a target for the second. Two runs with
/// equal states at an instant have the same future, so later faults are placed only in the first of them.
package struct Exploration {
  /// What to search.
  package struct Scope: Equatable, Sendable {
    /// The most faults of a placement; at least 1.
    package var faults = 2
    package var kinds: [FaultPlacement.Kind] = [.drop, .duplicate, .late, .cut, .mute, .kill, .clock]
    package var lengths = FaultPlacement.Lengths()
    /// Faults begin before this instant.
    package var until: VirtualTime
    /// Whether equal states are explored only once.
    package var isMerging = true

    package init(until: VirtualTime) { self.until = until }
  }

  /// The results of all placements that begin with one fault.
  package struct Branch: Equatable {
    /// How many placements were run.
    var runs = 0
    /// How many placements lead to a state that was already explored, so that they need no run.
    ///
    /// With three faults or more, their continuations are not counted.
    var equal = 0
    /// How many failed.
    var failed = 0
    /// The first that failed, if any.
    var broken: [FaultPlacement]?
  }

  /// The limit of placements of one fault; with more, the search would not end.
  static let placesMax = 200_000
  /// The number of instants at which states are compared.
  private static let instants = 64
  /// How often the states of two runs with equal events are compared.
  ///
  /// A difference that remains, such as a count of lost frames, is permanent.
  private static let triesMax = 2

  let runner: ExploredRun.Runner
  let scope: Scope
  /// The findings of the scenario without a placed fault; empty if it passes.
  let base: [SweepLine.Finding]
  /// All placements of one fault, in their order.
  package let singles: [FaultPlacement]
  /// The findings of each of them; as many as ``singles`` after ``runSingles(_:)``.
  private(set) var broken: [[SweepLine.Finding]] = []
  /// The instant from which a single's state was already explored; nil for never.
  private(set) var metFrom: [VirtualTime?] = []

  /// Runs the scenario without a placed fault, to find the places.
  package init(_ scenario: Scenario, _ scope: Scope) throws(Failure) {
    runner = ExploredRun.Runner(scenario, scope.lengths)
    self.scope = scope
    let scan = PlacementScan()
    base = try runner.run([], scan: scan).findings
    singles = base.isEmpty ? try Self.placements(after: [], scan, runner, scope) : []
    guard singles.count <= Self.placesMax else {
      throw .input(
        "explore: found \(singles.count) places for a fault, expected at most \(Self.placesMax): choose a smaller "
          + "--until, or fewer --kinds")
    }
  }

  /// Runs every placement of one fault.
  ///
  /// - Parameter onProgress: Called after each run; false stops the search.
  /// - Returns: Whether all were run.
  package mutating func runSingles(_ onProgress: (Int) -> Bool = { _ in true }) throws(Failure) -> Bool {
    let isMerging = scope.isMerging && scope.faults > 1
    // The first run with each echo: 0 is the run without a fault, 1 the first single.
    var first: [[Int: Int]] = Array(repeating: [:], count: Self.instants)
    var states: [Int: [Int: UInt64]] = [:]
    func echoes() -> EventEchoes? { isMerging ? EventEchoes(until: scope.until, count: Self.instants) : nil }
    func state(of run: Int, at index: Int, _ instant: VirtualTime) throws(Failure) -> UInt64? {
      if let known = states[run]?[index] { return known }
      let probe = StateProbe(at: instant)
      _ = try runner.run(run == 0 ? [] : [singles[run - 1]], probe: probe)
      states[run, default: [:]][index] = probe.hash
      return probe.hash
    }
    if let echoes = echoes() {
      _ = try runner.run([], echoes: echoes)
      for (index, hash) in echoes.hashes.enumerated() { first[index][hash] = 0 }
    }
    for (place, placement) in singles.enumerated() {
      let echoes = echoes()
      let run = try runner.run([placement], echoes: echoes)
      broken.append(run.findings)
      var met: VirtualTime?
      var tries = 0
      if let echoes, run.hasPassed {
        // The hash excludes active cuts and reasons to be down, so compare only after the placement's effects.
        let over = placement.isOver(scope.lengths)
        for (index, hash) in echoes.hashes.enumerated() where echoes.instant(index) > over {
          guard let other = first[index][hash] else {
            first[index][hash] = place + 1
            continue
          }
          guard tries < Self.triesMax else { break }
          tries += 1
          let instant = echoes.instant(index)
          guard let own = try state(of: place + 1, at: index, instant),
            own == (try state(of: other, at: index, instant))
          else { continue }
          met = instant
          break
        }
      }
      metFrom.append(met)
      guard onProgress(place + 1) else { return false }
    }
    return true
  }

  /// Runs all placements of `size` faults that begin with a single.
  ///
  /// - Parameters:
  ///   - place: The single's index.
  ///   - size: 2 or more; 1 is ``runSingles(_:)``.
  ///   - stopsAtFailure: Whether the first broken placement ends it.
  package func branch(_ place: Int, size: Int, stopsAtFailure: Bool) throws(Failure) -> Branch {
    var branch = Branch()
    guard broken[place].isEmpty else { return branch }
    try extend([singles[place]], to: size, metFrom: metFrom[place], &branch, stopsAtFailure)
    return branch
  }

  private func extend(
    _ prefix: [FaultPlacement], to size: Int, metFrom: VirtualTime?, _ branch: inout Branch, _ stops: Bool
  ) throws(Failure) {
    let scan = PlacementScan()
    // A prefix that fails by itself was reported with its own size.
    guard try runner.run(prefix, scan: scan).hasPassed else { return }
    for next in try Self.placements(after: prefix, scan, runner, scope) {
      if StopSignal.isRaised || stops && branch.broken != nil { return }
      if let metFrom, next.at >= metFrom {
        branch.equal += 1
        continue
      }
      let placements = prefix + [next]
      guard placements.count == size else {
        try extend(placements, to: size, metFrom: nil, &branch, stops)
        continue
      }
      branch.runs += 1
      guard try !runner.run(placements).hasPassed else { continue }
      branch.failed += 1
      branch.broken = branch.broken ?? placements
    }
  }

  /// The placements of the next fault after a prefix, in order.
  private static func placements(
    after prefix: [FaultPlacement], _ scan: PlacementScan, _ runner: ExploredRun.Runner, _ scope: Scope
  ) throws(Failure) -> [FaultPlacement] {
    var found = scan.placements(scope.kinds, scope.lengths, until: scope.until)
    if let last = prefix.last {
      found.removeAll { next in
        !FaultPlacement.precedes(last, next) || prefix.contains { $0.hitsFrames(of: next) || $0.covers(next) }
      }
    }
    if scope.kinds.contains(.crash) {
      found += try crashes(after: prefix, runner, scope)
      found.sort(by: FaultPlacement.precedes)
    }
    return found
  }

  /// Every passage of a crash point by a node; each is found by a run that waits for it.
  private static func crashes(
    after prefix: [FaultPlacement], _ runner: ExploredRun.Runner, _ scope: Scope
  ) throws(Failure) -> [FaultPlacement] {
    var found: [FaultPlacement] = []
    let begin = prefix.last?.at ?? .start
    for role in [NodeRole.watch, .phone] {
      for point in CrashPoint.all {
        var from = begin
        while from < scope.until {
          var place = FaultPlacement(kind: .crash, at: from, end: scope.until, node: role, point: point)
          let scan = PlacementScan()
          _ = try runner.run(prefix + [place], scan: scan)
          // A prefix with a crash of its own kills an app as well, but before this instant.
          guard let at = scan.crashedAt, at >= from, at < scope.until else { break }
          place.at = at
          place.end = at + .milliseconds(1)
          if prefix.last.map({ FaultPlacement.precedes($0, place) }) ?? true { found.append(place) }
          from = VirtualTime(nanoseconds: at.nanoseconds + 1)
        }
      }
    }
    return found
  }
}
