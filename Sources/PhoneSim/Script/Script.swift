/// What the coach may say during a run, and when.
///
/// Of its own fields only `messages` is required, so that a script can be written by hand; what the edge
/// sends carries them all.
package struct Script: Sendable, Equatable {
  /// Names the script; nil where it has no name.
  package var id: String?
  /// The run it was made for; nil for any.
  package var runId: String?
  /// The voice it is written in.
  package var personality: String?
  /// When it was made, as its maker wrote it; never compared with anything.
  package var generatedAt: String?
  /// What made it.
  package var model: String?
  /// The digest of what it was made from.
  package var inputDigest: String?
  /// Whether branch keys count.
  package var branchPolicy: BranchPolicy
  /// How late a line may be.
  package var grace: Grace
  /// The lines; at most ``messageCountMax``, their ids all different.
  package var messages: [ScriptMessage]

  /// Lines of one script, at most.
  package static let messageCountMax = 10_000

  /// Creates a script.
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

/// How far past its point a line may still be spoken.
package struct Grace: Sendable, Equatable {
  /// For points measured in metres; at least 0.
  package var meters: Double
  /// For points measured in seconds; at least 0.
  package var seconds: Double

  /// Creates a grace; the defaults are those of a script that gives none.
  package init(meters: Double = 150, seconds: Double = 45) {
    self.meters = meters
    self.seconds = seconds
  }
}

/// One line of a script.
package struct ScriptMessage: Sendable, Equatable {
  /// Names it in the run's position and in the trace.
  package var id: String
  /// When it is to be spoken.
  package var trigger: any Trigger
  /// What is said; holds at least one word.
  package var text: String { didSet { words = SpeechLength.words(in: text) } }
  /// How many words that are: counted here, as every start of a phone asks for it.
  package private(set) var words: Int
  /// The branch it belongs to; nil for all.
  package var branchKey: String?
  /// A rendered recording of the text, which a race plays; elsewhere it is carried along.
  package var prerenderedAudioPath: String?
  /// Which goes first among several that are due: the higher.
  package var priority: Int
  /// Whether it is spoken once in a run at most.
  package var playOnce: Bool

  /// The priority of a line that gives none.
  package static let priorityDefault = 50

  /// Creates a line; without `playOnce` it plays once unless its trigger repeats by nature.
  package init(
    id: String, trigger: any Trigger, text: String, branchKey: String? = nil, prerenderedAudioPath: String? = nil,
    priority: Int = priorityDefault, playOnce: Bool? = nil
  ) {
    self.id = id
    self.trigger = trigger
    self.text = text
    words = SpeechLength.words(in: text)
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
