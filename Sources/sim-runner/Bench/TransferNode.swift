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
  private var deliveries: [SessionDelivery] = []
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

  mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    switch input {
    case .frame(let frame):
      session.receive(frame, clock: now.nanoseconds, at: now, into: &output, delivering: &deliveries)
    case .link(let isUp):
      session.receiveLink(isUp: isUp, clock: now.nanoseconds, at: now, into: &output, delivering: &deliveries)
    case .page(let page): session.receive(page: page, at: now, into: &output, delivering: &deliveries)
    case nil:
      session.fire(clock: now.nanoseconds, at: now, into: &output, delivering: &deliveries)
      grow(at: now, into: &output)
    default: break
    }
    for delivery in deliveries { handle(delivery, at: now, into: &output) }
    deliveries.removeAll(keepingCapacity: true)
  }

  private mutating func handle(_ delivery: SessionDelivery, at now: VirtualTime, into output: inout NodeOutput) {
    switch delivery {
    case .reachability(true): begin(at: now, into: &output)
    case .finished:
      settled += 1
      if case .events = part { queue(1, at: now, into: &output) }
    case .userInfo(let entry): handle(entry, into: &output)
    case .file(let entry, _):
      output.items.append(.file(.keep(entry.transfer, as: Self.fileName)))
      handle(entry, into: &output)
    default: break
    }
  }

  private mutating func handle(_ entry: QueueEntry, into output: inout NodeOutput) {
    session.markHandled(entry, into: &output)
    session.commitHandled(entry, into: &output)
    settled += 1
  }

  private mutating func begin(at now: VirtualTime, into output: inout NodeOutput) {
    guard !hasBegun else { return }
    hasBegun = true
    switch part {
    case .events(_, let inFlight): queue(inFlight, at: now, into: &output)
    case .file(let offer):
      // An error shows as a transfer that does not arrive.
      _ = try? session.transferFile(offer, content: nil, at: now, into: &output)
    case .backlog, .sink: break
    }
  }

  private mutating func grow(at now: VirtualTime, into output: inout NodeOutput) {
    guard let at = growsAt, at <= now else { return }
    queue(Self.backlogBatch, at: now, into: &output)
    growsAt = left > 0 ? now + .milliseconds(1) : nil
  }

  private mutating func queue(_ count: Int, at now: VirtualTime, into output: inout NodeOutput) {
    for _ in 0..<min(count, left) {
      _ = try? session.transferUserInfo(payload, details: .init(), at: now, into: &output)
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
