import Simulator
import Console
import Link

/// What a failure needs, as its shrunk run shows, to recognize the groups of one bug.
///
/// Two groups agree if their wrong decision is the same: the same invariant, and the same detail apart from numbers and
/// quoted text, whatever the circumstances. They also agree if the shrunk runs consist of the same faults and events: of any at
/// all, or one of the runs breaks the invariant of the other, too.
struct FailureCause: Equatable {
  /// The invariant and the pattern of its detail, without the phase.
  let kind: FailureKind
  /// What the faults do, in ascending order.
  let faults: [String]
  /// What the events and acts do, in ascending order.
  let events: [String]
  /// Every invariant and expectation that the shrunk run breaks.
  let broken: Set<String>
}

extension FailureCause {
  /// Every invariant and expectation that the shrunk scenario breaks: runs it once, unless the simulation dies on it.
  static func broken(by shrunk: ShrunkRun) throws(Failure) -> Set<String> {
    var broken: Set = [shrunk.target]
    if shrunk.target != SeedRun.crash {
      broken.formUnion(try ObservedFinding.run(shrunk.scenario).map(\.finding.invariant))
    }
    return broken
  }

  init(_ shrunk: ShrunkRun, breaking broken: Set<String>) {
    self.init(
      kind: FailureKind(shrunk.finding, phase: ""), faults: shrunk.scenario.faults.map(Self.effect).sorted(),
      events: shrunk.scenario.timedEvents.map(\.name).sorted(), broken: broken)
  }

  /// Whether two failures seem to be of one bug.
  func agrees(with other: Self) -> Bool {
    if kind == other.kind { return true }
    guard faults == other.faults, events == other.events else { return false }
    let isEmpty = faults.isEmpty && events.isEmpty
    return !isEmpty || broken.contains(other.kind.invariant) || other.broken.contains(kind.invariant)
  }

  /// Numbers causes from 1 in the order of their first groups, so that groups that agree have the same number, also by way of
  /// others; nil for groups without a shrunk run.
  static func numbers(_ causes: [FailureCause?]) -> [Int?] {
    var firsts: [Int?] = causes.indices.map { causes[$0] == nil ? nil : $0 }
    for index in causes.indices {
      guard let cause = causes[index] else { continue }
      for earlier in 0..<index where causes[earlier].map(cause.agrees) == true {
        guard let (low, high) = [firsts[earlier], firsts[index]].compactMap(\.self).minMax, low < high else { continue }
        for place in firsts.indices where firsts[place] == high { firsts[place] = low }
      }
    }
    let order = firsts.indices.filter { firsts[$0] == $0 }
    return firsts.map { first in first.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } }
  }

  /// As in a sentence: `frames lost or late, phone down; pause, resume`.
  var text: String {
    let faults = faults.isEmpty ? "no fault" : faults.joined(separator: ", ")
    return events.isEmpty ? faults : "\(faults); \(events.joined(separator: ", "))"
  }

  /// Faults with the same effect on an app count as one: shrinking picks the simplest of them for each run.
  private static func effect(_ fault: PlannedFault) -> String {
    let kind = type(of: fault.body.fault)
    if kind.onlyLosesOrDelays { return fault.place == .link ? "frames lost or late" : "calls to the edge lost or late" }
    let node = JSONNode(.object(fault.body.fault.params))["node"]?.text
    if kind.story.isReportedByDevice { return "\(node ?? "device") down" }
    return node.map { "\(fault.kind) of \($0)" } ?? fault.kind
  }
}

extension [Int] {
  /// The least and the greatest of at least one element.
  fileprivate var minMax: (Int, Int)? {
    guard let low = self.min(), let high = self.max() else { return nil }
    return (low, high)
  }
}
