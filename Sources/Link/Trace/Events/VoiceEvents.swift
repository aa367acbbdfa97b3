/// The event `voice.discarded`.
public struct VoiceDiscarded: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.discarded"
  public static let about = "A recording is not stored."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("why", &why, "cancelled, or its workout was discarded")
  }
}

/// The event `voice.received`.
public struct VoiceReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.received"
  public static let about = "A note's audio and its row are stored, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var note: Identifier = .none
  public var runId: Identifier?
  public var recordedAt: Int64 = 0
  public var bytes: Int64 = 0
  public var seconds: Double = 0

  public init() {}
  public var body: EventBody { .voiceReceived(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.voiceReceived(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.field("runId", &runId, "the run")
    fields.field("recordedAt", &recordedAt, "when")
    fields.field("bytes", &bytes, "the length of its audio")
    fields.number("seconds", &seconds, places: 3, "its length")
  }
}

/// The event `voice.recorded`.
public struct VoiceRecorded: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.recorded"
  public static let about = "A voice note is recorded; the phone stores its own at once."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var note: Identifier = .none
  public var seconds: Double = 0
  public var bytes: Int64 = 0
  public var runId: Identifier?
  public var recordedAt: Int64?

  public init() {}
  public var body: EventBody { .voiceRecorded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.voiceRecorded(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.number("seconds", &seconds, places: 3, "its length")
    fields.field("bytes", &bytes, "the length of its audio")
    fields.field("runId", &runId, "on the phone: the run, if there is one")
    fields.field("recordedAt", &recordedAt, "on the phone: when")
  }
}

/// The event `voice.transcribed`.
public struct VoiceTranscribed: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.transcribed"
  public static let about = "A note's words are found, or cannot be."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// The values of `status`.
  public enum Status: String, EventWord { case done, failed }
  /// Who read it.
  public enum Reader: String, EventWord { case phone, cloud }

  public var note: Identifier = .none
  public var status: Status = .done
  public var transcript: String?
  public var by: Reader?
  public var onDevice: Bool?

  public init() {}
  public var body: EventBody { .voiceTranscribed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.voiceTranscribed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.field("status", &status, "how it ended")
    fields.field("transcript", &transcript, "the words")
    fields.field("by", &by, "cloud: read there, after the phone's own recogniser failed")
    fields.field("onDevice", &onDevice, "whether the phone has a model of the language, and needs no network")
  }
}
