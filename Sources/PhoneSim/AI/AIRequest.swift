package import CoachProtocol
package import Link

/// One question to the edge that is not settled: its answer is awaited, or it waits to be asked again.
package struct AIRequest: Sendable, Equatable {
  /// Names this attempt; each attempt has a name of its own, as the edge answers one name with one answer.
  package var id: Identifier
  /// What is asked.
  package var call: EdgeCall
  /// The run it is about.
  package var runId: Identifier
  /// The voice note that is answered; nil where it is not about one.
  package var noteId: Identifier?
  /// What goes out, as JSON with its keys in their order.
  package var body: String
  /// SHA-256 of ``body``, 64 hexadecimal digits.
  package var digest: String
  /// When this attempt was made.
  package var requestedAt: VirtualTime
  /// Which attempt this is, from 1.
  package var attempt: Int
  /// When it is asked again; nil while its answer is awaited.
  package var retryAt: VirtualTime?

  /// Creates a question.
  package init(
    id: Identifier, call: EdgeCall, runId: Identifier, noteId: Identifier? = nil, body: String, digest: String,
    requestedAt: VirtualTime, attempt: Int = 1, retryAt: VirtualTime? = nil
  ) {
    self.id = id
    self.call = call
    self.runId = runId
    self.noteId = noteId
    self.body = body
    self.digest = digest
    self.requestedAt = requestedAt
    self.attempt = attempt
    self.retryAt = retryAt
  }

  /// When an answer comes too late; one at that very instant is in time.
  package var deadline: VirtualTime { requestedAt + call.deadline }

  /// The digest of a body.
  package static func digest(of body: String) -> String { Digest.text(Digest.sha256(Array(body.utf8))) }

  /// A line about this attempt: `id` and `kind`, then what is added.
  func event(_ name: TraceEvent.Name, _ more: [TraceEvent.Field] = [], at now: VirtualTime) -> TraceEvent {
    TraceEvent(
      name, at: now, on: .phone,
      [TraceEvent.Field("id", id.traceValue), TraceEvent.Field("kind", .string(call.rawValue))] + more)
  }

  /// The line that says that it was asked.
  func requestedEvent(at now: VirtualTime) -> TraceEvent {
    var fields = [
      TraceEvent.Field("digest", .string(String(digest.prefix(16)))), TraceEvent.Field("runId", runId.traceValue),
    ]
    if let noteId { fields.append(TraceEvent.Field("note", noteId.traceValue)) }
    if attempt > 1 { fields.append(TraceEvent.Field("attempt", .int(Int64(attempt)))) }
    return event("ai.requested", fields, at: now)
  }
}

/// An answer that is kept to be given again to the same question.
package struct CachedAnswer: Sendable, Equatable {
  /// What was asked.
  package var call: EdgeCall
  /// The question's ``AIRequest/digest``.
  package var digest: String
  /// The answer as JSON.
  package var body: String

  /// Answers kept, at most; past that the oldest goes.
  package static let countMax = 32

  /// Creates an answer.
  package init(call: EdgeCall, digest: String, body: String) {
    self.call = call
    self.digest = digest
    self.body = body
  }
}

/// What the client keeps over restarts.
package struct AIRecord: Sendable, Equatable {
  /// The questions that are not settled, in the order in which they were first asked.
  package var requests: [AIRequest] = []
  /// Answers, the oldest first; no two of one question.
  package var cache: [CachedAnswer] = []

  /// Nothing was asked.
  package init() {}

  /// Adds a question, or puts it in the place of the attempt before it.
  mutating func set(_ request: AIRequest, replacing old: Identifier?) {
    if let place = requests.firstIndex(where: { $0.id == old ?? request.id }) {
      requests[place] = request
    } else {
      requests.append(request)
    }
  }

  /// Keeps an answer, in the place of an older one to the same question; beyond the most that are kept the oldest goes.
  mutating func add(_ answer: CachedAnswer) {
    cache.removeAll { $0.call == answer.call && $0.digest == answer.digest }
    cache.append(answer)
    if cache.count > CachedAnswer.countMax { cache.removeFirst() }
  }
}
