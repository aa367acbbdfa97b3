package import CoachProtocol
package import Link

/// An unsettled request to the edge: it awaits its answer or its retry.
package struct AIRequest: Sendable, Equatable {
  /// Identifies this attempt; retries get new ids because the edge answers one id with one answer.
  package var id: Identifier
  package var call: EdgeCall
  package var runId: Identifier
  /// The voice note to reply to; nil for other calls.
  package var noteId: Identifier?
  /// The request's JSON, keys in canonical order.
  package var body: String
  package var digest: String
  /// When this attempt was sent.
  package var requestedAt: VirtualTime
  /// Counted from 1.
  package var attempt = 1
  /// When it is retried; nil while its answer is awaited.
  package var retryAt: VirtualTime?

  /// The last instant at which an answer is in time.
  package var deadline: VirtualTime { requestedAt + call.deadline }

  /// SHA-256 of a body, 64 hexadecimal digits.
  package static func digest(of body: String) -> String { Digest.text(Digest.sha256(Array(body.utf8))) }

  /// An event about this attempt; `fill` sets the other fields.
  func event<Kind: AttemptEvent>(
    _ kind: Kind.Type, at now: VirtualTime, _ fill: (inout Kind) -> Void = { _ in }
  ) -> TraceEvent {
    TraceEvent(kind, at: now, on: .phone) {
      $0.id = id
      $0.kind = call.rawValue
      fill(&$0)
    }
  }

  /// The event of its being sent.
  func requestedEvent(at now: VirtualTime) -> TraceEvent {
    event(AIRequested.self, at: now) {
      $0.digest = EventDigest(bits: UInt64(digest.prefix(16), radix: 16) ?? 0)
      $0.runId = runId
      $0.note = noteId
      $0.attempt = attempt > 1 ? Int64(attempt) : nil
    }
  }
}

/// An answer stored for repetitions of its question.
package struct CachedAnswer: Sendable, Equatable {
  package var call: EdgeCall
  /// The question's ``AIRequest/digest``.
  package var digest: String
  /// The answer's JSON.
  package var body: String

  /// Limit of the cache; beyond it the oldest answer is evicted.
  package static let countMax = 32
}

/// The client's state that survives restarts.
package struct AIRecord: Sendable, Equatable {
  /// Unsettled requests, in the order of their first attempts.
  package var requests: [AIRequest] = []
  /// Cached answers, oldest first, at most one for each question.
  package var cache: [CachedAnswer] = []

  /// Caches an answer, replacing one to the same question; evicts the oldest beyond the limit.
  mutating func add(_ answer: CachedAnswer) {
    cache.remove(answer.rowKey)
    cache.append(answer)
    if cache.count > CachedAnswer.countMax { cache.removeFirst() }
  }
}

extension AIRequest: StoredRow, PhoneRow {
  static let table = StoredTable(
    "AIRequest",
    blank: AIRequest(id: .blank, call: .chatReply, runId: .blank, body: "", digest: "", requestedAt: .start),
    [
      StoredColumn("id", \.id), StoredColumn("call", \.call), StoredColumn("runId", \.runId),
      StoredColumn("noteId", \.noteId), StoredColumn("body", \.body), StoredColumn("digest", \.digest),
      StoredColumn("requestedAt", \.requestedAt), StoredColumn("attempt", \.attempt, in: .counts),
      StoredColumn("retryAt", \.retryAt),
    ])
  static var inRecord: Place { \.ai.requests }
  var rowKey: Identifier { id }
}

extension CachedAnswer: StoredRow, PhoneRow {
  struct Key: RowKey {
    var call: EdgeCall
    var digest: String
    var cells: [StoredValue] { [call.cell, digest.cell] }
  }

  static let table = StoredTable(
    "AICache", keyCount: 2, blank: CachedAnswer(call: .chatReply, digest: "", body: ""),
    [StoredColumn("call", \.call), StoredColumn("digest", \.digest), StoredColumn("body", \.body)])
  static var inRecord: Place { \.ai.cache }
  var rowKey: Key { Key(call: call, digest: digest) }
}

/// Builds a run's script from an edge response, using the common validator.
enum EdgeScript {
  /// The validator's errors, in the order of detection.
  struct Refusal: Error, Equatable {
    /// One message with its path each; never empty.
    var reasons: [String]
  }

  /// Reads and validates a script.
  ///
  /// The response has no branch policy: a script in which a line or trigger has a branch key is branched.
  ///
  /// - Throws: All errors.
  static func make(
    _ response: GenerateScriptResponse, for request: AIRequest, personality: String, plan: Plan
  ) throws(Refusal) -> Script {
    let isBranched = response.messages.contains { $0.branchKey != nil || hasBranch($0.triggerSpec) }
    guard !response.messages.isEmpty else { throw Refusal(reasons: ["messages: found none, expected a line"]) }
    let json = JSONValue.object(of: [
      "id": response.scriptId, "runId": request.runId.text, "personality": personality, "model": "edge",
      "inputDigest": String(request.digest.prefix(16)),
      "branchPolicy": (isBranched ? BranchPolicy.branched : .linear).rawValue, "messages": response.messages,
    ])
    let collector = DiagnosticsCollector(file: "script")
    let script = ScriptValidator.read(JSONValueReader(JSONNode(json), into: collector), plan: plan)
    let errors = collector.diagnostics.list.filter { $0.severity == .error }
    guard let script, errors.isEmpty else {
      throw Refusal(reasons: errors.prefix(CoachSettings.refusalCountMax).map(\.message))
    }
    return script
  }

  private static func hasBranch(_ spec: JSONValue) -> Bool {
    guard case .object(let members) = spec else { return false }
    return members.contains { $0.key == "branchKey" }
  }
}
