/// The event `audio.dropped`.
public struct AudioDropped: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.dropped"
  public static let about = "A waiting line will not be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var cause: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the message")
    fields.field("cause", &cause, "muted, cleared")
  }
}

/// The event `audio.duck`.
public struct AudioDucked: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.duck"
  public static let about = "Music is lowered."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .audioDuck(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioDuck(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `audio.end`.
public struct AudioEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.end"
  public static let about = "A line has been spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""

  public init() {}
  public var body: EventBody { .audioEnd(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioEnd(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "the utterance")
    fields.field("message", &message, "the message")
  }
}

/// The event `audio.interrupted`.
public struct AudioInterrupted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interrupted"
  public static let about = "A line breaks off."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .audioInterrupted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioInterrupted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "the utterance")
    fields.field("message", &message, "the message")
    fields.field("cause", &cause, "mute, interruption")
  }
}

/// The event `audio.interruption`.
public struct AudioInterruptionBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interruption"
  public static let about = "Another app interrupts the audio."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .audioInterruptionBegan(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioInterruptionBegan(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `audio.interruptionEnd`.
public struct AudioInterruptionEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interruptionEnd"
  public static let about = "The interruption is over."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var shouldResume: Bool = false

  public init() {}
  public var body: EventBody { .audioInterruptionEnded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioInterruptionEnded(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("shouldResume", &shouldResume, "whether the system lets the app go on")
  }
}

/// The event `audio.mute`.
public struct AudioMuted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.mute"
  public static let about = "The runner mutes the coach."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `audio.voice`.
public struct VoiceSelected: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.voice"
  public static let about =
    "The coach's voice, at a start of the app and when the user chooses; only with `phone.voice`."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// Who chose it.
  public enum Chooser: String, EventWord { case system, user }

  public var voice: String = ""
  public var language: String = ""
  public var quality: String = ""
  public var by: Chooser = .system

  public init() {}
  public var body: EventBody { .audioVoice(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioVoice(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("voice", &voice, "its name")
    fields.field("language", &language, "its language")
    fields.field("quality", &quality, "standard, enhanced or premium")
    fields.field("by", &by, "user: chosen in the settings; system: the best one for the user's language")
  }
}

/// The event `audio.session`.
public struct AudioSessionChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.session"
  public static let about = "The phone's app takes the audio session for a workout, or leaves it after the last line."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var active: Bool = false
  public var category: String?
  public var mode: String?
  public var options: String?

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioSession(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("active", &active, "whether it has it from now on")
    fields.field("category", &category, "of AVAudioSession, when it takes it")
    fields.field("mode", &mode, "likewise")
    fields.field("options", &options, "likewise, separated by commas")
  }
}

/// The event `audio.start`.
public struct AudioStarted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.start"
  public static let about = "A line begins to be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""
  public var words: Int64 = 0
  public var lasts: Double = 0
  public var rendered: String?

  public init() {}
  public var body: EventBody { .audioStart(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioStart(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "counts from 1")
    fields.field("message", &message, "the message")
    fields.field("words", &words, "how many words it has")
    fields.number("lasts", &lasts, places: 1, "in seconds, one decimal")
    fields.field("rendered", &rendered, "in a planned race: the file that is played")
  }
}

/// The event `audio.unduck`.
public struct AudioUnducked: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.unduck"
  public static let about = "Music is restored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .audioUnduck(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.audioUnduck(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `audio.unmute`.
public struct AudioUnmuted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.unmute"
  public static let about = "The runner unmutes the coach."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
