import CoachProtocol
import Link

/// The phone's rows, in memory or on disk: a change is rows that are put and removed, and both have it from here.
protocol PhoneRows: RowStore where Record == PhoneRecord {
  associatedtype Daily: RowStore<DailyRecord>
  associatedtype Training: TrainingRows
  var daily: Daily { get set }
  var training: Training { get set }
  var secondTraining: Training { get set }
  mutating func apply(_ snapshot: HeardSnapshot) throws(StoreError)
  mutating func apply(_ change: IngestionChange) throws(StoreError)
  mutating func write(_ consumer: ConsumerRecord) throws(StoreError)
  mutating func write(_ position: ScriptPosition) throws(StoreError)
  mutating func write(_ entry: ScriptPosition.Entry) throws(StoreError)
  /// Changes the position, but neither its lines nor what every snapshot counts.
  mutating func changePosition(_ body: (inout ScriptPosition) -> Void) throws(StoreError)
  mutating func clearTrail() throws(StoreError)
  mutating func write(_ script: StoredScript) throws(StoreError)
  mutating func removeScripts() throws(StoreError)
  /// Keeps the scripts that were made for a run, but for no run.
  mutating func freeScripts(of run: Identifier) throws(StoreError)
}

extension PhoneRows {
  /// Applies one change; no effect if it names an unknown run, line or note.
  ///
  /// - Throws: What a constraint refuses; the rows are then no longer used.
  @inline(__always)
  mutating func carryOut(_ change: PhoneChange) throws(StoreError) {
    switch change {
    case .heard(let snapshot): try apply(snapshot)
    case .rare(let change): try apply(change)
    }
  }

  @inline(never)
  private mutating func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .consumer(let record): try write(record)
    case .scriptLoaded: try self.change(AppState.self) { $0.isScriptLoaded = true }
    case .runOpened(let run): try open(run)
    case .runNamed(let id, let startedAt): try self.change(RunRow.self, id) { $0.startedAt = startedAt }
    case .runEnded(let id, let endedAt): try self.change(RunRow.self, id) { $0.endedAt = endedAt }
    case .runFinished(let id, let uuid): try self.change(RunRow.self, id) { $0.healthKitWorkoutUUID = uuid }
    case .runDiscarded(let id): try discard(id)
    case .position(let position): try write(position)
    case .line(let entry): try write(entry)
    case .branch(let branch): try changePosition { $0.branch = branch }
    case .played(let message): try add(message)
    case .ended(let id): _ = try hear(id)
    case .interrupted(let id):
      if let place = try hear(id) { try self.change(PlayedMessage.self, place) { $0.wasInterrupted = true } }
    case .silenced:
      for line in try rows(UnheardMessage.self) {
        try self.change(PlayedMessage.self, line.place) { $0.wasInterrupted = true }
      }
      try removeAll(UnheardMessage.self)
    case .muted(let isMuted): try self.change(AppState.self) { $0.isMuted = isMuted }
    case .audioTaken(let isTaken): try self.change(AppState.self) { $0.isAudioTaken = isTaken }
    case .voiceChosen(let name): try self.change(AppState.self) { $0.voice = name }
    case .recordingBegan(let id): try self.change(AppState.self) { $0.recording = id }
    case .recordingEnded: try self.change(AppState.self) { $0.recording = nil }
    case .noteStored(let note, let transcription):
      try insert(note)
      try insert(transcription)
    case .noteTranscribed(let id, let status, let transcript):
      try self.change(VoiceNote.self, id) { ($0.status, $0.transcript) = (status, transcript) }
      try remove(PendingTranscription.self, id)
    case .asked(let request, let old): try put(request, replacing: old ?? request.id)
    case .requestWaits(let id, let until): try self.change(AIRequest.self, id) { $0.retryAt = until }
    case .requestSettled(let id): try remove(AIRequest.self, id)
    case .answerCached(let answer): try add(answer)
    case .replyStored(let reply, let waiting):
      try insert(reply)
      // A late answer does not replace the spoken one.
      try self.change(VoiceNote.self, reply.noteId) { $0.aiReplyId = $0.aiReplyId ?? reply.id.text }
      if let waiting { try insert(waiting) }
    case .replySettled(let id, let playedAt):
      try remove(WaitingReply.self, id)
      if let playedAt { try self.change(AIReply.self, id) { $0.playedAt = playedAt } }
    case .scriptStored(let script, let source): try write(StoredScript(script: script, source: source))
    case .runSummarised(let id, let text): try self.change(RunRow.self, id) { $0.summaryText = text }
    case .remembered(let row): try put(row)
    case .runRemarked(let id, let remarks): try self.change(RunRow.self, id) { $0.apply(remarks) }
    case .runCached(let id, let cached): try self.change(RunRow.self, id) { $0.cached = cached }
    case .runRestored(let run): if try row(RunRow.self, run.id) == nil { try insert(run) }
    case .raceStored(let race): try put(race)
    case .ingestion(let change): try apply(change)
    case .daily(let change): try daily.apply(change)
    case .training(let change): try training.apply(change)
    case .secondTraining(let change): try secondTraining.apply(change)
    case .wiped: try wipe()
    }
  }

  private mutating func open(_ run: RunRow) throws(StoreError) {
    // The belief forgets old runs; one that reopens still has one row.
    var run = run
    if let old = try row(RunRow.self, run.id) { run.inheritRemarks(of: old) }
    try put(run)
    try clearTrail()
    try removeAll(WaitingReply.self)
    try write(ScriptPosition())
  }

  /// Removes the row of a workout that never ran; what refers to it goes before it, and a planned race is free again.
  private mutating func discard(_ id: Identifier) throws(StoreError) {
    guard let row = try row(RunRow.self, id), !row.isTrackedHere else { return }
    for race in try rows(RaceSetup.self) where race.runId == id {
      try self.change(RaceSetup.self, race.rowKey) { $0.runId = nil }
    }
    for message in try rows(PlayedMessage.self) where message.runId == id {
      try remove(UnheardMessage.self, message.place)
      try remove(PlayedMessage.self, message.place)
    }
    try freeScripts(of: id)
    try remove(RunRow.self, id)
  }

  private mutating func add(_ message: PlayedMessage) throws(StoreError) {
    var message = message
    message.place = (try last(PlayedMessage.self)?.place ?? 0) + 1
    try insert(message)
    try insert(UnheardMessage(place: message.place))
    try changePosition { $0.lastDispatch = message.playedAt }
  }

  /// Removes the oldest unheard line with an id; nil if there is none.
  private mutating func hear(_ messageId: String) throws(StoreError) -> Int64? {
    for line in try rows(UnheardMessage.self)
    where try row(PlayedMessage.self, line.place)?.messageId == messageId {
      try remove(UnheardMessage.self, line.place)
      return line.place
    }
    return nil
  }

  private mutating func add(_ answer: CachedAnswer) throws(StoreError) {
    try remove(CachedAnswer.self, answer.rowKey)
    try insert(answer)
    let answers = try rows(CachedAnswer.self)
    if answers.count > CachedAnswer.countMax { try remove(CachedAnswer.self, answers[0].rowKey) }
  }

  /// Deletes every run and everything remembered about the athlete; what refers to a row goes before it.
  private mutating func wipe() throws(StoreError) {
    try removeAll(WaitingReply.self)
    try changeAll(VoiceNote.self) { $0.aiReplyId = nil }
    try removeAll(AIReply.self)
    try removeAll(PendingTranscription.self)
    try removeAll(VoiceNote.self)
    try removeAll(UnheardMessage.self)
    try removeAll(PlayedMessage.self)
    try removeScripts()
    try removeAll(RaceSetup.self)
    try removeAll(AIRequest.self)
    try removeAll(CachedAnswer.self)
    try removeAll(UserMemory.self)
    try removeAll(RunRow.self)
  }
}
