import CoachProtocol
import Link

/// A real proxy as the edge: the phone's requests go out over HTTP, and the answers come back into the run.
///
/// Towards the conductor it is the edge node, so uplink, deadlines and trace are those of any run. Answers depend on
/// the outside world, and their times on real time: such a run takes place in real time, and is not repeatable.
struct ProxyNode: HostedNode {
  /// Polling interval while an answer is awaited.
  static let poll = VirtualTime.Span.milliseconds(20)

  private struct Awaited {
    var id: Identifier
    var path: String
    /// When the answer is no longer awaited.
    var until: VirtualTime
  }

  private let client: ProxyClient
  private var server = UplinkServer()
  private var awaited: [Awaited] = []
  private(set) var nextDeadline: VirtualTime?

  init(_ client: ProxyClient) { self.client = client }

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    switch input {
    case .frame(let frame):
      if let request = server.receive(frame, in: &turn) { send(request, in: &turn) }
    case nil: collect(in: &turn)
    // It is always on, and only the phone uses it.
    case .link, .uplink, .condition, .command, .page: break
    }
    nextDeadline = awaited.isEmpty ? nil : turn.now + Self.poll
  }

  private mutating func send(_ request: UplinkRequest, in turn: inout Turn) {
    turn.record(EdgeRequest.self, on: .edge) {
      $0.id = request.id
      $0.path = request.path
      $0.digest = EventDigest(bits: request.digest)
      $0.bytes = Int64(request.byteCount)
    }
    // Already on its way.
    if awaited.contains(where: { $0.id == request.id }) {
      awaited.removeAll { $0.id == request.id }
      client.forget(request.id)
    }
    let deadline = EdgeCall(path: request.path)?.deadline ?? .seconds(30)
    awaited.append(Awaited(id: request.id, path: request.path, until: turn.now + deadline))
    client.send(request.id, path: request.path, body: JSONWriter.compact(request.body), timeout: deadline.seconds)
  }

  private mutating func collect(in turn: inout Turn) {
    let now = turn.now
    for answer in client.collect() {
      guard let place = awaited.firstIndex(where: { $0.id == answer.id }) else { continue }
      let path = awaited.remove(at: place).path
      turn.record(EdgeResponse.self, on: .edge) {
        $0.id = answer.id
        $0.path = path
        $0.status = Int64(answer.status)
        $0.bytes = Int64(answer.content.count)
      }
      server.answer(answer.id, status: answer.status, answer.content, in: &turn)
    }
    for late in awaited where late.until <= now { client.forget(late.id) }
    awaited.removeAll { $0.until <= now }
  }

  // MARK: Hosted

  typealias Record = Void
  typealias Change = Never
  mutating func takeChanges() -> [Never] { [] }
  var isWorkoutOver: Bool { false }
}
