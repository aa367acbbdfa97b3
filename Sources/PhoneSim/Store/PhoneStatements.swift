import CoachProtocol
import Foundation
import Link
import LinkStore

/// The phone's statements: how its rows are written.
struct PhoneStatements {
  let database: Database
  private let state: Statement
  private let marks: Statement
  private let point: Statement
  private let pointsRemoved: Statement
  private let run: Statement
  private let played: Statement
  private let note: Statement
  private let pending: Statement
  private let pendingRemoved: Statement

  init(_ database: Database) {
    self.database = database
    state = Statement(database, "INSERT OR REPLACE INTO PhoneState (key, value) VALUES (?1, ?2)")
    marks = Statement(database, "INSERT OR REPLACE INTO Marks VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    point = Statement(database, "INSERT OR REPLACE INTO Trail VALUES (?1, ?2)")
    pointsRemoved = Statement(database, "DELETE FROM Trail WHERE milliseconds < ?1")
    run = Statement(database, "INSERT OR REPLACE INTO Run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    played = Statement(database, "INSERT OR REPLACE INTO PlayedMessage VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    note = Statement(
      database,
      """
      INSERT INTO VoiceNote VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (place) DO UPDATE SET transcript = excluded.transcript,
        transcriptionStatus = excluded.transcriptionStatus, aiReplyId = excluded.aiReplyId
      """)
    pending = Statement(database, "INSERT INTO PendingTranscription VALUES (?1, ?2, ?3, ?4)")
    pendingRemoved = Statement(database, "DELETE FROM PendingTranscription WHERE noteId = ?1")
  }

  func write(_ key: PhoneSchema.Key, _ text: String) throws(StoreError) {
    state.bind(key.rawValue, at: 1)
    state.bind(text, at: 2)
    try state.run()
  }

  func write(_ record: ConsumerRecord) throws(StoreError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes: Data
    do { bytes = try encoder.encode(record) } catch { preconditionFailure("a record that cannot be written: \(error)") }
    try write(.consumer, String(decoding: bytes, as: UTF8.self))
  }

  /// The part of belief and position that moves every second; see ``load()``.
  func write(_ heard: HeardMarks?, _ position: ScriptPosition) throws(StoreError) {
    marks.bind(heard.map { Int64($0.last.epoch.rawValue) }, at: 1)
    marks.bind(heard.map { Int64(bitPattern: $0.last.seq.rawValue) }, at: 2)
    marks.bind(heard?.last.arrivedAt.nanoseconds, at: 3)
    marks.bind(heard?.newestWord?.nanoseconds, at: 4)
    marks.bind(position.looks, at: 5)
    marks.bind(position.furthestDistance, at: 6)
    marks.bind(position.furthestElapsed, at: 7)
    try marks.run()
  }

  func writePoint(elapsed: Double, distance: Double) throws(StoreError) {
    guard abs(elapsed) < 1e12 else { return }
    point.bind(Int64((elapsed * 1000).rounded()), at: 1)
    point.bind(distance, at: 2)
    try point.run()
  }

  func removePoints(before milliseconds: Int64) throws(StoreError) {
    pointsRemoved.bind(milliseconds, at: 1)
    try pointsRemoved.run()
  }

  func write(_ row: RunRow, place: Int) throws(StoreError) {
    run.bind(place, at: 1)
    run.bind(row.id.text, at: 2)
    run.bind(row.startedAt.nanoseconds, at: 3)
    run.bind(row.endedAt?.nanoseconds, at: 4)
    run.bind(row.runType.rawValue, at: 5)
    run.bind(row.mode.rawValue, at: 6)
    run.bind(row.personality, at: 7)
    run.bind(row.healthKitWorkoutUUID?.text, at: 8)
    try run.run()
  }

  func write(_ message: PlayedMessage, place: Int, isUnheard: Bool) throws(StoreError) {
    played.bind(place, at: 1)
    played.bind(message.messageId, at: 2)
    played.bind(message.playedAt.nanoseconds, at: 3)
    played.bind(message.runId.text, at: 4)
    played.bind(message.wasInterrupted ? 1 : 0, at: 5)
    played.bind(isUnheard ? 1 : 0, at: 6)
    try played.run()
  }

  func write(_ row: VoiceNote, place: Int) throws(StoreError) {
    note.bind(place, at: 1)
    note.bind(row.id.text, at: 2)
    note.bind(row.runId?.text, at: 3)
    note.bind(row.recordedAt, at: 4)
    note.bind(row.audioFilePath, at: 5)
    note.bind(row.transcript, at: 6)
    note.bind(row.status.rawValue, at: 7)
    note.bind(row.aiReplyId, at: 8)
    try note.run()
  }

  func write(_ row: PendingTranscription, place: Int) throws(StoreError) {
    pending.bind(place, at: 1)
    pending.bind(row.noteId.text, at: 2)
    pending.bind(row.says, at: 3)
    pending.bind(row.outcome.rawValue, at: 4)
    try pending.run()
  }

  func removeTranscription(of noteId: Identifier) throws(StoreError) {
    pendingRemoved.bind(noteId.text, at: 1)
    try pendingRemoved.run()
  }
}

extension Statement {
  /// Binds a number, or null.
  fileprivate func bind(_ value: Int64?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }

  /// Binds a floating-point number, or null.
  fileprivate func bind(_ value: Double?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }

  /// Binds text, or null.
  fileprivate func bind(_ value: String?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }
}
