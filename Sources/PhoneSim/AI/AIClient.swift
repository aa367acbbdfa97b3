package import CoachProtocol
package import Link

/// Sends questions to the edge and brings every one of them to an outcome.
///
/// * An answer counts until its call's deadline, inclusive: 30 s for a script, 8 s for a reply to the athlete, 60 s for
///   a summary.
/// * A reply that failed or did not arrive falls back at exactly 8 s and is not requested again; a later answer is
///   still recorded.
/// * Any other failed request waits in a queue and is retried after ``RetryDelay``, each time under a new id.
///   While the uplink is known to be down the queue stays as it is; when the uplink returns, the whole queue is sent at
///   once.
/// * A script that the validator refuses is requested once more, with the reasons in the request. If that one is
///   refused too, if three attempts failed, or if one failed with the uplink down, the run needs the phone's own
///   script. The queue continues, so an edge script may still arrive in mid-run.
/// * A repeated question (same digest of the body) is answered from the cache. A late script or summary goes into the
///   cache, where its next attempt finds it.
package struct AIClient: Machine {
  /// An event that the client handles.
  package enum Input: Sendable, Equatable {
    /// The phone's process started: open requests are sent again.
    case began
    /// A new question about a run and, for replies, a voice note.
    case asked(EdgeCall, runId: Identifier, noteId: Identifier?, body: String)
    /// The edge answered the attempt with this id; `body` is nil if it was not JSON.
    case answered(Identifier, status: Int, body: JSONNode?)
    /// The phone noticed that the uplink is up or down.
    case uplink(isUp: Bool)
    /// True while a race is running, in which nothing may be requested.
    case paused(Bool)
    /// A run ended: its script is no longer needed.
    case runEnded(Identifier)
  }

  /// Failed attempts after which a run gets the phone's own script.
  package static let scriptFailuresMax = 3
  /// Limit of unsettled requests; beyond it the oldest queued one is dropped.
  package static let requestCountMax = 100
  /// Limit of timed-out attempts whose late answers are still accepted.
  private static let overdueCountMax = 16

  /// The part that the phone stores.
  package private(set) var record: AIRecord
  /// Whether the phone believes that the uplink is up.
  package private(set) var isReachable = false

  /// Whether the phone noticed that the uplink went down and has not noticed its return.
  private var wasDown = false
  private let random: RandomStream
  private let personality: String
  private let plan: Plan
  private var isPaused = false
  /// Attempts answered with an error, which wait for their deadline.
  private var failedReplies: [Identifier] = []
  private var overdue: [AIRequest] = []

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - seed: The execution's seed.
  ///   - personality: The coach's name.
  ///   - plan: The athlete's plan; scripts are validated against it.
  ///   - record: The stored state.
  package init(seed: UInt64, personality: String, plan: Plan, restoring record: AIRecord = AIRecord()) {
    random = RandomStream(seed: seed, name: "phone.ai")
    self.personality = personality
    self.plan = plan
    self.record = record
  }

  package var nextDeadline: VirtualTime? {
    var next: VirtualTime?
    for request in record.requests {
      let at: VirtualTime
      if let retryAt = request.retryAt {
        guard isReachable, !isPaused else { continue }
        at = retryAt
      } else {
        at = request.deadline
      }
      next = min(next ?? at, at)
    }
    return next
  }

  package mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout [AIEffect]) {
    switch input {
    case .began:
      for request in record.requests where request.retryAt == nil && request.deadline > now {
        output.append(.askAgain(request))
      }
    case .asked(let call, let runId, let noteId, let body):
      ask(call, runId, noteId, body, at: now, into: &output)
    case .answered(let id, let status, let body): handleAnswer(id, status, body, at: now, into: &output)
    case .uplink(let isUp):
      // The first notice after a start is not a return.
      if isUp, wasDown {
        for index in record.requests.indices where record.requests[index].retryAt != nil {
          record.requests[index].retryAt = now
        }
      }
      isReachable = isUp
      wasDown = !isUp
    case .paused(let isPaused): self.isPaused = isPaused
    case .runEnded(let runId):
      for request in record.requests where request.call == .generateScript && request.runId == runId {
        record.requests.removeAll { $0.id == request.id }
        output.append(.forget(request.id))
        output.append(.dropped(request, why: "the run is over"))
      }
    case nil: fire(at: now, into: &output)
    }
  }

  // MARK: Asking

  private mutating func ask(
    _ call: EdgeCall, _ runId: Identifier, _ noteId: Identifier?, _ body: String, at now: VirtualTime,
    into output: inout [AIEffect]
  ) {
    let digest = AIRequest.digest(of: body)
    let request = AIRequest(
      id: attemptID(call, noteId ?? runId, at: now), call: call, runId: runId, noteId: noteId, body: body,
      digest: digest,
      requestedAt: now)
    if let answer = cached(request) { return output.append(.cached(request, answer)) }
    if record.requests.count >= Self.requestCountMax,
      let index = record.requests.firstIndex(where: { $0.retryAt != nil })
    {
      output.append(.dropped(record.requests.remove(at: index), why: "too many wait"))
    }
    record.requests.append(request)
    guard isPaused, call == .transcribe else { return output.append(.ask(request, replacing: nil)) }
    let index = record.requests.count - 1
    (record.requests[index].attempt, record.requests[index].retryAt) = (0, now)
    output.append(.wait(record.requests[index]))
  }

  /// Returns an id that is unique for call, subject and instant.
  private func attemptID(_ call: EdgeCall, _ subject: Identifier, at now: VirtualTime) -> Identifier {
    let what = RandomStream.key(subject.high ^ subject.low, UInt64(EdgeCall.allCases.firstIndex(of: call) ?? 0))
    return Identifier(random, for: RandomStream.key(what, UInt64(bitPattern: now.nanoseconds)))
  }

  private func cached(_ request: AIRequest) -> AIAnswer? {
    guard let found = record.cache.first(where: { $0.call == request.call && $0.digest == request.digest }),
      let node = try? JSONParser.parse(found.body, dialect: .json)
    else { return nil }
    return try? read(node, for: request)
  }

  /// Sends a queued request again.
  private mutating func retry(_ index: Int, at now: VirtualTime, into output: inout [AIEffect]) {
    let before = record.requests[index]
    if let answer = cached(before) {
      record.requests.remove(at: index)
      return output.append(.cached(before, answer))
    }
    var request = before
    request.id = attemptID(before.call, before.noteId ?? before.runId, at: now)
    request.requestedAt = now
    request.attempt += 1
    request.retryAt = nil
    record.requests[index] = request
    output.append(.ask(request, replacing: before.id))
  }

  // MARK: Answers

  private mutating func handleAnswer(
    _ id: Identifier, _ status: Int, _ body: JSONNode?, at now: VirtualTime, into output: inout [AIEffect]
  ) {
    if let index = record.requests.firstIndex(where: { $0.id == id && $0.retryAt == nil }) {
      guard !failedReplies.contains(id) else { return }
      let request = record.requests[index]
      do throws(AnswerError) {
        let answer = try answer(status, body, to: request)
        record.requests.remove(at: index)
        let kept = CachedAnswer(call: request.call, digest: request.digest, body: body?.value.compactText ?? "")
        record.add(kept)
        output.append(.answered(request, answer, kept))
      } catch {
        fail(index, error, at: now, into: &output)
      }
    } else if let index = overdue.firstIndex(where: { $0.id == id }) {
      let request = overdue.remove(at: index)
      guard let answer = try? answer(status, body, to: request) else { return }
      let kept = CachedAnswer(call: request.call, digest: request.digest, body: body?.value.compactText ?? "")
      record.add(kept)
      output.append(.late(request, answer, kept))
      // Queued requests for the same question are answered from the cache now.
      for index in record.requests.indices
      where record.requests[index].digest == request.digest && record.requests[index].retryAt != nil {
        record.requests[index].retryAt = now
      }
    }
  }

  /// Why an answer is unusable.
  private enum AnswerError: Error {
    /// The request failed, or the answer has the wrong shape.
    case failed(String)
    /// The validator refused the script, for these reasons.
    case refused([String])
  }

  private func answer(_ status: Int, _ body: JSONNode?, to request: AIRequest) throws(AnswerError) -> AIAnswer {
    guard status == 200 else { throw .failed("status \(status)") }
    guard let body else { throw .failed("the answer is no JSON") }
    return try read(body, for: request)
  }

  private func read(_ body: JSONNode, for request: AIRequest) throws(AnswerError) -> AIAnswer {
    switch request.call {
    case .generateScript:
      let response: GenerateScriptResponse = try readShape(body)
      do throws(EdgeScript.Refusal) {
        return .script(try EdgeScript.make(response, for: request, personality: personality, plan: plan))
      } catch {
        throw .refused(error.reasons)
      }
    case .chatReply: return .reply(try readShape(body))
    case .postRunSummary: return .summary(try readShape(body))
    case .transcribe: return .transcript(try readShape(body))
    case .insightsSync: throw .failed("it is no call of the coach")
    }
  }

  private func readShape<Shape: EdgeShape>(_ body: JSONNode) throws(AnswerError) -> Shape {
    do throws(Diagnostics) { return try Shape.reading(body) } catch {
      throw .failed(Self.summarize(error.list.map(\.message)))
    }
  }

  private static func summarize(_ reasons: [String]) -> String {
    guard let first = reasons.first else { return "it cannot be read" }
    return reasons.count == 1 ? first : "\(first) (and \(reasons.count - 1) more)"
  }

  // MARK: Failing

  private mutating func fail(
    _ index: Int, _ error: AnswerError, at now: VirtualTime, into output: inout [AIEffect]
  ) {
    let request = record.requests[index]
    switch error {
    case .failed(let why): fail(index, why, at: now, into: &output)
    case .refused(let reasons):
      record.requests.remove(at: index)
      output.append(.failed(request, why: "the script is refused: \(Self.summarize(reasons))", settled: true))
      guard var again = try? GenerateScriptRequest.reading(Array(request.body.utf8)), again.settings.refusals.isEmpty
      else { return output.append(.needsScript(runId: request.runId)) }
      again.settings.refusals = reasons
      // The corrected request may fail three more times; the athlete must not wait in silence for that.
      if request.attempt >= Self.scriptFailuresMax { output.append(.needsScript(runId: request.runId)) }
      ask(
        .generateScript, request.runId, nil, String(decoding: again.bytes, as: UTF8.self), at: now, into: &output)
    }
  }

  private mutating func fail(_ index: Int, _ why: String, at now: VirtualTime, into output: inout [AIEffect]) {
    guard record.requests[index].call != .chatReply else {
      // The stock line is due at the deadline, not earlier.
      failedReplies.append(record.requests[index].id)
      return output.append(.failed(record.requests[index], why: why, settled: false))
    }
    let id = record.requests[index].id
    record.requests[index].retryAt = now + RetryDelay.after(record.requests[index].attempt, of: id, random)
    let request = record.requests[index]
    output.append(.failed(request, why: why, settled: false))
    if request.call == .generateScript, request.attempt >= Self.scriptFailuresMax || !isReachable {
      output.append(.needsScript(runId: request.runId))
    }
  }

  private mutating func fire(at now: VirtualTime, into output: inout [AIEffect]) {
    var index = 0
    while index < record.requests.count {
      let request = record.requests[index]
      if let retryAt = request.retryAt {
        let count = record.requests.count
        if isReachable, !isPaused, retryAt <= now { retry(index, at: now, into: &output) }
        index += record.requests.count == count ? 1 : 0
        continue
      }
      guard request.deadline <= now else {
        index += 1
        continue
      }
      output.append(.forget(request.id))
      if let index = failedReplies.firstIndex(of: request.id) {
        failedReplies.remove(at: index)
      } else {
        overdue.append(request)
        if overdue.count > Self.overdueCountMax { overdue.removeFirst() }
      }
      if request.call == .chatReply {
        record.requests.remove(at: index)
        output.append(.fellBack(request))
      } else {
        let seconds = request.call.deadline.nanoseconds / 1_000_000_000
        fail(index, "no answer within \(seconds) s", at: now, into: &output)
        index += 1
      }
    }
  }
}

/// The backoff before a retry: 1 s, doubling up to 5 min.
///
/// Adds up to a quarter of random jitter from the seed, so that phones whose uplink failed together do not retry
/// together. Never exceeds 5 min.
enum RetryDelay {
  static let first = VirtualTime.Span.seconds(1)
  static let longest = VirtualTime.Span.seconds(300)

  /// The delay after the given number of attempts, at least 1.
  static func after(_ attempt: Int, of id: Identifier, _ random: RandomStream) -> VirtualTime.Span {
    let doublings = min(max(attempt - 1, 0), 9)
    let base = min(first.nanoseconds << Int64(doublings), longest.nanoseconds)
    let added = Int64(random.number(below: UInt64(base / 4), for: id.low))
    return VirtualTime.Span(nanoseconds: min(base + added, longest.nanoseconds))
  }
}

/// An order of the ``AIClient`` to the phone, or an outcome of a request.
package enum AIEffect: Sendable, Equatable {
  /// Store the request, replacing an earlier attempt, and send it.
  case ask(AIRequest, replacing: Identifier?)
  /// Store the request; it is sent for the first time after the race.
  case wait(AIRequest)
  /// Send a stored request again after a restart.
  case askAgain(AIRequest)
  /// The cache answered the request; nothing was sent.
  case cached(AIRequest, AIAnswer)
  /// The answer arrived in time. The request is settled; cache the answer.
  case answered(AIRequest, AIAnswer, CachedAnswer)
  /// No reply arrived in time: use a stock line.
  case fellBack(AIRequest)
  /// The answer arrived after its deadline.
  case late(AIRequest, AIAnswer, CachedAnswer)
  /// An attempt failed. It is retried at ``AIRequest/retryAt``, or final if `settled`.
  case failed(AIRequest, why: String, settled: Bool)
  /// No edge script arrived so far: the run needs the phone's own.
  case needsScript(runId: Identifier)
  /// The request was abandoned because its answer is no longer needed.
  case dropped(AIRequest, why: String)
  /// Stop transmitting this attempt.
  case forget(Identifier)
}

/// A validated answer of the edge.
package enum AIAnswer: Sendable, Equatable {
  /// A script that passed the validator.
  case script(Script)
  /// A reply to the athlete.
  case reply(ChatReplyResponse)
  case transcript(TranscribeResponse)
  /// A summary of a run.
  case summary(PostRunSummaryResponse)
}
