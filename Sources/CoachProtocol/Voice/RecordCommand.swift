public import Link

/// A scenario's order to record a voice note; both devices know it.
public struct RecordCommand: Sendable, Equatable {
  /// The word of a scenario's `do`.
  public static let word = "record"
  /// How long the button can be held down: far longer than a note can be.
  private static let secondsAskedMax = 3_600.0

  /// How long the note will be, in seconds: at most ``VoiceNoteMetadata/secondsMax``, whatever was asked for.
  public var seconds: Double
  /// What the recogniser will hear; nil for nothing.
  public var says: String?
  /// How its transcription will end.
  public var transcription: VoiceNoteMetadata.Transcription

  /// Creates a command.
  public init(seconds: Double, says: String? = nil, transcription: VoiceNoteMetadata.Transcription = .done) {
    self.seconds = min(seconds, VoiceNoteMetadata.secondsMax)
    self.says = says
    self.transcription = transcription
  }

  /// How long the recording takes.
  public var span: VirtualTime.Span { VirtualTime.Span(nanoseconds: Int64((seconds * 1e9).rounded())) }

  /// Reads the members of a scenario's event besides `at` and `do`.
  ///
  /// - Parameter reader: The event; what is wrong is reported there.
  /// - Returns: Nil after reporting what is wrong.
  public init?(_ reader: JSONObjectReader) {
    let seconds = reader.number("seconds", in: 0.001...Self.secondsAskedMax, required: true)
    let says = reader.string("says")
    let transcription = reader.oneOf("transcription", VoiceNoteMetadata.Transcription.self)
    guard let seconds, says != nil || !reader.has("says"), transcription != nil || !reader.has("transcription") else {
      return nil
    }
    if let says, says.utf8.count > VoiceNoteMetadata.saysBytesMax {
      reader.error("says: found \(says.utf8.count) bytes, expected at most \(VoiceNoteMetadata.saysBytesMax)")
      return nil
    }
    // Whole milliseconds, so that length and trace agree.
    self.init(seconds: (seconds * 1_000).rounded() / 1_000, says: says, transcription: transcription ?? .done)
  }

  /// Reads a command that reached a device.
  ///
  /// - Returns: The order; nil for a command of another kind.
  /// - Throws: What is wrong with its arguments.
  public static func reading(_ command: NodeCommand) throws(CommandRefusal) -> RecordCommand? {
    guard command.name == word else { return nil }
    return try command.reading { RecordCommand($0) }
  }
}
