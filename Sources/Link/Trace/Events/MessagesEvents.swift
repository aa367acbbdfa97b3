/// The event `context.received`.
public struct ContextReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "context.received"
  public static let about = "An application context arrives."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var kind: String?

  public init() {}
  public var body: EventBody { .contextReceived(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.contextReceived(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
    fields.field("kind", &kind, "as set")
  }
}

/// The event `context.repeated`.
public struct ContextRepeated: TraceEventKind {
  public static let name: TraceEvent.Name = "context.repeated"
  public static let about =
    "A context is delivered to the app although it was before, or a later one exists (the quirks `contextBurst` and `contextRepeated`)."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
  }
}

/// The event `context.set`.
public struct ContextSet: TraceEventKind {
  public static let name: TraceEvent.Name = "context.set"
  public static let about = "An app sets its application context."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var kind: String?

  public init() {}
  public var body: EventBody { .contextSet(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.contextSet(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
    fields.field("kind", &kind, "of an app: the context's name, if it has one")
  }
}

/// The event `context.unchanged`.
public struct ContextUnchanged: NarratedEvent {
  public static let name: TraceEvent.Name = "context.unchanged"
  public static let about =
    "An app sets the application context that it has set already: nothing is sent, and the other side gets no callback."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none

  public init() {}

  public var sentence: EventSentence { .init("sets the context that it has set already: nothing is sent") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "the number of the context that stays")
    fields.field("digest", &digest, "the context's digest")
  }
}

/// The event `message.duplicate`.
public struct MessageDuplicate: TraceEventKind {
  public static let name: TraceEvent.Name = "message.duplicate"
  public static let about = "A message was received before, or is of an earlier epoch."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var epoch: Int64 = 0
  public var seq: Int64 = 0

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.messageDuplicate(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
  }
}

/// The event `message.failed`.
public struct MessageFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "message.failed"
  public static let about = "A message whose sender requested its outcome failed."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var error: String = ""
  public var kind: String?

  public init() {}
  public var body: EventBody { .messageFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.messageFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field(
      "error", &error,
      "messageReplyTimedOut, messageReplyFailed, deliveryFailed, notReachable, transferTimedOut, or an app that is not installed"
    )
    fields.field("kind", &kind, "of an app: the message's name, if the scenario has `payload`")
  }
}

/// The event `message.received`.
public struct MessageReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "message.received"
  public static let about = "A message arrives."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var kind: String?
  public var appKind: Nullable<String>?
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var workoutId: Identifier?
  public var sentAt: Int64?

  public init() {}
  public var body: EventBody { .messageReceived(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.messageReceived(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.nullable("kind", &kind, "the kind of the app's message, null if it is none")
    fields.field("appKind", &appKind, "in recordings by an app: its name for the message, null if it cannot decode it")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the payload's digest")
    fields.field(
      "workoutId", &workoutId, "of `cancelStart`, `endWorkout`, and of workout events, which are usually queued")
    fields.field("sentAt", &sentAt, "of workout events")
  }
}

/// The event `message.refused`.
public struct MessageRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "message.refused"
  public static let about = "A message is not sent; its number is used up."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var error: String = ""

  public init() {}
  public var body: EventBody { .messageRefused(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.messageRefused(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of the app's message")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field(
      "error", &error, "notReachable, payloadTooLarge, payloadUnsupportedTypes, or an app that is not installed")
  }
}

/// The event `message.sent`.
public struct MessageSent: TraceEventKind {
  public static let name: TraceEvent.Name = "message.sent"
  public static let about = "An app hands a message to its session, which sends it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var epoch: Int64 = 0
  public var seq: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "its name")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
  }
}

/// The event `payload.foreign`.
public struct PayloadForeign: TraceEventKind {
  public static let name: TraceEvent.Name = "payload.foreign"
  public static let about = "Test traffic is sent as another build would write it, which the receiver cannot decode."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var channel: Channel = .message
  public var digest: EventDigest = .none

  public init() {}
  public var body: EventBody { .payloadForeign(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.payloadForeign(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("channel", &channel, "the channel")
    fields.field("digest", &digest, "the payload's digest")
  }
}

/// The event `payload.undecodable`.
public struct PayloadUndecodable: NarratedEvent {
  public static let name: TraceEvent.Name = "payload.undecodable"
  public static let about = "A payload arrived that the app cannot decode."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var error: String = ""

  public init() {}
  public var body: EventBody { .payloadUndecodable(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.payloadUndecodable(self, at: place, into: &report)
  }

  public var sentence: EventSentence {
    .init("receives something of the \(from.text) that it cannot decode: \(error)")
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("error", &error, "what is wrong with it")
  }
}
