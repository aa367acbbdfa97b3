import CoachProtocol
import Link

/// A phone that does nothing but ask the edge, and tell what came back.
struct CallingPhone: NodeMachine {
  /// One request.
  struct Call: Sendable {
    var at: VirtualTime
    var path: String
    var body: [UInt8]
  }

  private var client: UplinkClient
  private var calls: [Call]
  private var asked: UInt64 = 0

  init(_ calls: [Call], epoch: Epoch) {
    self.calls = calls.sorted { $0.at < $1.at }
    client = UplinkClient(epoch: epoch)
  }

  var nextDeadline: VirtualTime? {
    guard let at = calls.first?.at else { return client.nextDeadline }
    return min(at, client.nextDeadline ?? .distantFuture)
  }

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    switch input {
    case .uplink(let isUp): client.receive(isUp: isUp, in: &turn)
    case .frame(let frame):
      guard frame.channel == .http, let response = client.receive(frame, in: &turn) else { return }
      turn.record(
        TraceEvent(
          "test", at: now, on: .phone,
          [.init("id", response.id.traceValue), .init("status", .int(Int64(response.status)))]))
    case nil:
      while let call = calls.first, call.at <= now {
        calls.removeFirst()
        asked += 1
        client.send(Identifier(high: 5, low: asked), path: call.path, body: call.body, in: &turn)
      }
      client.fire(in: &turn)
    case .link, .command, .condition, .page: break
    }
  }
}

extension CallingPhone: HostedNode {
  typealias Record = Void
  typealias Change = Never
  mutating func takeChanges() -> [Never] { [] }
  var isWorkoutOver: Bool { false }
}
