/// The lines that the coach may speak during a run, with their triggers.
///
/// Only `messages` is required, so that scripts can be written by hand; the edge sends all fields.
package struct Script: Sendable, Equatable {
  package var id: String?
  /// The run it was made for; nil for any.
  package var runId: String?
  package var personality: String?
  /// When it was made, as its author wrote it; never compared.
  package var generatedAt: String?
  /// The model that made it.
  package var model: String?
  /// The digest of the request that it answers.
  package var inputDigest: String?
  /// Whether branch keys count.
  package var branchPolicy: BranchPolicy
  /// How late a line may be.
  package var grace: Grace
  /// At most ``messageCountMax`` lines, with unique ids.
  package var messages: [ScriptMessage]

  package static let messageCountMax = 10_000

  package init(
    id: String? = nil, runId: String? = nil, personality: String? = nil, generatedAt: String? = nil,
    model: String? = nil, inputDigest: String? = nil, branchPolicy: BranchPolicy = .linear, grace: Grace = Grace(),
    messages: [ScriptMessage]
  ) {
    self.id = id
    self.runId = runId
    self.personality = personality
    self.generatedAt = generatedAt
    self.model = model
    self.inputDigest = inputDigest
    self.branchPolicy = branchPolicy
    self.grace = grace
    self.messages = messages
  }
}

/// Whether a script's branch keys count.
package enum BranchPolicy: String, Sendable, CaseIterable {
  /// They are ignored.
  case linear
  /// A line with a key is spoken only while its branch is active.
  case branched
}

/// How far past its point a line may still be spoken; the defaults are those of a script without one.
package struct Grace: Sendable, Equatable {
  /// For points in metres; at least 0.
  package var meters: Double = 150
  /// For points in seconds; at least 0.
  package var seconds: Double = 45
}

package struct ScriptMessage: Sendable, Equatable {
  /// Identifies it in the script position and in the trace.
  package var id: String
  package var trigger: any Trigger
  /// What is said; at least one word.
  package var text: String { didSet { words = SpeechLength.wordCount(in: text) } }
  /// The number of words, cached because every start of a phone needs it.
  package private(set) var words: Int
  /// The branch it belongs to; nil for all.
  package var branchKey: String?
  /// The recording of the text that a race plays; unused elsewhere.
  package var prerenderedAudioPath: String?
  /// Among several due lines the highest priority goes first.
  package var priority: Int
  /// Whether it is spoken at most once in a run.
  package var playOnce: Bool

  package static let priorityDefault = 50

  /// Creates a line; without `playOnce` it plays once unless its trigger repeats by nature.
  package init(
    id: String, trigger: any Trigger, text: String, branchKey: String? = nil, prerenderedAudioPath: String? = nil,
    priority: Int = priorityDefault, playOnce: Bool? = nil
  ) {
    self.id = id
    self.trigger = trigger
    self.text = text
    words = SpeechLength.wordCount(in: text)
    self.branchKey = branchKey
    self.prerenderedAudioPath = prerenderedAudioPath
    self.priority = priority
    self.playOnce = playOnce ?? !trigger.repeatsByNature
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.trigger.isEqual(to: rhs.trigger) && lhs.text == rhs.text
      && lhs.branchKey == rhs.branchKey && lhs.prerenderedAudioPath == rhs.prerenderedAudioPath
      && lhs.priority == rhs.priority && lhs.playOnce == rhs.playOnce
  }
}
