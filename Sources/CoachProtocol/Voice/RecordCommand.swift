public import Link

/// A scenario's command to record a voice note; the same on both devices.
public struct RecordCommand: Sendable, Equatable {
  /// The scenario's `do`.
  public static let word = "record"
  /// Upper bound for how long the button is held, far longer than a note can be.
  private static let secondsAskedMax = 3_600.0

  /// Seconds: at most ``VoiceNoteMetadata/secondsMax``, however long the button is held.
  public var seconds: Double
  /// What the recogniser will find; nil for nothing.
  public var says: String?
  /// The transcription's outcome.
  public var transcription: VoiceNoteMetadata.Transcription

  public init(seconds: Double, says: String? = nil, transcription: VoiceNoteMetadata.Transcription = .done) {
    self.seconds = min(seconds, VoiceNoteMetadata.secondsMax)
    self.says = says
    self.transcription = transcription
  }

  public var span: VirtualTime.Span { VirtualTime.Span(nanoseconds: Int64((seconds * 1e9).rounded())) }

  /// The form of a scenario's event.
  ///
  /// - Parameter word: Its `do`.
  public static func form(_ word: String, _ about: String) -> CommandForm<Self> {
    CommandForm(word, about, Self(seconds: 0), fields) { draft, _ in draft.inMilliseconds }
  }

  private static let fields = [
    Field<Self>(
      "seconds", \.seconds, .number(0.001...secondsAskedMax, unit: "seconds"),
      "how long the button is held; a note has at most 30 s", .required),
    Field("says", \.says, .string(bytes: 0...VoiceNoteMetadata.saysBytesMax), "what the recogniser will hear"),
    Field("transcription", \.transcription, .word, "how the transcription ends"),
  ]

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  public init?(_ reader: JSONObjectReader) {
    guard let command = Self.form(Self.word, "").read(reader) else { return nil }
    self = command
  }

  /// The command with whole milliseconds, so that length and trace agree.
  private var inMilliseconds: Self {
    Self(seconds: (seconds * 1_000).rounded() / 1_000, says: says, transcription: transcription)
  }

  /// Reads a command that reached a device.
  ///
  /// - Returns: Nil for a command of another kind.
  /// - Throws: Errors in its arguments.
  public static func reading(_ command: NodeCommand) throws(CommandRefusal) -> RecordCommand? {
    guard command.name == word else { return nil }
    return try command.reading { RecordCommand($0) }
  }
}
