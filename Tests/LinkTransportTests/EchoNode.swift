import Foundation
import Link
import LinkTransport

/// A node that sends back every frame with its payload doubled, writes a line for everything it takes,
/// and rings once a second.
struct EchoNode: HostedNode {
  typealias Record = Void
  typealias Change = Never
  var isWorkoutOver: Bool { false }
  mutating func takeChanges() -> [Never] { [] }

  var nextDeadline: VirtualTime? = .start
  var role: NodeRole

  init(_ role: NodeRole) { self.role = role }

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    let what: String
    switch input {
    case nil:
      what = "tick"
      nextDeadline = now + .seconds(1)
    case .frame(var frame):
      what = "frame"
      frame.payload += frame.payload
      turn.send(frame)
      turn.commit(.handled(.userInfo, frame.seq))
    case .link(let isUp): what = isUp ? "up" : "down"
    case .uplink(let isUp): what = isUp ? "uplink up" : "uplink down"
    case .command(let command): what = command.name
    case .condition(let condition): what = "\(condition)"
    case .page: what = "page"
    }
    if what == "point" {
      turn.commit(.handled(.userInfo, SequenceNumber(99)))
      turn.record(TraceEvent("test", at: now, on: role.place, [.init("what", .string("before"))]))
      turn.items.append(.crashPoint(.handlerCommitted))
      turn.commit(.handled(.userInfo, SequenceNumber(100)))
    }
    turn.record(TraceEvent("test", at: now, on: role.place, [.init("what", .string(what))]))
  }

  /// The line of one of its events; the text needs no escapes.
  static func appendLine(_ event: TraceEvent, to bytes: inout [UInt8]) {
    let what = event["what"]?.text ?? ""
    bytes.append(
      contentsOf:
        "{\"t\":\(event.time.nanoseconds),\"node\":\"\(event.place.text)\",\"event\":\"test\",\"what\":\"\(what)\"}"
        .utf8)
  }
}

/// Runs an ``EchoNode`` against a listener on a thread of its own, so that the test can be the conductor.
final class EchoThread: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let box = Box()

  /// Tells the test what was committed.
  private struct DiaryStore: SessionStore {
    let box: Box
    mutating func commit(_ changes: [SessionChange]) { box.committed.append(changes) }
    mutating func beginEpoch() -> SessionRecord { SessionRecord() }
    mutating func page(_ order: PageOrder) -> StorePage { .outbox(order.lane, []) }
  }

  /// Guarded by the semaphore: written before it is signalled, read after it was waited for.
  private final class Box: @unchecked Sendable {
    var ending: Result<NodeClient.Ending, NodeClientError>?
    var committed: [[SessionChange]] = []
    var setup = ""
  }

  init(_ environment: NodeEnvironment) {
    let ended = ended
    let box = box
    Thread.detachNewThread {
      defer { ended.signal() }
      do throws(NodeClientError) {
        let client = try NodeClient(environment, name: "echo 1", diesWithParent: false)
        box.setup = try client.join()
        var keeper: NodeKeeper<EchoNode, PlainStore<DiaryStore>, NoFiles>
        do throws(StoreError) {
          keeper = try NodeKeeper(store: PlainStore(DiaryStore(box: box)), files: NoFiles()) { _, _ in
            EchoNode(environment.role)
          }
        } catch {
          throw NodeClientError.host("\(error)")
        }
        box.ending = .success(try client.run(&keeper) { EchoNode.appendLine($0, to: &$1) })
      } catch {
        box.ending = .failure(error)
      }
    }
  }

  /// How it ended; nil when it still runs after 30 s.
  func end() -> Result<NodeClient.Ending, NodeClientError>? {
    guard ended.wait(timeout: .now() + 30) == .success else { return nil }
    ended.signal()
    return box.ending
  }

  var setup: String { box.setup }
  /// What was committed, a list a commit.
  var committed: [[SessionChange]] { box.committed }
}

extension NodeEnvironment {
  /// What a child of this listener would find.
  static func of(_ listener: NodeListener, _ role: NodeRole) -> NodeEnvironment {
    NodeEnvironment(path: listener.path, role: role, token: String(decoding: listener.token, as: UTF8.self))
  }
}

/// A connection that says what a test wants it to say.
struct RawPeer: ~Copyable {
  let socket: SocketDescriptor

  init(_ listener: NodeListener) throws {
    let socket = try SocketDescriptor.connect(to: listener.path)
    try socket.setTimeout(seconds: 30)
    self.socket = socket
  }

  init(_ socket: consuming SocketDescriptor) { self.socket = socket }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty { rest = try rest.dropFirst(socket.send(rest.span)) }
  }

  func send(_ write: (inout RecordWriter) -> Void) throws {
    var writer = RecordWriter()
    write(&writer)
    try send(writer.bytes)
  }

  func join(_ listener: NodeListener, as role: NodeRole) throws {
    try send { $0.join(JoinRequest(role: role, token: listener.token, name: "raw")) }
  }

  /// What comes until the other end closes.
  func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      var space = piece.mutableSpan
      guard let count = try? socket.receive(into: &space), count > 0 else { return all }
      all += piece[..<count]
    }
  }
}
