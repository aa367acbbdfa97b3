import CoachProtocol
import Link
import LinkStore

/// Tables of requests, answers, scripts and memory.
final class AITables {
  private let database: Database
  /// Named, because a migration changed their order.
  private static let scriptColumns =
    "id, runId, personality, generatedAt, model, inputDigest, branchPolicy, graceMeters, graceSeconds, source"

  init(_ database: Database) { self.database = database }

  private lazy var moveRequest = Statement(database, "UPDATE AIRequest SET id = ?1 WHERE id = ?2")
  private lazy var writeRequest = Statement(
    database,
    """
    INSERT INTO AIRequest VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO UPDATE SET call = ?2,
      runId = ?3, noteId = ?4, body = ?5, digest = ?6, requestedAt = ?7, attempt = ?8, retryAt = ?9
    """)
  private lazy var setRetry = Statement(database, "UPDATE AIRequest SET retryAt = ?1 WHERE id = ?2")
  private lazy var removeRequest = Statement(database, "DELETE FROM AIRequest WHERE id = ?1")
  private lazy var writeAnswer = Statement(database, "INSERT OR REPLACE INTO AICache VALUES (?1, ?2, ?3)")
  private lazy var forgetAnswers = Statement(
    database,
    """
    DELETE FROM AICache
    WHERE rowid NOT IN (SELECT rowid FROM AICache ORDER BY rowid DESC LIMIT \(CachedAnswer.countMax))
    """)
  private lazy var addReply = Statement(database, "INSERT INTO AiReply VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
  private lazy var setNoteReply = Statement(
    database, "UPDATE VoiceNote SET aiReplyId = ?1 WHERE id = ?2 AND aiReplyId IS NULL")
  private lazy var addWaiting = Statement(database, "INSERT INTO WaitingReply VALUES (?1, ?2, ?3, ?4)")
  private lazy var removeWaiting = Statement(database, "DELETE FROM WaitingReply WHERE replyId = ?1")
  /// A new run starts without waiting replies.
  lazy var clearWaiting = Statement(database, "DELETE FROM WaitingReply")
  private lazy var setPlayed = Statement(database, "UPDATE AiReply SET playedAt = ?1 WHERE id = ?2")
  private lazy var addScript = Statement(
    database,
    """
    INSERT INTO Script (place, \(Self.scriptColumns))
    VALUES ((SELECT coalesce(max(place), 0) + 1 FROM Script), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """)
  private lazy var addMessage = Statement(
    database,
    """
    INSERT INTO ScriptMessage VALUES ((SELECT max(place) FROM Script), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)
  private lazy var setSummary = Statement(database, "UPDATE Run SET summaryText = ?1 WHERE id = ?2")
  private lazy var writeMemory = Statement(
    database,
    """
    INSERT INTO UserMemory VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO UPDATE SET id = ?1, kind = ?2,
      value = ?4, confidence = ?5, source = ?6, updatedAt = ?7
    """)
  private lazy var readRequests = Statement(database, "SELECT * FROM AIRequest ORDER BY rowid")
  private lazy var readAnswers = Statement(database, "SELECT * FROM AICache ORDER BY rowid")
  private lazy var readReplies = Statement(database, "SELECT * FROM AiReply ORDER BY rowid")
  private lazy var readWaiting = Statement(database, "SELECT * FROM WaitingReply ORDER BY rowid")
  private lazy var readScript = Statement(
    database, "SELECT place, \(Self.scriptColumns) FROM Script ORDER BY place DESC LIMIT 1")
  private lazy var readMessages = Statement(database, "SELECT * FROM ScriptMessage WHERE script = ?1 ORDER BY place")
  private lazy var readMemory = Statement(database, "SELECT * FROM UserMemory ORDER BY rowid")

  // MARK: Writing

  func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .asked(let request, let old): try write(request, replacing: old)
    case .requestWaits(let id, let until): try setRetry.run(until.nanoseconds, id.text)
    case .requestSettled(let id): try removeRequest.run(id.text)
    case .answerCached(let answer):
      try writeAnswer.run(answer.call.rawValue, answer.digest, answer.body)
      try forgetAnswers.run()
    case .replyStored(let reply, let waiting): try add(reply, waiting)
    case .replySettled(let id, let playedAt):
      try removeWaiting.run(id.text)
      guard let playedAt else { return }
      try setPlayed.run(playedAt.nanoseconds, id.text)
    case .scriptStored(let script, let source): try add(script, source)
    case .runSummarised(let id, let text): try setSummary.run(text, id.text)
    case .remembered(let row): try write(row)
    default: preconditionFailure("\(change) is none of the coach's questions")
    }
  }

  private func write(_ request: AIRequest, replacing old: Identifier?) throws(StoreError) {
    if let old { try moveRequest.run(request.id.text, old.text) }
    try writeRequest.run(
      request.id.text, request.call.rawValue, request.runId.text, request.noteId?.text, request.body, request.digest,
      request.requestedAt.nanoseconds, request.attempt, request.retryAt?.nanoseconds)
  }

  private func add(_ reply: AIReply, _ waiting: WaitingReply?) throws(StoreError) {
    try addReply.run(
      reply.id.text, reply.noteId.text, reply.text, reply.requestedAt.nanoseconds, reply.respondedAt?.nanoseconds,
      reply.playedAt?.nanoseconds, reply.model, reply.costUSD)
    try setNoteReply.run(reply.id.text, reply.noteId.text)
    guard let waiting else { return }
    try addWaiting.run(waiting.id.text, waiting.words, waiting.arrivedAt.nanoseconds, waiting.dueSince)
  }

  private func add(_ script: Script, _ source: ScriptSource) throws(StoreError) {
    try addScript.run(
      script.id, script.runId, script.personality, script.generatedAt, script.model, script.inputDigest,
      script.branchPolicy.rawValue, script.grace.meters, script.grace.seconds, source.rawValue)
    for (index, message) in script.messages.enumerated() {
      try addMessage.run(
        index, message.id, message.trigger.specification.compactText, message.text, message.branchKey,
        message.prerenderedAudioPath, message.priority, message.playOnce ? 1 : 0)
    }
  }

  private func write(_ row: UserMemory) throws(StoreError) {
    try writeMemory.run(
      row.id.text, row.fact.kind.rawValue, row.fact.key, row.valueText, row.fact.confidence, row.fact.source.rawValue,
      row.updatedAt)
  }

  // MARK: Reading

  func load(into record: inout PhoneRecord) throws(StoreError) {
    record.ai.requests = try loadRequests()
    record.ai.cache = try readAnswers.load { (row) throws(StoreError) in
      guard let call = EdgeCall(rawValue: row.text(0)) else {
        throw StoreError(.corrupt, "a kept answer of the store has no kind")
      }
      return CachedAnswer(call: call, digest: row.text(1), body: row.text(2))
    }
    record.replies = try loadReplies()
    record.waitingReplies = try readWaiting.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)) else {
        throw StoreError(.corrupt, "a waiting reply of the store has no identifier")
      }
      return WaitingReply(
        id: id, words: Int(try row.int64(1, in: 0...Int64(Int32.max))),
        arrivedAt: VirtualTime(nanoseconds: row.int64(2)), dueSince: try row.count(3))
    }
    record.script = try loadScript()
    record.memory = try loadMemory()
  }

  private func loadRequests() throws(StoreError) -> [AIRequest] {
    try readRequests.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)), let call = EdgeCall(rawValue: row.text(1)),
        let runId = Identifier(text: row.text(2))
      else { throw StoreError(.corrupt, "a question of the store has no identifier, kind or run") }
      return AIRequest(
        id: id, call: call, runId: runId, noteId: Identifier(text: row.text(3)), body: row.text(4),
        digest: row.text(5), requestedAt: VirtualTime(nanoseconds: row.int64(6)), attempt: Int(try row.count(7)),
        retryAt: row.optionalTime(8))
    }
  }

  private func loadReplies() throws(StoreError) -> [AIReply] {
    try readReplies.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)), let noteId = Identifier(text: row.text(1)) else {
        throw StoreError(.corrupt, "a reply of the store has no identifier or note")
      }
      return AIReply(
        id: id, noteId: noteId, text: row.text(2), requestedAt: VirtualTime(nanoseconds: row.int64(3)),
        respondedAt: row.optionalTime(4), playedAt: row.optionalTime(5), model: row.text(6),
        costUSD: row.isNull(7) ? nil : try row.double(7, in: 0...1e9))
    }
  }

  private func loadScript() throws(StoreError) -> StoredScript? {
    let found = try readScript.load { (row) throws(StoreError) in
      let members = JSONMember.list([
        "id": row.optionalText(1), "runId": row.optionalText(2), "personality": row.optionalText(3),
        "generatedAt": row.optionalText(4), "model": row.optionalText(5), "inputDigest": row.optionalText(6),
        "branchPolicy": row.optionalText(7), "grace": Grace(meters: row.double(8), seconds: row.double(9)).json,
      ])
      guard let source = ScriptSource(rawValue: row.text(10)) else {
        throw StoreError(.corrupt, "a script of the store has no source")
      }
      return (index: row.int64(0), members: members, source: source)
    }
    guard var found = found.first else { return nil }
    found.members.append(JSONMember("messages", .array(try loadMessages(of: found.index))))
    let collector = DiagnosticsCollector(file: "script")
    let script = Script(JSONValueReader(JSONNode(.object(found.members)), into: collector))
    guard let script, !collector.diagnostics.hasErrors else {
      throw StoreError(.corrupt, "the script in the store: \(collector.diagnostics)")
    }
    return StoredScript(script: script, source: found.source)
  }

  private func loadMessages(of script: Int64) throws(StoreError) -> [JSONNode] {
    var messages: [JSONNode] = []
    readMessages.bind(script)
    try readMessages.forEachRow { (row) throws(StoreError) in
      guard let spec = try? JSONParser.parse(row.text(3), dialect: .json) else {
        throw StoreError(.corrupt, "line \(messages.count + 1) of the store's script has no trigger")
      }
      let message = JSONValue.object(of: [
        "id": row.text(2), "triggerSpec": spec.value.withoutPositions, "text": row.text(4),
        "branchKey": row.optionalText(5), "prerenderedAudioPath": row.optionalText(6), "priority": row.int64(7),
        "playOnce": row.int64(8) != 0,
      ])
      messages.append(JSONNode(message))
    }
    return messages
  }

  private func loadMemory() throws(StoreError) -> [UserMemory] {
    try readMemory.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)), let kind = MemoryKind(rawValue: row.text(1)),
        let value = try? JSONParser.parse(row.text(3), dialect: .json), let source = MemorySource(rawValue: row.text(5))
      else {
        throw StoreError(.corrupt, "what the store knows of the runner has no identifier, kind, value or source")
      }
      let fact = MemoryFact(
        kind: kind, key: row.text(2), value: value.value.withoutPositions, confidence: row.double(4), source: source)
      return UserMemory(id: id, fact: fact, updatedAt: row.int64(6))
    }
  }
}
