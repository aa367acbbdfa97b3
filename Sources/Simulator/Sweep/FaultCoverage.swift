package import Link

/// In how many seeds each kind of fault met each channel in each phase of the run, and in how many it struck.
///
/// A fault meets a channel if a frame of it was sent in the fault's direction while the fault was active. One that
/// decides the fates of frames strikes if it meets a channel, a kill if an app ends, others when they begin.
package struct FaultCoverage: Equatable, Sendable {
  /// Names of the kinds, in the order of the catalogue, the uplink's last.
  package static let kinds = Nemesis.kinds(hasUplink: true)
  /// Faults do not affect the channels after ``Channel/http``.
  static let cellsOfKind = (Int(Channel.http.rawValue) + 1) * RunPhase.allCases.count

  /// The channels that a kind can meet: the uplink has its own.
  package static func channels(of kind: Int) -> [Channel] { kind < FaultCatalog.all.count ? Channel.ofLink : [.http] }

  /// The name of a fault's kind in ``kinds``.
  static func name(of fault: PlannedFault) -> String {
    fault.isOnUplink ? FaultCatalog.uplinkName(of: type(of: fault.body.fault)) : fault.kind
  }

  /// By kind, channel and phase.
  private(set) var counts = [Int](repeating: 0, count: kinds.count * cellsOfKind)
  /// By kind.
  package private(set) var struck = [Int](repeating: 0, count: kinds.count)

  /// The number of seeds of a cell.
  package subscript(kind: Int, channel: Channel, phase: RunPhase) -> Int {
    counts[kind * Self.cellsOfKind + Int(channel.rawValue) * RunPhase.allCases.count + phase.rawValue]
  }

  /// Adds what one run met.
  package mutating func add(_ met: FaultsMet) {
    for (kind, cells) in met.cells.enumerated() where cells != 0 {
      for cell in 0..<Self.cellsOfKind where cells >> UInt32(cell) & 1 == 1 {
        counts[kind * Self.cellsOfKind + cell] += 1
      }
    }
    for kind in struck.indices where met.struck[kind] { struck[kind] += 1 }
  }

  /// Adds what other runs met.
  package mutating func add(_ other: FaultCoverage) {
    for index in counts.indices { counts[index] += other.counts[index] }
    for kind in struck.indices { struck[kind] += other.struck[kind] }
  }

  /// The non-zero cells as text for ``init(_:)``, and after them the kinds that struck.
  package var text: String {
    (counts + struck).enumerated().filter { $0.element > 0 }.map { "\($0.offset):\($0.element)" }
      .joined(separator: " ")
  }

  package init() {}

  /// Reads ``text``; nil for anything else.
  package init?(_ text: Substring) {
    for part in text.split(separator: " ") {
      let numbers = part.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2, (0..<counts.count + struck.count).contains(numbers[0]), numbers[1] > 0 else {
        return nil
      }
      if numbers[0] < counts.count {
        counts[numbers[0]] = numbers[1]
      } else {
        struck[numbers[0] - counts.count] = numbers[1]
      }
    }
  }

  /// The kinds that a scenario can have, by index.
  package static func kinds(of scenario: Scenario) -> [Int] {
    kinds.indices.filter { index in
      scenario.faults.contains { name(of: $0) == kinds[index] }
        || scenario.nemesis?.kinds.contains(kinds[index]) == true
    }
  }
}

/// What one run's faults met, from its events.
package struct FaultsMet: Sendable {
  /// A fault of the plan.
  private struct Planned {
    var id: String
    var kind: Int
    var direction: Direction?
    /// Bitmask of channels.
    var channels: UInt8
    /// When it strikes.
    var strikes: Strike
  }

  /// What shows that a fault struck.
  private enum Strike { case atBegin, withFrame, withDeath }

  /// Bitmasks of cells, one for each kind.
  private(set) var cells = [UInt32](repeating: 0, count: FaultCoverage.kinds.count)
  /// Which kinds struck.
  private(set) var struck = [Bool](repeating: false, count: FaultCoverage.kinds.count)
  private let plan: [Planned]
  private var active: [Int] = []
  private var phase = RunPhase.before

  /// Begins a run with a plan.
  package init(_ plan: [PlannedFault]) {
    self.plan = plan.map { fault in
      let kind = FaultCoverage.kinds.firstIndex(of: FaultCoverage.name(of: fault)) ?? 0
      let channels = fault.channels ?? FaultCoverage.channels(of: kind) + [.mirror]
      return Planned(
        id: fault.id, kind: kind, direction: fault.direction,
        channels: channels.reduce(0) { $0 | 1 << $1.rawValue }, strikes: Self.strike(of: fault))
    }
  }

  /// Whether it reads lines of frames now; mutating, so that nothing is copied.
  mutating func readsFrames() -> Bool { !active.isEmpty }

  /// Observes the next event.
  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .frameSent(let frame): if !active.isEmpty { meet(frame.channel, from: event.place) }
    case .workoutState(let change): phase = RunPhase(change) ?? phase
    case .faultBegin(let fault):
      if let index = index(fault.fault) {
        active.append(index)
        if plan[index].strikes == .atBegin { struck[plan[index].kind] = true }
      }
    case .nodeKilled:
      for index in active where plan[index].strikes == .withDeath { struck[plan[index].kind] = true }
    case .faultEnd(let fault):
      if let index = index(fault.fault) { active.removeAll { $0 == index } }
    default: break
    }
  }

  private static func strike(of fault: PlannedFault) -> Strike {
    switch fault.body {
    case .frame: .withFrame
    case .node: fault.kind == KillFault.kind ? .withDeath : .atBegin
    case .world: .atBegin
    }
  }

  private func index(_ id: String) -> Int? { plan.firstIndex { $0.id == id } }

  private mutating func meet(_ channel: Channel, from sender: TraceEvent.Place) {
    let direction: Direction =
      switch sender {
      case .watch: .watchToPhone
      case .edge: .edgeToPhone
      default: channel == .http ? .phoneToEdge : .phoneToWatch
      }
    for index in active {
      // Read in place: a copy would retain the string.
      if let wanted = plan[index].direction, wanted != direction { continue }
      guard plan[index].channels >> channel.rawValue & 1 == 1 else { continue }
      if plan[index].strikes == .withFrame { struck[plan[index].kind] = true }
      // The table has no column for what only daemons send.
      guard channel.rawValue <= Channel.http.rawValue else { continue }
      cells[plan[index].kind] |= 1 << UInt32(Int(channel.rawValue) * RunPhase.allCases.count + phase.rawValue)
    }
  }
}
