import CoachProtocol
import Link

/// What questions to the edge tell of the run that is on: what was said, by whom.
///
/// Kept in memory only: a restarted phone makes it anew from its store.
struct RunDiary: Sendable {
  /// Lines that a question tells of as the last ones.
  static let recentCount = 5
  /// Summaries of earlier runs that a question for a script tells of.
  static let summaryCount = 3
  /// Lines and notes remembered, at most; past that the oldest go.
  static let countMax = 1000

  /// The lines that were spoken in the run, by id, in order.
  private(set) var played: [String] = []
  /// What was said last, as text.
  private(set) var recentTexts: [String] = []
  /// What the runner said, in order, by note.
  private(set) var notes: [(id: Identifier, note: SummarisedNote)] = []
  /// What was said about runs before, the newest last.
  private(set) var summaries: [String] = []
  /// The last fresh snapshot of the run; nil before the first since the phone's start.
  var snapshot: LiveMetrics?

  /// Begins with nothing.
  init() {}

  /// Goes on with the run that a store tells of.
  ///
  /// - Parameter script: Whose lines were spoken.
  init(_ record: PhoneRecord, script: Script?) {
    summaries = Array(record.runs.compactMap(\.summaryText).suffix(Self.summaryCount))
    guard let runId = record.consumer.belief.workoutId else { return }
    for note in record.voiceNotes where note.runId == runId {
      let reply = record.replies.first { $0.id.text == note.aiReplyId }
      notes.append((note.id, SummarisedNote(transcript: note.transcript, reply: reply?.text)))
    }
    for message in record.played where message.runId == runId {
      let reply = record.replies.first { $0.id.text == message.messageId }
      played(
        message.messageId, text: reply?.text ?? script?.messages.first { $0.id == message.messageId }?.text)
    }
    trim()
  }

  /// Begins a run.
  mutating func begin() {
    played = []
    recentTexts = []
    notes = []
    snapshot = nil
  }

  /// Notes that a line is spoken.
  mutating func played(_ id: String, text: String?) {
    played.append(id)
    recentTexts.append(text ?? id)
    if recentTexts.count > Self.recentCount { recentTexts.removeFirst() }
    trim()
  }

  /// Notes what the runner said.
  mutating func heard(_ note: Identifier, transcript: String?) {
    notes.append((note, SummarisedNote(transcript: transcript, reply: nil)))
    trim()
  }

  /// Notes what is answered.
  mutating func answered(_ note: Identifier, with text: String) {
    guard let place = notes.firstIndex(where: { $0.id == note }), notes[place].note.reply == nil else { return }
    notes[place].note.reply = text
  }

  /// What is answered to a reply's question; nil where it is not known.
  mutating func summarised(_ text: String) {
    summaries.append(text)
    if summaries.count > Self.summaryCount { summaries.removeFirst() }
  }

  private mutating func trim() {
    if played.count > Self.countMax { played.removeFirst(Self.countMax / 2) }
    if notes.count > Self.countMax { notes.removeFirst(Self.countMax / 2) }
  }
}
