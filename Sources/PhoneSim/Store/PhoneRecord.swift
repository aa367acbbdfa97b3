import CoachProtocol
package import Link

/// The app's stored state, beside its session's: all that a restart needs.
package struct PhoneRecord: Sendable, Equatable {
  package var consumer: ConsumerRecord
  package var position = ScriptPosition()
  package var trail = Trail()
  package var state = AppState()
  /// In the order in which they were opened.
  package var runs: [RunRow] = []
  /// The dispatched lines in order.
  package var played: [PlayedMessage] = []
  /// The lines of ``played`` that are neither finished nor cut off, in order.
  package var unheard: [UnheardMessage] = []
  /// In the order in which they were stored.
  package var voiceNotes: [VoiceNote] = []
  /// Notes with pending transcriptions, in the order in which they were stored.
  package var transcriptions: [PendingTranscription] = []
  package var ai = AIRecord()
  /// Replies to the athlete in the order of arrival.
  package var replies: [AIReply] = []
  /// Replies that wait to be spoken, in the order of arrival.
  package var waitingReplies: [WaitingReply] = []
  /// The last script made for a run, if any.
  package var script: StoredScript?
  /// Facts about the athlete, in the order in which their keys were first stored.
  package var memory: [UserMemory] = []
  /// In the order in which they were planned.
  package var races: [RaceSetup] = []
  package var ingestion = IngestionRecord()
  package var daily = DailyRecord()
  package var training = TrainingRecord()
  /// What the second phone has.
  package var secondTraining = TrainingRecord()

  /// The record before a phone's first start.
  package init() { consumer = ConsumerRecord(startedAt: .start) }

  /// Those of the names in the app's folder that are audio of no stored note.
  func orphans(among names: [String]) -> [String] {
    guard names.contains(where: VoiceNote.isAudioFileName) else { return [] }
    let owned = Set(voiceNotes.map(\.audioFilePath))
    return names.filter { VoiceNote.isAudioFileName($0) && !owned.contains($0) }
  }
}

/// Flags of the app.
package struct AppState: Sendable, Equatable {
  /// Whether the script's event was recorded.
  package var isScriptLoaded = false
  package var isMuted = false
  /// Whether another app holds the audio.
  package var isAudioTaken = false
  /// The note that is being recorded, if any.
  package var recording: Identifier?
  /// The name of the voice that the user chose; nil for the best one for the language.
  package var voice: String?
}

extension AppState: OnlyRow, PhoneRow {
  static let table = StoredTable.only(
    "AppState", blank: AppState(),
    [
      StoredColumn("isScriptLoaded", \.isScriptLoaded), StoredColumn("isMuted", \.isMuted),
      StoredColumn("isSoundTaken", \.isAudioTaken), StoredColumn("recordingNoteId", \.recording),
      StoredColumn("voice", \.voice),
    ])
  static var inRecord: Place { \.state }
}

extension PhoneRecord: PhoneRows, MemoryRows {
  func has(_ table: String, _ key: StoredValue) -> Bool {
    switch table {
    case RunRow.table.name: has(RunRow.self, key)
    case PlayedMessage.table.name: has(PlayedMessage.self, key)
    case VoiceNote.table.name: has(VoiceNote.self, key)
    case AIReply.table.name: has(AIReply.self, key)
    default: preconditionFailure("nothing refers to \(table)")
    }
  }

  mutating func apply(_ snapshot: HeardSnapshot) throws(StoreError) {
    consumer.apply(snapshot)
    if snapshot.isOfRun {
      trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
      if snapshot.distance.isNaN, let milliseconds = Trail.milliseconds(snapshot.elapsed), trail.holds(milliseconds) {
        let point = Trail.Point(milliseconds: milliseconds, distance: snapshot.distance)
        try StoredPoint.table.check(StoredPoint(point: point, marks: HeardMarks()))
      }
    }
    if snapshot.isJudged { position.apply(snapshot) }
  }

  mutating func apply(_ change: IngestionChange) { ingestion.apply(change) }
  mutating func write(_ consumer: ConsumerRecord) { self.consumer = consumer }
  mutating func write(_ position: ScriptPosition) { self.position = position }
  mutating func write(_ entry: ScriptPosition.Entry) { position.set(entry) }
  mutating func changePosition(_ body: (inout ScriptPosition) -> Void) { body(&position) }
  mutating func clearTrail() { trail = Trail() }

  mutating func write(_ script: StoredScript) throws(StoreError) {
    try StoredScript.table.check(script)
    try StoredScript.table.checkReferences(of: script) { has($0, $1) }
    self.script = script
  }

  mutating func removeScripts() { script = nil }

  mutating func freeScripts(of run: Identifier) {
    if script?.runId == run { script?.script.runId = nil }
  }
}

extension ConsumerRecord {
  /// Updates the marks at a fresh snapshot.
  mutating func apply(_ snapshot: HeardSnapshot) {
    freshness.restore(Freshness.Mark(epoch: snapshot.epoch, seq: snapshot.seq, arrivedAt: snapshot.arrivedAt))
    _ = liveness.recordFresh(at: snapshot.arrivedAt)
    if snapshot.isBelieved { belief.advanceNewestTime(sentAt: snapshot.sentAt) }
  }
}

extension ScriptPosition {
  /// Counts an evaluation as the engine did.
  mutating func apply(_ snapshot: HeardSnapshot) {
    evaluations += 1
    furthestDistance = max(furthestDistance ?? -.infinity, snapshot.distance)
    furthestElapsed = max(furthestElapsed ?? -.infinity, snapshot.elapsed)
  }

  /// Sets one line's record; a blank one is removed.
  mutating func set(_ entry: Entry) {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].message < entry.message { low = middle + 1 } else { high = middle }
    }
    let isKnown = low < records.count && records[low].message == entry.message
    switch (isKnown, entry.record == .blank) {
    case (true, true): records.remove(at: low)
    case (true, false): records[low] = entry
    case (false, true): break
    case (false, false): records.insert(entry, at: low)
    }
  }
}

/// An in-memory store with the semantics of the one on disk.
///
/// It refuses a change that violates a constraint of the tables. After that nothing is committed or read any more.
package struct MemoryPhoneStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  package private(set) var record = PhoneRecord()
  private var ingestion = IngestionConstraints()
  /// The refusal after which nothing is committed any more; nil if there was none.
  private var failure: StoreError?

  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange]) throws(StoreError) {
    if let failure { throw failure }
    if !changes.isEmpty { session.commit(changes) }
    for change in app {
      do throws(StoreError) {
        if case .rare(.ingestion(let change)) = change { try ingestion.check(change, record.ingestion) }
        try record.carryOut(change)
      } catch {
        failure = error
        throw error
      }
    }
  }

  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: PhoneRecord) {
    if let failure { throw failure }
    return (session.beginEpoch(), record)
  }

  package func orphans(among names: [String], of app: PhoneRecord) -> [String] { app.orphans(among: names) }

  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
