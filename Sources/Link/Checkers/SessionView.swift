import Link

/// The nodes whose sessions are the built-in ones, so that the rules of their timing hold.
///
/// Free-running nodes and programs answer a little later than at the same instant, and the recording of an app shows one
/// side only.
struct BuiltInNodes: Sendable {
  private var others: Set<TraceEvent.Place> = []

  /// Reads which nodes a trace's header names as others.
  init(_ header: TraceHeader) {
    for member in header.extras {
      switch (member.key, member.node.value) {
      case ("freeRunning", .array(let names)):
        for place in [TraceEvent.Place.watch, .phone] where names.contains(where: { $0.value == .string(place.text) }) {
          others.insert(place)
        }
      case ("programs", .object(let programs)):
        for place in [TraceEvent.Place.watch, .phone] where programs.contains(where: { $0.key == place.text }) {
          others.insert(place)
        }
      case ("capture", _): others = [.watch, .phone]
      default: break
      }
    }
  }

  /// Whether a place is a built-in watch or phone.
  func contains(_ place: TraceEvent.Place) -> Bool { (place == .watch || place == .phone) && !others.contains(place) }
}

/// Which faults of some kinds are active, and on which node.
struct ActiveFaults: Sendable {
  private struct Active: Sendable {
    let id: String
    let kind: String
    /// Nil for both nodes.
    let node: String?
    let since: VirtualTime
  }

  private let kinds: Set<String>
  private var active: [Active] = []
  /// When the last fault of these kinds ended.
  private(set) var lastEnd: VirtualTime?

  /// Creates a view of faults of these kinds.
  init(_ kinds: Set<String>) { self.kinds = kinds }

  /// Records that a fault begins, if it is of these kinds.
  mutating func observe(_ fault: FaultBegan, at time: VirtualTime) {
    guard kinds.contains(fault.kind) else { return }
    active.append(Active(id: fault.fault, kind: fault.kind, node: fault.node, since: time))
  }

  /// Records that a fault ends, if it is of these kinds.
  mutating func observe(_ fault: FaultEnded, at time: VirtualTime) {
    guard kinds.contains(fault.kind) else { return }
    active.removeAll { $0.id == fault.fault }
    lastEnd = time
  }

  /// Whether one is active on a node, except those that began at or after an instant.
  func isActive(on place: TraceEvent.Place, before instant: VirtualTime = .distantFuture) -> Bool {
    active.contains { ($0.node == nil || $0.node == place.text) && $0.since < instant }
  }
}
