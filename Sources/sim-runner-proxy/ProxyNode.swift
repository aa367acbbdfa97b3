import CoachProtocol
import Link

/// A real proxy as the edge: the phone's requests go out over HTTP, and the answers come back into the run.
///
/// Towards the conductor it is the edge node, so uplink, deadlines and trace are those of any run. Answers depend on
/// the outside world, and their times on real time: such a run takes place in real time, and is not repeatable.
struct ProxyNode: HostedNode {
  /// Polling interval while an answer is awaited, in real time.
  static let poll = VirtualTime.Span.milliseconds(20)
  /// How long an answer may wait for what the server says that it has, in real seconds.
  private static let contextSeconds = 2.0

  private struct Awaited {
    var id: Identifier
    var path: String
    /// When the answer is no longer awaited.
    var until: VirtualTime
  }

  /// An answer that waits for what the server says that it has.
  private struct Held {
    var id: Identifier
    var answer: ProxyClient.Answer
    var until: VirtualTime
  }

  private let client: ProxyClient
  /// Virtual seconds in a real second.
  private let pace: Double
  /// The day by the machine's clock.
  private let today: @Sendable () -> LocalDay
  private var server = UplinkServer()
  private var awaited: [Awaited] = []
  private var held: Held?
  /// The first and the last day that were posted; nil before the first post.
  private var postedDays: ClosedRange<String>?
  private var questions: UInt64 = 0
  private(set) var nextDeadline: VirtualTime?

  init(_ client: ProxyClient, pace: Double, today: @escaping @Sendable () -> LocalDay) {
    self.client = client
    self.pace = pace
    self.today = today
  }

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    switch input {
    case .frame(let frame):
      if let request = server.receive(frame, in: &turn) { send(request, in: &turn) }
    case nil: collect(in: &turn)
    // It is always on, and only the phone uses it.
    case .link, .uplink, .condition, .command, .page: break
    }
    let isWaiting = !awaited.isEmpty || held != nil
    nextDeadline = isWaiting ? turn.now + Self.span(Self.poll.seconds * pace) : nil
  }

  private static func span(_ seconds: Double) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: Int64(seconds * 1e9))
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
    client.send(request.id, path: request.path, body: body(of: request), timeout: deadline.seconds / pace)
  }

  /// The totals of days in the flat form, everything else as it is.
  private mutating func body(of request: UplinkRequest) -> [UInt8] {
    guard request.path == EdgeCall.insightsSync.path,
      let totals: InsightsSyncRequest = try? .reading(request.body)
    else { return JSONWriter.compact(request.body) }
    for day in totals.days {
      let known = postedDays ?? day.date...day.date
      postedDays = min(known.lowerBound, day.date)...max(known.upperBound, day.date)
    }
    return totals.flatBytes
  }

  private mutating func collect(in turn: inout Turn) {
    let now = turn.now
    for answer in client.collect() {
      if let waiting = held, answer.id == waiting.id {
        record(answer, in: &turn)
        release(in: &turn)
        continue
      }
      guard let place = awaited.firstIndex(where: { $0.id == answer.id }) else { continue }
      let path = awaited.remove(at: place).path
      turn.record(EdgeResponse.self, on: .edge) {
        $0.id = answer.id
        $0.path = path
        $0.status = Int64(answer.status)
        $0.bytes = Int64(answer.content.count)
      }
      guard path == EdgeCall.insightsSync.path, answer.status == 200, ask(before: answer, now) else {
        server.answer(answer.id, status: answer.status, answer.content, in: &turn)
        continue
      }
    }
    if let waiting = held, waiting.until <= now {
      client.forget(waiting.id)
      release(in: &turn)
    }
    for late in awaited where late.until <= now { client.forget(late.id) }
    awaited.removeAll { $0.until <= now }
  }

  // MARK: What the server says that it has

  /// Asks the server what it has before an answer is passed on; false if that cannot be compared with what was posted: it
  /// speaks of its last days only.
  private mutating func ask(before answer: ProxyClient.Answer, _ now: VirtualTime) -> Bool {
    let (last, range) = (today(), InsightsContext.range)
    guard held == nil, let posted = postedDays, posted.upperBound <= last.text,
      posted.lowerBound > LocalDay(last.number - range.days).text
    else { return false }
    questions += 1
    let id = Identifier(high: answer.id.high, low: answer.id.low ^ (questions << 1 | 1))
    held = Held(id: id, answer: answer, until: now + Self.span(Self.contextSeconds * pace))
    client.ask(id, path: InsightsContext.path, range: range.name, timeout: Self.contextSeconds)
    return true
  }

  private func record(_ answer: ProxyClient.Answer, in turn: inout Turn) {
    // Not every server can be asked.
    guard answer.status == 200, case .body(let bytes) = answer.content,
      let node = try? JSONParser.parse(bytes, dialect: .json), let context = InsightsContext(node)
    else { return }
    turn.record(ServerContext.self, on: .edge) {
      ($0.days, $0.nutritionDays) = (context.days, context.nutritionDays)
      ($0.calories, $0.protein, $0.carbs, $0.fat) = (context.calories, context.protein, context.carbs, context.fat)
      $0.steps = context.steps
    }
  }

  private mutating func release(in turn: inout Turn) {
    guard let answer = held?.answer else { return }
    held = nil
    server.answer(answer.id, status: answer.status, answer.content, in: &turn)
  }

  // MARK: Hosted

  typealias Record = Void
  typealias Change = Never
  mutating func takeChanges() -> [Never] { [] }
  var isWorkoutOver: Bool { false }
}
