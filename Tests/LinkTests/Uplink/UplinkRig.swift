import Link

/// A client and a server with a medium between them, and an edge that takes a while for each request.
struct UplinkRig {
  var client = UplinkClient(epoch: Epoch(1))
  var server = UplinkServer()
  var medium: Medium
  /// How long the edge takes for a request.
  var thinking = VirtualTime.Span.milliseconds(800)
  /// The status of each answer, by the index of the request; 200 past the end.
  var statuses: [Int] = []
  var faults: [PlannedFault] = []
  /// When the medium is cut and restored, and when the phone notices.
  var cuts: [(at: VirtualTime, isUp: Bool)] = []
  var notices: [(at: VirtualTime, isUp: Bool)] = [(.start, true)]
  /// The phone's actions: sends or abandons requests.
  var acts: [(at: VirtualTime, act: (inout UplinkRig) -> Void)] = []

  private(set) var now = VirtualTime.start
  /// The requests that reached the edge.
  private(set) var requests: [(id: Identifier, at: VirtualTime)] = []
  /// The answers that reached the phone.
  private(set) var responses: [(response: UplinkResponse, at: VirtualTime)] = []
  private(set) var frames: [Frame] = []
  private(set) var lines: [TraceEvent] = []
  private var jobs: [(at: VirtualTime, id: Identifier, status: Int)] = []
  var turn = Turn(isRecording: true)

  init(_ profile: LinkProfile = LinkProfile(latency: .milliseconds(50)), seed: UInt64 = 1) {
    medium = Medium(place: .uplink, profile: profile, seed: seed)
  }

  static func id(_ number: UInt64) -> Identifier { Identifier(high: 7, low: number) }

  mutating func send(_ number: UInt64, body: String = "{\"x\":1}") {
    turn.now = now
    client.send(Self.id(number), path: "/chat-reply", body: Array(body.utf8), in: &turn)
  }

  mutating func at(_ milliseconds: Int64, _ act: @escaping (inout UplinkRig) -> Void) {
    acts.append((.start + .milliseconds(milliseconds), act))
  }

  func lines(_ name: TraceEvent.Name) -> [TraceEvent] { lines.filter { $0.name == name } }

  /// Runs until nothing is pending, or until an instant.
  mutating func run(until end: VirtualTime = .start + .seconds(3_600)) {
    while let next = nextInstant, next <= end {
      now = next
      step()
    }
  }

  private var nextInstant: VirtualTime? {
    var times = acts.map(\.at) + cuts.map(\.at) + notices.map(\.at) + jobs.map(\.at)
    times += faults.flatMap { [$0.begin, $0.end].compactMap(\.self) }.filter { $0 > now }
    times += [client.nextDeadline, medium.nextDeadline].compactMap(\.self)
    return times.min()
  }

  private mutating func step() {
    for (index, fault) in faults.enumerated() {
      guard case .frame(let body) = fault.body else { continue }
      if fault.begin == now { medium.begin(fault, body, index: index, seed: 1) }
      if fault.end == now { medium.end(index: index, at: now) }
    }
    for cut in cuts where cut.at <= now { _ = cut.isUp ? medium.restoreLink() : medium.cutLink() }
    cuts.removeAll { $0.at <= now }
    turn.now = now
    for notice in notices where notice.at <= now { client.receive(isUp: notice.isUp, in: &turn) }
    notices.removeAll { $0.at <= now }
    let due = acts.filter { $0.at <= now }
    acts.removeAll { $0.at <= now }
    for act in due { act.act(&self) }
    carryOut(from: .phone)
    while let fate = medium.popDue(at: now) {
      guard case .delivered(_, _, let frame, let role) = fate else { continue }
      deliver(frame, to: role)
    }
    if let at = client.nextDeadline, at <= now { client.fire(in: &turn) }
    carryOut(from: .phone)
    let done = jobs.filter { $0.at <= now }
    jobs.removeAll { $0.at <= now }
    for job in done {
      server.answer(job.id, status: job.status, .body(Array("{\"ok\":true}".utf8)), in: &turn)
    }
    carryOut(from: .edge)
  }

  mutating func deliver(_ frame: Frame, to role: NodeRole) {
    turn.now = now
    if role == .edge {
      if let request = server.receive(frame, in: &turn) {
        let status = statuses.indices.contains(requests.count) ? statuses[requests.count] : 200
        requests.append((request.id, now))
        jobs.removeAll { $0.id == request.id }
        if status > 0 { jobs.append((now + thinking, request.id, status)) }
      }
    } else if let response = client.receive(frame, in: &turn) {
      responses.append((response, now))
    }
    carryOut(from: role)
  }

  private mutating func carryOut(from role: NodeRole) {
    for item in turn.items {
      switch item {
      case .frame(let frame):
        frames.append(frame)
        medium.send(frame, id: UInt64(frames.count), direction: Direction(overUplinkFrom: role), at: now)
        medium.immediate.removeAll()
      case .event(let event): lines.append(event)
      default: break
      }
    }
    turn.items.removeAll()
  }
}
