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

  /// Reads the members of a scenario's event besides `at` and `do`.
  ///
  /// - Parameter reader: The event; collects errors.
  /// - Returns: Nil after reporting errors.
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
  /// - Returns: Nil for a command of another kind.
  /// - Throws: Errors in its arguments.
  public static func reading(_ command: NodeCommand) throws(CommandRefusal) -> RecordCommand? {
    guard command.name == word else { return nil }
    return try command.reading { RecordCommand($0) }
  }
}
