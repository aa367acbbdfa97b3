import CoachProtocol
import Link

/// What was said in the current run, as context for requests to the edge.
///
/// In memory only: a restarted phone rebuilds it from its store.
struct RunDiary: Sendable {
  /// Number of recent lines in a request.
  static let recentCount = 5
  /// Number of earlier runs' summaries in a script request.
  static let summaryCount = 3
  /// Limit of lines and of notes; beyond it the older half is dropped.
  static let countMax = 1000

  /// Ids of the lines spoken in this run, in order.
  private(set) var played: [String] = []
  /// Texts of the last spoken lines.
  private(set) var recentTexts: [String] = []
  /// The athlete's notes, in order, with the coach's replies.
  private(set) var notes: [(id: Identifier, note: SummarisedNote)] = []
  /// Summaries of earlier runs, oldest first.
  private(set) var summaries: [String] = []
  /// The run's latest fresh snapshot; nil before the first one since the phone's start.
  var snapshot: LiveMetrics?

  init() {}

  /// Rebuilds the diary of the stored run.
  ///
  /// - Parameter script: The script in force, for the texts of its lines.
  init(_ record: PhoneRecord, script: Script?) {
    summaries = Array(record.runs.compactMap(\.summaryText).suffix(Self.summaryCount))
    guard let runId = record.consumer.belief.workoutId else { return }
    for note in record.voiceNotes where note.runId == runId {
      let reply = record.replies.first { $0.id.text == note.aiReplyId }
      notes.append((note.id, SummarisedNote(transcript: note.transcript, reply: reply?.text)))
    }
    for message in record.played where message.runId == runId {
      let reply = record.replies.first { $0.id.text == message.messageId }
      recordLine(
        message.messageId, text: reply?.text ?? script?.messages.first { $0.id == message.messageId }?.text)
    }
    trim()
  }

  mutating func startRun() {
    played = []
    recentTexts = []
    notes = []
    snapshot = nil
  }

  /// Records a spoken line; nil text means that the line's id is used instead.
  mutating func recordLine(_ id: String, text: String?) {
    played.append(id)
    recentTexts.append(text ?? id)
    if recentTexts.count > Self.recentCount { recentTexts.removeFirst() }
    trim()
  }

  /// Records a note of the athlete; nil if its transcription failed.
  mutating func recordNote(_ note: Identifier, transcript: String?) {
    // The cloud may have read what the phone could not.
    if let index = notes.firstIndex(where: { $0.id == note }) {
      return notes[index].note.transcript = transcript
    }
    notes.append((note, SummarisedNote(transcript: transcript, reply: nil)))
    trim()
  }

  /// Records the first reply to a note.
  mutating func recordReply(to note: Identifier, _ text: String) {
    guard let index = notes.firstIndex(where: { $0.id == note }), notes[index].note.reply == nil else { return }
    notes[index].note.reply = text
  }

  /// Records a run's summary.
  mutating func recordSummary(_ text: String) {
    summaries.append(text)
    if summaries.count > Self.summaryCount { summaries.removeFirst() }
  }

  private mutating func trim() {
    if played.count > Self.countMax { played.removeFirst(Self.countMax / 2) }
    if notes.count > Self.countMax { notes.removeFirst(Self.countMax / 2) }
  }
}
