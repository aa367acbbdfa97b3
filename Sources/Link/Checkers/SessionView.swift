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

/// What the checkers of the session need of the latest frames between watch and phone, by the frames' numbers.
struct FrameLog: Sendable {
  /// The number of remembered frames; the arrival of an older one is not judged.
  static let countMax = 4096

  struct Entry: Sendable {
    var id: Int64 = -1
    var sender = TraceEvent.Place.runner
    var kind = Frame.Kind.data
    var channel = Channel.message
    var epoch: Int64 = 0
    var seq: Int64 = 0
    var transfer: Identifier?
    var line = 0

    /// The node that it is for.
    var receiver: TraceEvent.Place { sender == .watch ? .phone : .watch }
  }

  private var entries: [Entry] = []

  /// Records a sent frame; returns its entry, or nil if it is not from the watch to the phone or back.
  mutating func record(_ frame: FrameSent, _ event: TypedEvent, line: Int) -> Entry? {
    guard event.place == .watch || event.place == .phone, frame.to != .edge else { return nil }
    let entry = Entry(
      id: frame.id, sender: event.place, kind: frame.kind, channel: frame.channel, epoch: frame.epoch, seq: frame.seq,
      transfer: frame.transfer, line: line)
    let place = Int(truncatingIfNeeded: frame.id) & (Self.countMax - 1)
    // Reserves room for a quarter of an hour, since a growing list is copied repeatedly.
    if entries.isEmpty { entries.reserveCapacity(1_024) }
    while entries.count <= place { entries.append(Entry()) }
    entries[place] = entry
    return entry
  }

  /// The entry of a frame; nil if it is unknown or forgotten.
  func entry(of id: Int64) -> Entry? {
    let place = Int(truncatingIfNeeded: id) & (Self.countMax - 1)
    guard place < entries.count, entries[place].id == id else { return nil }
    return entries[place]
  }
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

  /// Records that a fault begins or ends; ignores other events.
  mutating func observe(_ event: TypedEvent) {
    switch event.body {
    case .faultBegin(let fault) where kinds.contains(fault.kind):
      var node: String?
      if let params = try? JSONParser.parse(fault.params.text, dialect: .json),
        case .object(let members) = params.value,
        case .string(let text)? = members.first(where: { $0.key == "node" })?.node.value
      {
        node = text
      }
      active.append(Active(id: fault.fault, kind: fault.kind, node: node, since: event.time))
    case .faultEnd(let fault) where kinds.contains(fault.kind):
      active.removeAll { $0.id == fault.fault }
      lastEnd = event.time
    default: break
    }
  }

  /// Whether one is active on a node, except those that began at or after an instant.
  func isActive(on place: TraceEvent.Place, before instant: VirtualTime = .distantFuture) -> Bool {
    active.contains { ($0.node == nil || $0.node == place.text) && $0.since < instant }
  }
}
