import Link
import LinkStore

/// A node with a session and hardly any app, to measure queues and files.
struct TransferNode: NodeMachine {
  enum Part {
    /// Queues events: a new one whenever one is confirmed, so that `inFlight` are in flight.
    case events(Int, inFlight: Int)
    /// Queues events as fast as possible, so that most of them wait.
    case backlog(Int)
    /// Sends one file, which exists already.
    case file(FileOffer)
    /// Handles events and stores files.
    case sink
  }

  /// The seed of the transfers' ids.
  private static let seed: UInt64 = 1
  /// The size of an event's payload, in bytes.
  static let payloadBytes = 256
  /// Events that a backlog grows by in a millisecond: more than a window takes in a round trip.
  private static let backlogBatch = 50
  /// The name of a file in the receiver's folder.
  static let fileName = "file"

  private let part: Part
  private var session: Session
  private let payload = [UInt8](repeating: 7, count: TransferNode.payloadBytes)
  /// How many events are still to be queued.
  private var left = 0
  /// When a backlog grows next; nil for never.
  private var growsAt: VirtualTime?
  /// Whether the first transfer was queued.
  private var hasBegun = false
  /// Number of transfers that have reached the peer, or were received and handled.
  private(set) var settled = 0

  init(_ part: Part, as role: NodeRole, record: SessionRecord) {
    self.part = part
    session = Self.session(role, record)
    switch part {
    case .events(let count, _): left = count
    case .backlog(let count):
      left = count
      growsAt = .start + .milliseconds(1)
    case .file, .sink: break
    }
  }

  private static func session(_ role: NodeRole, _ record: SessionRecord) -> Session {
    Session(.init(role: role, random: RandomStream(seed: seed, name: "bench-\(role.text)")), record: record)
  }

  /// The id of the watch's first file.
  static var firstFile: Identifier {
    var record = SessionRecord()
    record.epoch = Epoch(1)
    return session(.watch, record).nextTransfer(in: .file)
  }

  var nextDeadline: VirtualTime? {
    guard let growsAt else { return session.nextDeadline }
    return session.nextDeadline.map { min($0, growsAt) } ?? growsAt
  }

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    switch input {
    case .frame(let frame):
      session.receive(frame, clock: now.nanoseconds, in: &turn)
    case .link(let isUp):
      session.receiveLink(isUp: isUp, clock: now.nanoseconds, in: &turn)
    case .page(let page): session.receive(page: page, in: &turn)
    case nil:
      session.fire(clock: now.nanoseconds, in: &turn)
      grow(in: &turn)
    default: break
    }
    for delivery in turn.deliveries { handle(delivery, in: &turn) }
    turn.deliveries.removeAll(keepingCapacity: true)
  }

  private mutating func handle(_ delivery: SessionDelivery, in turn: inout Turn) {
    switch delivery {
    case .reachability(true): begin(in: &turn)
    case .finished:
      settled += 1
      if case .events = part { queue(1, in: &turn) }
    case .userInfo(let entry): handle(entry, in: &turn)
    case .file(let entry, _):
      turn.items.append(.file(.keep(entry.transfer, as: Self.fileName)))
      handle(entry, in: &turn)
    default: break
    }
  }

  private mutating func handle(_ entry: QueueEntry, in turn: inout Turn) {
    session.markHandled(entry, in: &turn)
    session.commitHandled(entry, in: &turn)
    settled += 1
  }

  private mutating func begin(in turn: inout Turn) {
    guard !hasBegun else { return }
    hasBegun = true
    switch part {
    case .events(_, let inFlight): queue(inFlight, in: &turn)
    case .file(let offer):
      // An error shows as a transfer that does not arrive.
      _ = try? session.transferFile(offer, content: nil, in: &turn)
    case .backlog, .sink: break
    }
  }

  private mutating func grow(in turn: inout Turn) {
    let now = turn.now
    guard let at = growsAt, at <= now else { return }
    queue(Self.backlogBatch, in: &turn)
    growsAt = left > 0 ? now + .milliseconds(1) : nil
  }

  private mutating func queue(_ count: Int, in turn: inout Turn) {
    for _ in 0..<min(count, left) {
      _ = try? session.transferUserInfo(payload, details: .init(), in: &turn)
      left -= 1
    }
  }
}

extension TransferNode: HostedNode {
  typealias Record = KeyedRecord
  typealias Change = KeyedChange
  mutating func takeChanges() -> [KeyedChange] { [] }
  var isWorkoutOver: Bool { false }
}
