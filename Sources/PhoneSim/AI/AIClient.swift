package import CoachProtocol
package import Link

/// Asks the edge, and sees to it that every question comes to something.
///
/// * An answer counts until its call's deadline, that instant included: 30 s for a script, 8 s for a reply to the runner,
///   60 s for a summary.
/// * A question to which no reply came in time, or a failed one, falls back at exactly 8 s and is not asked again; a reply
///   that comes later is told of all the same.
/// * A failed script or summary waits in a queue and is asked again after ``RetryDelay``, each time under a new name.
///   While the uplink is known to be down nothing leaves the queue; when it returns, all of it does at once.
/// * A script that the validator refuses is asked for once more with the reasons in the request. When that one is refused
///   too, when three attempts have failed, or when one failed with the uplink down, the run needs a script of the phone's
///   own; the queue goes on, so that a script may still come in mid-run.
/// * The same question, by the digest of its body, is answered from the cache. A script or summary that comes too late goes
///   there, and its next attempt finds it.
package struct AIClient: Machine {
  /// What can happen to the client.
  package enum Input: Sendable, Equatable {
    /// The phone's process began: what was awaited is sent again.
    case began
    /// Something is to be asked, about a run and maybe a note of it.
    case asked(EdgeCall, runId: Identifier, noteId: Identifier?, body: String)
    /// An answer came to the attempt of this name; the body is nil where it was no JSON.
    case answered(Identifier, status: Int, body: JSONNode?)
    /// The phone learnt that the uplink is there, or is gone.
    case uplink(isUp: Bool)
    /// A race begins, in which nothing may be asked, or is over.
    case held(Bool)
    /// A run is over: its script is of no use any more.
    case runEnded(Identifier)
  }

  /// Failed attempts after which a run gets a script of the phone's own.
  package static let scriptFailuresMax = 3
  /// Questions that are not settled, at most; past that the oldest that waits is given up.
  package static let requestCountMax = 100
  /// Attempts that failed by their deadline and whose late answers are still known.
  private static let overdueCountMax = 16

  /// What the phone's store keeps.
  package private(set) var record: AIRecord
  /// Whether the uplink is there, as far as the phone knows.
  package private(set) var isReachable = false

  /// Whether the phone was told that the uplink is gone, and not yet that it is back.
  private var wasDown = false
  private let random: RandomStream
  private let personality: String
  private let plan: Plan
  private var isHeld = false
  /// Attempts that are answered, with an error, and wait for their deadline.
  private var broken: [Identifier] = []
  private var overdue: [AIRequest] = []

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - seed: The run's seed.
  ///   - personality: Which coach speaks, by name.
  ///   - plan: What the runner set out to do: scripts are validated against it.
  ///   - record: What its store kept.
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
        guard isReachable, !isHeld else { continue }
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
    case .answered(let id, let status, let body): take(id, status, body, at: now, into: &output)
    case .uplink(let isUp):
      // What a fresh start learns first is no return.
      if isUp, wasDown {
        for place in record.requests.indices where record.requests[place].retryAt != nil {
          record.requests[place].retryAt = now
        }
      }
      isReachable = isUp
      wasDown = !isUp
    case .held(let isHeld): self.isHeld = isHeld
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
      id: name(call, noteId ?? runId, at: now), call: call, runId: runId, noteId: noteId, body: body, digest: digest,
      requestedAt: now)
    if let answer = cached(request) { return output.append(.cached(request, answer)) }
    if record.requests.count >= Self.requestCountMax,
      let place = record.requests.firstIndex(where: { $0.retryAt != nil })
    {
      output.append(.dropped(record.requests.remove(at: place), why: "too many wait"))
    }
    record.requests.append(request)
    output.append(.ask(request, replacing: nil))
  }

  /// Names an attempt: no two at one instant ask the same about the same.
  private func name(_ call: EdgeCall, _ subject: Identifier, at now: VirtualTime) -> Identifier {
    let what = RandomStream.key(subject.high ^ subject.low, UInt64(EdgeCall.allCases.firstIndex(of: call) ?? 0))
    return Identifier(random, for: RandomStream.key(what, UInt64(bitPattern: now.nanoseconds)))
  }

  private func cached(_ request: AIRequest) -> AIAnswer? {
    guard let found = record.cache.first(where: { $0.call == request.call && $0.digest == request.digest }),
      let node = try? JSONParser.parse(found.body, dialect: .json)
    else { return nil }
    return try? read(node, for: request)
  }

  /// Asks again what has waited long enough.
  private mutating func retry(_ place: Int, at now: VirtualTime, into output: inout [AIEffect]) {
    let before = record.requests[place]
    if let answer = cached(before) {
      record.requests.remove(at: place)
      return output.append(.cached(before, answer))
    }
    var request = before
    request.id = name(before.call, before.noteId ?? before.runId, at: now)
    request.requestedAt = now
    request.attempt += 1
    request.retryAt = nil
    record.requests[place] = request
    output.append(.ask(request, replacing: before.id))
  }

  // MARK: Answers

  private mutating func take(
    _ id: Identifier, _ status: Int, _ body: JSONNode?, at now: VirtualTime, into output: inout [AIEffect]
  ) {
    if let place = record.requests.firstIndex(where: { $0.id == id && $0.retryAt == nil }) {
      guard !broken.contains(id) else { return }
      let request = record.requests[place]
      do throws(Objection) {
        let answer = try answer(status, body, to: request)
        record.requests.remove(at: place)
        let kept = CachedAnswer(call: request.call, digest: request.digest, body: Self.text(body))
        record.add(kept)
        output.append(.answered(request, answer, kept))
      } catch {
        fail(place, error, at: now, into: &output)
      }
    } else if let place = overdue.firstIndex(where: { $0.id == id }) {
      let request = overdue.remove(at: place)
      guard let answer = try? answer(status, body, to: request) else { return }
      let kept = CachedAnswer(call: request.call, digest: request.digest, body: Self.text(body))
      record.add(kept)
      output.append(.late(request, answer, kept))
      // What waits to be asked again is answered by it now.
      for place in record.requests.indices
      where record.requests[place].digest == request.digest && record.requests[place].retryAt != nil {
        record.requests[place].retryAt = now
      }
    }
  }

  /// Why an answer is none.
  private enum Objection: Error {
    /// It failed, or is not what was asked for.
    case failed(String)
    /// A script that the validator refuses.
    case refused([String])
  }

  private func answer(_ status: Int, _ body: JSONNode?, to request: AIRequest) throws(Objection) -> AIAnswer {
    guard status == 200 else { throw .failed("status \(status)") }
    guard let body else { throw .failed("the answer is no JSON") }
    return try read(body, for: request)
  }

  private func read(_ body: JSONNode, for request: AIRequest) throws(Objection) -> AIAnswer {
    switch request.call {
    case .generateScript:
      let response: GenerateScriptResponse = try shape(body)
      do throws(EdgeScript.Refusal) {
        return .script(try EdgeScript.make(response, for: request, personality: personality, plan: plan))
      } catch {
        throw .refused(error.reasons)
      }
    case .chatReply: return .reply(try shape(body))
    case .postRunSummary: return .summary(try shape(body))
    }
  }

  private func shape<Shape: EdgeShape>(_ body: JSONNode) throws(Objection) -> Shape {
    do throws(Diagnostics) { return try Shape.reading(body) } catch {
      throw .failed(Self.words(error.list.map(\.message)))
    }
  }

  private static func words(_ reasons: [String]) -> String {
    guard let first = reasons.first else { return "it cannot be read" }
    return reasons.count == 1 ? first : "\(first) (and \(reasons.count - 1) more)"
  }

  private static func text(_ body: JSONNode?) -> String {
    body.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } ?? ""
  }

  // MARK: Failing

  private mutating func fail(
    _ place: Int, _ objection: Objection, at now: VirtualTime, into output: inout [AIEffect]
  ) {
    let request = record.requests[place]
    switch objection {
    case .failed(let why): fail(place, why, at: now, into: &output)
    case .refused(let reasons):
      record.requests.remove(at: place)
      output.append(.failed(request, why: "the script is refused: \(Self.words(reasons))", settled: true))
      guard var again = try? GenerateScriptRequest.reading(Array(request.body.utf8)), again.settings.refusals.isEmpty
      else { return output.append(.needsScript(runId: request.runId)) }
      again.settings.refusals = reasons
      // It is a question of its own, which may fail three times again: nobody waits in silence for that.
      if request.attempt >= Self.scriptFailuresMax { output.append(.needsScript(runId: request.runId)) }
      ask(
        .generateScript, request.runId, nil, String(decoding: again.bytes, as: UTF8.self), at: now, into: &output)
    }
  }

  private mutating func fail(_ place: Int, _ why: String, at now: VirtualTime, into output: inout [AIEffect]) {
    guard record.requests[place].call != .chatReply else {
      // The stock line comes when the answer would have been too late, not sooner.
      broken.append(record.requests[place].id)
      return output.append(.failed(record.requests[place], why: why, settled: false))
    }
    let id = record.requests[place].id
    record.requests[place].retryAt = now + RetryDelay.after(record.requests[place].attempt, of: id, random)
    let request = record.requests[place]
    output.append(.failed(request, why: why, settled: false))
    if request.call == .generateScript, request.attempt >= Self.scriptFailuresMax || !isReachable {
      output.append(.needsScript(runId: request.runId))
    }
  }

  private mutating func fire(at now: VirtualTime, into output: inout [AIEffect]) {
    var place = 0
    while place < record.requests.count {
      let request = record.requests[place]
      if let retryAt = request.retryAt {
        let count = record.requests.count
        if isReachable, !isHeld, retryAt <= now { retry(place, at: now, into: &output) }
        place += record.requests.count == count ? 1 : 0
        continue
      }
      guard request.deadline <= now else {
        place += 1
        continue
      }
      output.append(.forget(request.id))
      if let index = broken.firstIndex(of: request.id) {
        broken.remove(at: index)
      } else {
        overdue.append(request)
        if overdue.count > Self.overdueCountMax { overdue.removeFirst() }
      }
      if request.call == .chatReply {
        record.requests.remove(at: place)
        output.append(.fellBack(request))
      } else {
        let seconds = request.call.deadline.nanoseconds / 1_000_000_000
        fail(place, "no answer within \(seconds) s", at: now, into: &output)
        place += 1
      }
    }
  }
}
