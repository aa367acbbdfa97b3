import CoachProtocol
import Link
import LinkStore

/// Tables of requests, answers, scripts and memory.
struct AITables {
  private let moveRequest: Statement
  private let writeRequest: Statement
  private let setRetry: Statement
  private let removeRequest: Statement
  private let writeAnswer: Statement
  private let forgetAnswers: Statement
  private let addReply: Statement
  private let setNoteReply: Statement
  private let addWaiting: Statement
  private let removeWaiting: Statement
  /// A new run starts without waiting replies.
  let clearWaiting: Statement
  private let setPlayed: Statement
  private let addScript: Statement
  private let addMessage: Statement
  private let setSummary: Statement
  private let writeMemory: Statement

  private let readRequests: Statement
  private let readAnswers: Statement
  private let readReplies: Statement
  private let readWaiting: Statement
  private let readScript: Statement
  private let readMessages: Statement
  private let readMemory: Statement

  /// Named, because a migration changed their order.
  private static let scriptColumns =
    "id, runId, personality, generatedAt, model, inputDigest, branchPolicy, graceMeters, graceSeconds, source"

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    moveRequest = statement("UPDATE AIRequest SET id = ?1 WHERE id = ?2")
    writeRequest = statement(
      """
      INSERT INTO AIRequest VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO UPDATE SET call = ?2,
        runId = ?3, noteId = ?4, body = ?5, digest = ?6, requestedAt = ?7, attempt = ?8, retryAt = ?9
      """)
    setRetry = statement("UPDATE AIRequest SET retryAt = ?1 WHERE id = ?2")
    removeRequest = statement("DELETE FROM AIRequest WHERE id = ?1")
    writeAnswer = statement("INSERT OR REPLACE INTO AICache VALUES (?1, ?2, ?3)")
    forgetAnswers = statement(
      """
      DELETE FROM AICache
      WHERE rowid NOT IN (SELECT rowid FROM AICache ORDER BY rowid DESC LIMIT \(CachedAnswer.countMax))
      """)
    addReply = statement("INSERT INTO AiReply VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    setNoteReply = statement("UPDATE VoiceNote SET aiReplyId = ?1 WHERE id = ?2 AND aiReplyId IS NULL")
    addWaiting = statement("INSERT INTO WaitingReply VALUES (?1, ?2, ?3, ?4)")
    removeWaiting = statement("DELETE FROM WaitingReply WHERE replyId = ?1")
    clearWaiting = statement("DELETE FROM WaitingReply")
    setPlayed = statement("UPDATE AiReply SET playedAt = ?1 WHERE id = ?2")
    addScript = statement(
      """
      INSERT INTO Script (place, \(Self.scriptColumns))
      VALUES ((SELECT coalesce(max(place), 0) + 1 FROM Script), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    addMessage = statement(
      """
      INSERT INTO ScriptMessage VALUES ((SELECT max(place) FROM Script), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    setSummary = statement("UPDATE Run SET summaryText = ?1 WHERE id = ?2")
    writeMemory = statement(
      """
      INSERT INTO UserMemory VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO UPDATE SET id = ?1, kind = ?2,
        value = ?4, confidence = ?5, source = ?6, updatedAt = ?7
      """)
    readRequests = statement("SELECT * FROM AIRequest ORDER BY rowid")
    readAnswers = statement("SELECT * FROM AICache ORDER BY rowid")
    readReplies = statement("SELECT * FROM AiReply ORDER BY rowid")
    readWaiting = statement("SELECT * FROM WaitingReply ORDER BY rowid")
    readScript = statement("SELECT place, \(Self.scriptColumns) FROM Script ORDER BY place DESC LIMIT 1")
    readMessages = statement("SELECT * FROM ScriptMessage WHERE script = ?1 ORDER BY place")
    readMemory = statement("SELECT * FROM UserMemory ORDER BY rowid")
  }

  // MARK: Writing

  func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .asked(let request, let old): try write(request, replacing: old)
    case .requestWaits(let id, let until):
      setRetry.bind(until.nanoseconds, at: 1)
      setRetry.bind(id.text, at: 2)
      try setRetry.run()
    case .requestSettled(let id):
      removeRequest.bind(id.text, at: 1)
      try removeRequest.run()
    case .answerCached(let answer):
      writeAnswer.bind(answer.call.rawValue, at: 1)
      writeAnswer.bind(answer.digest, at: 2)
      writeAnswer.bind(answer.body, at: 3)
      try writeAnswer.run()
      try forgetAnswers.run()
    case .replyStored(let reply, let waiting): try add(reply, waiting)
    case .replySettled(let id, let playedAt):
      removeWaiting.bind(id.text, at: 1)
      try removeWaiting.run()
      guard let playedAt else { return }
      setPlayed.bind(playedAt.nanoseconds, at: 1)
      setPlayed.bind(id.text, at: 2)
      try setPlayed.run()
    case .scriptStored(let script, let source): try add(script, source)
    case .runSummarised(let id, let text):
      setSummary.bind(text, at: 1)
      setSummary.bind(id.text, at: 2)
      try setSummary.run()
    case .remembered(let row): try write(row)
    case .consumer, .scriptLoaded, .runOpened, .runNamed, .runEnded, .runFinished, .position, .line, .branch, .played,
      .ended, .interrupted, .silenced, .muted, .audioTaken, .recordingBegan, .recordingEnded, .noteStored,
      .noteTranscribed, .ingestion, .daily, .training, .secondTraining, .runRemarked, .runCached, .runRestored,
      .raceStored, .wiped:
      preconditionFailure("\(change) is none of the coach's questions")
    }
  }

  private func write(_ request: AIRequest, replacing old: Identifier?) throws(StoreError) {
    if let old {
      moveRequest.bind(request.id.text, at: 1)
      moveRequest.bind(old.text, at: 2)
      try moveRequest.run()
    }
    writeRequest.bind(request.id.text, at: 1)
    writeRequest.bind(request.call.rawValue, at: 2)
    writeRequest.bind(request.runId.text, at: 3)
    writeRequest.bind(request.noteId?.text, at: 4)
    writeRequest.bind(request.body, at: 5)
    writeRequest.bind(request.digest, at: 6)
    writeRequest.bind(request.requestedAt.nanoseconds, at: 7)
    writeRequest.bind(request.attempt, at: 8)
    writeRequest.bind(request.retryAt?.nanoseconds, at: 9)
    try writeRequest.run()
  }

  private func add(_ reply: AIReply, _ waiting: WaitingReply?) throws(StoreError) {
    addReply.bind(reply.id.text, at: 1)
    addReply.bind(reply.noteId.text, at: 2)
    addReply.bind(reply.text, at: 3)
    addReply.bind(reply.requestedAt.nanoseconds, at: 4)
    addReply.bind(reply.respondedAt?.nanoseconds, at: 5)
    addReply.bind(reply.playedAt?.nanoseconds, at: 6)
    addReply.bind(reply.model, at: 7)
    addReply.bind(reply.costUSD, at: 8)
    try addReply.run()
    setNoteReply.bind(reply.id.text, at: 1)
    setNoteReply.bind(reply.noteId.text, at: 2)
    try setNoteReply.run()
    guard let waiting else { return }
    addWaiting.bind(waiting.id.text, at: 1)
    addWaiting.bind(waiting.words, at: 2)
    addWaiting.bind(waiting.arrivedAt.nanoseconds, at: 3)
    addWaiting.bind(waiting.dueSince, at: 4)
    try addWaiting.run()
  }

  private func add(_ script: Script, _ source: ScriptSource) throws(StoreError) {
    addScript.bind(script.id, at: 1)
    addScript.bind(script.runId, at: 2)
    addScript.bind(script.personality, at: 3)
    addScript.bind(script.generatedAt, at: 4)
    addScript.bind(script.model, at: 5)
    addScript.bind(script.inputDigest, at: 6)
    addScript.bind(script.branchPolicy.rawValue, at: 7)
    addScript.bind(script.grace.meters, at: 8)
    addScript.bind(script.grace.seconds, at: 9)
    addScript.bind(source.rawValue, at: 10)
    try addScript.run()
    for (index, message) in script.messages.enumerated() {
      addMessage.bind(index, at: 1)
      addMessage.bind(message.id, at: 2)
      addMessage.bind(Self.text(message.trigger.specification), at: 3)
      addMessage.bind(message.text, at: 4)
      addMessage.bind(message.branchKey, at: 5)
      addMessage.bind(message.prerenderedAudioPath, at: 6)
      addMessage.bind(message.priority, at: 7)
      addMessage.bind(message.playOnce ? 1 : 0, at: 8)
      try addMessage.run()
    }
  }

  private func write(_ row: UserMemory) throws(StoreError) {
    writeMemory.bind(row.id.text, at: 1)
    writeMemory.bind(row.fact.kind.rawValue, at: 2)
    writeMemory.bind(row.fact.key, at: 3)
    writeMemory.bind(row.valueText, at: 4)
    writeMemory.bind(row.fact.confidence, at: 5)
    writeMemory.bind(row.fact.source.rawValue, at: 6)
    writeMemory.bind(row.updatedAt, at: 7)
    try writeMemory.run()
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self)
  }

  // MARK: Reading

  func load(into record: inout PhoneRecord) throws(StoreError) {
    record.ai.requests = try loadRequests()
    record.ai.cache = try loadAnswers()
    try loadReplies(into: &record)
    record.script = try loadScript()
    record.memory = try loadMemory()
  }

  private func loadRequests() throws(StoreError) -> [AIRequest] {
    var requests: [AIRequest] = []
    let row = readRequests
    while try row.step() {
      guard let id = Identifier(text: row.text(0)), let call = EdgeCall(rawValue: row.text(1)),
        let runId = Identifier(text: row.text(2))
      else {
        row.reset()
        throw StoreError(.corrupt, "a question of the store has no identifier, kind or run")
      }
      requests.append(
        AIRequest(
          id: id, call: call, runId: runId, noteId: row.isNull(3) ? nil : Identifier(text: row.text(3)),
          body: row.text(4), digest: row.text(5), requestedAt: VirtualTime(nanoseconds: row.int64(6)),
          attempt: Int(try row.count(7)), retryAt: row.isNull(8) ? nil : VirtualTime(nanoseconds: row.int64(8))))
    }
    return requests
  }

  private func loadAnswers() throws(StoreError) -> [CachedAnswer] {
    var answers: [CachedAnswer] = []
    let row = readAnswers
    while try row.step() {
      guard let call = EdgeCall(rawValue: row.text(0)) else {
        row.reset()
        throw StoreError(.corrupt, "a kept answer of the store has no kind")
      }
      answers.append(CachedAnswer(call: call, digest: row.text(1), body: row.text(2)))
    }
    return answers
  }

  private func loadReplies(into record: inout PhoneRecord) throws(StoreError) {
    let row = readReplies
    while try row.step() {
      guard let id = Identifier(text: row.text(0)), let noteId = Identifier(text: row.text(1)) else {
        row.reset()
        throw StoreError(.corrupt, "a reply of the store has no identifier or note")
      }
      record.replies.append(
        AIReply(
          id: id, noteId: noteId, text: row.text(2), requestedAt: VirtualTime(nanoseconds: row.int64(3)),
          respondedAt: row.isNull(4) ? nil : VirtualTime(nanoseconds: row.int64(4)),
          playedAt: row.isNull(5) ? nil : VirtualTime(nanoseconds: row.int64(5)), model: row.text(6),
          costUSD: row.isNull(7) ? nil : try row.double(7, in: 0...1e9)))
    }
    let waiting = readWaiting
    while try waiting.step() {
      guard let id = Identifier(text: waiting.text(0)) else {
        waiting.reset()
        throw StoreError(.corrupt, "a waiting reply of the store has no identifier")
      }
      record.waitingReplies.append(
        WaitingReply(
          id: id, words: Int(try waiting.int64(1, in: 0...Int64(Int32.max))),
          arrivedAt: VirtualTime(nanoseconds: waiting.int64(2)),
          dueSince: try waiting.count(3)))
    }
  }

  private func loadScript() throws(StoreError) -> StoredScript? {
    var found: (index: Int64, members: [JSONMember], source: ScriptSource)?
    let row = readScript
    while try row.step() {
      var members: [JSONMember] = []
      let keys = ["id", "runId", "personality", "generatedAt", "model", "inputDigest", "branchPolicy"]
      for (index, key) in keys.enumerated() {
        let column = Int32(index + 1)
        if !row.isNull(column) { members.append(JSONMember(key, .string(row.text(column)))) }
      }
      let grace = Grace(meters: row.double(8), seconds: row.double(9))
      members.append(JSONMember("grace", grace.json))
      guard let source = ScriptSource(rawValue: row.text(10)) else {
        row.reset()
        throw StoreError(.corrupt, "a script of the store has no source")
      }
      found = (row.int64(0), members, source)
    }
    guard var found else { return nil }
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
    readMessages.bind(script, at: 1)
    let row = readMessages
    while try row.step() {
      guard let spec = try? JSONParser.parse(row.text(3), dialect: .json) else {
        row.reset()
        throw StoreError(.corrupt, "line \(messages.count + 1) of the store's script has no trigger")
      }
      var members = [JSONMember("id", .string(row.text(2))), JSONMember("triggerSpec", spec.value.withoutPositions)]
      members.append(JSONMember("text", .string(row.text(4))))
      if !row.isNull(5) { members.append(JSONMember("branchKey", .string(row.text(5)))) }
      if !row.isNull(6) { members.append(JSONMember("prerenderedAudioPath", .string(row.text(6)))) }
      members.append(JSONMember("priority", .integer(row.int64(7))))
      members.append(JSONMember("playOnce", .bool(row.int64(8) != 0)))
      messages.append(JSONNode(.object(members)))
    }
    return messages
  }

  private func loadMemory() throws(StoreError) -> [UserMemory] {
    var memory: [UserMemory] = []
    let row = readMemory
    while try row.step() {
      guard let id = Identifier(text: row.text(0)), let kind = MemoryKind(rawValue: row.text(1)),
        let value = try? JSONParser.parse(row.text(3), dialect: .json), let source = MemorySource(rawValue: row.text(5))
      else {
        row.reset()
        throw StoreError(.corrupt, "what the store knows of the runner has no identifier, kind, value or source")
      }
      memory.append(
        UserMemory(
          id: id,
          fact: MemoryFact(
            kind: kind, key: row.text(2), value: value.value.withoutPositions, confidence: row.double(4), source: source
          ),
          updatedAt: row.int64(6)))
    }
    return memory
  }
}
