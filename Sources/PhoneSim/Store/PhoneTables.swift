package import Link
package import LinkStore
import CoachProtocol

/// What the phone's app keeps on disk: the companion store's rows, and where the app goes on after a restart.
///
/// An ordinary second writes two small rows: the marks, and a point of the trail. Belief and script position are
/// written as texts when they change in more than that, which is seldom.
package struct PhoneTables: AppTables {
  package static let component = Component(
    "phone", migrations: PhoneSchema.migrations, smallTables: ["PhoneState", "Marks", "Run", "PlayedMessage"])

  private let statements: PhoneStatements
  /// What the tables hold, or will when the transaction ends.
  private var record = PhoneRecord()
  /// What fresh snapshots moved since the consumer's text was written; nil where none came.
  private var heard: HeardMarks?
  private var stale = Stale()

  /// What of the record has to be written at the end of the transaction.
  private struct Stale {
    var marks = false
    var consumer = false
    var position = false
    var flags = false
  }

  package init(_ database: Database) { statements = PhoneStatements(database) }

  package mutating func load() throws(StoreError) -> PhoneRecord {
    (record, heard) = try statements.load()
    stale = Stale()
    return record
  }

  package mutating func apply(_ change: PhoneChange) throws(StoreError) {
    switch change {
    case .heard(let snapshot):
      let first = record.trail.points.first?.milliseconds
      record.apply(change)
      heard = HeardMarks(snapshot, after: heard)
      stale.marks = true
      guard snapshot.isOfRun else { return }
      try statements.writePoint(elapsed: snapshot.elapsed, distance: snapshot.distance)
      if let now = record.trail.points.first?.milliseconds, let first, now > first {
        try statements.removePoints(before: now)
      }
    case .rare(let rare): try apply(rare, change)
    }
  }

  @inline(never)
  private mutating func apply(_ rare: RareChange, _ change: PhoneChange) throws(StoreError) {
    let unheard = record.unheard
    record.apply(change)
    switch rare {
    case .consumer:
      // It says all that the snapshots before it moved.
      heard = nil
      stale.consumer = true
      stale.marks = true
    case .position, .line, .branch:
      stale.position = true
      stale.marks = true
    case .scriptLoaded, .muted, .soundTaken, .recordingBegan, .recordingEnded: stale.flags = true
    case .runOpened:
      try statements.write(record.runs[record.runs.count - 1], place: record.runs.count - 1)
      try statements.removePoints(before: .max)
      stale.position = true
      stale.marks = true
    case .runNamed(let id, _), .runEnded(let id, _), .runFinished(let id, _):
      guard let place = record.runs.lastIndex(where: { $0.id == id }) else { return }
      try statements.write(record.runs[place], place: place)
    case .played:
      try statements.write(record.played[record.played.count - 1], place: record.played.count - 1, isUnheard: true)
      stale.position = true
    case .ended, .interrupted, .silenced:
      for place in unheard where !record.unheard.contains(place) {
        try statements.write(record.played[place], place: place, isUnheard: false)
      }
    case .noteKept(let note, let transcription):
      try statements.write(note, place: record.voiceNotes.count - 1)
      try statements.write(transcription, place: record.voiceNotes.count - 1)
    case .noteTranscribed(let id, _, _):
      try statements.removeTranscription(of: id)
      guard let place = record.voiceNotes.firstIndex(where: { $0.id == id }) else { return }
      try statements.write(record.voiceNotes[place], place: place)
    }
  }

  package mutating func finish() throws(StoreError) {
    if stale.consumer { try statements.write(record.consumer) }
    if stale.position { try statements.write(.position, record.position.text) }
    if stale.flags { try statements.write(.flags, PhoneFlags(record).text) }
    if stale.marks { try statements.write(heard, record.position) }
    stale = Stale()
  }
}

/// What fresh snapshots move of the consumer's record, every second.
struct HeardMarks {
  /// The last fresh snapshot.
  var last: Freshness.Mark
  /// When the newest word was said, where it was an ordinary snapshot's; nil where the record's own stands.
  var newestWord: WatchTime?

  init(last: Freshness.Mark, newestWord: WatchTime?) {
    self.last = last
    self.newestWord = newestWord
  }

  /// The marks after one more snapshot.
  init(_ snapshot: HeardSnapshot, after before: HeardMarks?) {
    last = Freshness.Mark(epoch: snapshot.epoch, seq: snapshot.seq, arrivedAt: snapshot.arrivedAt)
    newestWord = snapshot.isBelieved ? snapshot.sentAt : before?.newestWord
  }

  /// Moves a record's marks.
  func move(_ record: inout ConsumerRecord) {
    record.freshness.note(last)
    _ = record.liveness.heardFresh(at: last.arrivedAt)
    if let newestWord { record.belief.noteOrdinaryWord(sentAt: newestWord) }
  }
}

/// What the app keeps of switches, as the text of one row.
struct PhoneFlags {
  var isScriptLoaded = false
  var isMuted = false
  var isSoundTaken = false
  var recording: Identifier?

  init(_ record: PhoneRecord) {
    isScriptLoaded = record.isScriptLoaded
    isMuted = record.isMuted
    isSoundTaken = record.isSoundTaken
    recording = record.recording
  }

  /// The names of what is on, between blanks; the note that is being recorded comes last.
  var text: String {
    var words: [String] = []
    if isScriptLoaded { words.append("scriptLoaded") }
    if isMuted { words.append("muted") }
    if isSoundTaken { words.append("soundTaken") }
    if let recording { words.append(recording.text) }
    return words.joined(separator: " ")
  }

  /// Reads what ``text`` wrote.
  init(text: String) {
    for word in text.split(separator: " ") {
      switch word {
      case "scriptLoaded": isScriptLoaded = true
      case "muted": isMuted = true
      case "soundTaken": isSoundTaken = true
      default: recording = Identifier(text: String(word))
      }
    }
  }
}
