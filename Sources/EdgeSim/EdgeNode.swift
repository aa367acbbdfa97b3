import CoachProtocol
package import Link

/// The cloud service of the coach: the proxy's three endpoints, answered by a rule-based ``Coach``.
///
/// Answers and their latency depend only on the run's seed and the request's digest, so that adding or removing one
/// request changes no other answer. It is stateless, and runs for the whole run like a service.
package struct EdgeNode: NodeMachine {
  /// An answer in preparation.
  private struct Job: Sendable {
    var at: VirtualTime
    /// Jobs of one instant finish in the order of their requests.
    var number: UInt64
    var id: Identifier
    var path: String
    var status: Int
    var content: UplinkContent
  }

  private let setup: EdgeSetup
  private let coach: Coach
  private let latencies: RandomStream
  private var server = UplinkServer()
  private var jobs: [Job] = []
  private var requests: UInt64 = 0
  /// How often each configured failure has struck.
  private var strikes: [Int]
  package private(set) var nextDeadline: VirtualTime?

  package init(_ setup: EdgeSetup, seed: UInt64) {
    self.setup = setup
    coach = Coach(seed: seed)
    latencies = RandomStream(seed: seed, name: "edge.latency")
    strikes = setup.failures.map { _ in 0 }
  }

  package mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    switch input {
    case .frame(let frame):
      if let request = server.receive(frame, at: now, into: &output) { receive(request, at: now, into: &output) }
    case nil: fire(at: now, into: &output)
    // It is always on, and only the phone uses it.
    case .link, .uplink, .condition, .command, .page: break
    }
    nextDeadline = jobs.lazy.map(\.at).min()
  }

  private mutating func receive(_ request: UplinkRequest, at now: VirtualTime, into output: inout NodeOutput) {
    // A repeated request replaces its predecessor.
    jobs.removeAll { $0.id == request.id }
    let call = EdgeCall(path: request.path)
    let effect = strike(call, at: now)
    output.record(Self.line(of: request, effect, at: now))
    guard effect != .timeout else { return }
    var (status, content) = answer(call, request)
    var latency = latency(of: request.digest)
    switch effect {
    case .error500: (status, content) = Self.error(500, "the proxy failed")
    case .error502: (status, content) = Self.error(502, "the model behind the proxy did not answer")
    case .malformed: (status, content) = (200, .text("<html><body>The service is temporarily unav"))
    case .badScript where status == 200: content = .body(Coach.badScript(seed: request.digest).bytes)
    case .late(let by): latency = latency + by
    case .badScript, .timeout, nil: break
    }
    requests += 1
    jobs.append(
      Job(at: now + latency, number: requests, id: request.id, path: request.path, status: status, content: content))
  }

  private mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    let due = jobs.filter { $0.at <= now }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    jobs.removeAll { $0.at <= now }
    for job in due {
      output.record(
        TraceEvent(
          "edge.response", at: now, on: .edge,
          [
            .init("id", job.id.traceValue), .init("path", .string(job.path)), .init("status", .int(Int64(job.status))),
            .init("bytes", .int(Int64(job.content.count))),
          ]))
      server.answer(job.id, status: job.status, job.content, at: now, into: &output)
    }
  }

  /// The failure that applies to a request; nil for none.
  private mutating func strike(_ call: EdgeCall?, at now: VirtualTime) -> EdgeFailure.Effect? {
    for (index, failure) in setup.failures.enumerated() where failure.concerns(call, at: now) {
      if let times = failure.times, strikes[index] >= times { continue }
      strikes[index] += 1
      return failure.effect
    }
    return nil
  }

  private func latency(of digest: UInt64) -> VirtualTime.Span {
    let jitter = setup.jitter.nanoseconds
    let width = UInt64(2 * jitter) + 1
    let drawn = setup.latency.nanoseconds - jitter + Int64(latencies.number(below: width, for: digest))
    // An answer at the instant of its request would not come from another device.
    return VirtualTime.Span(nanoseconds: max(1_000_000, drawn))
  }

  private func answer(_ call: EdgeCall?, _ request: UplinkRequest) -> (Int, UplinkContent) {
    do throws(Diagnostics) {
      switch call {
      case .generateScript:
        return (200, .body(coach.script(try .reading(request.body), digest: request.digest).bytes))
      case .chatReply: return (200, .body(coach.reply(try .reading(request.body), digest: request.digest).bytes))
      case .postRunSummary:
        return (200, .body(coach.summary(try .reading(request.body), digest: request.digest).bytes))
      case nil: return Self.error(404, "no such path: \(request.path.prefix(100))")
      }
    } catch {
      return Self.error(400, String((error.list.first?.message ?? "no such request").prefix(400)))
    }
  }

  private static func error(_ status: Int, _ text: String) -> (Int, UplinkContent) {
    (status, .body(JSONWriter.compact(JSONNode(.object([JSONMember("error", .string(text))])))))
  }

  private static func line(
    of request: UplinkRequest, _ effect: EdgeFailure.Effect?, at now: VirtualTime
  ) -> TraceEvent {
    var fields: [TraceEvent.Field] = [
      .init("id", request.id.traceValue), .init("path", .string(request.path)), .init("digest", .hex(request.digest)),
      .init("bytes", .int(Int64(request.byteCount))),
    ]
    if let effect { fields.append(.init("failure", .string(effect.word))) }
    return TraceEvent("edge.request", at: now, on: .edge, fields)
  }
}

extension EdgeNode: HostedNode {
  package typealias Record = Void
  package typealias Change = Never
  package mutating func takeChanges() -> [Never] { [] }
  package var isWorkoutOver: Bool { false }
}
