/// The event `frame.delivered`.
public struct FrameDelivered: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.delivered"
  public static let about = "A copy of a frame arrives."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copy: Int64 = 0

  public init() {}
  public var body: EventBody { .frameDelivered(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.frameDelivered(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copy", &copy, "0 for the original")
  }
}

/// The event `frame.dropped`.
public struct FrameDropped: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.dropped"
  public static let about = "A copy of a frame is lost."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copy: Int64 = 0
  public var cause: DropCause = .loss
  public var fault: String?

  public init() {}
  public var body: EventBody { .frameDropped(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.frameDropped(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copy", &copy, "0 for the original")
    fields.field("cause", &cause, "why: a quirk has its own name")
    fields.field("fault", &fault, "the fault that caused it")
  }
}

/// The event `frame.duplicated`.
public struct FrameDuplicated: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.duplicated"
  public static let about = "The link makes copies of a frame."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copies: Int64 = 0

  public init() {}
  public var body: EventBody { .frameDuplicated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.frameDuplicated(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copies", &copies, "how many were made, besides the original")
  }
}

/// The event `frame.refused`.
public struct FrameRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.refused"
  public static let about = "A frame arrived that no correct session sends in this situation."
  public static let places: TraceEvent.Writers = .nodes

  public var kind: Frame.Kind = .data
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "what the frame is")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("why", &why, "what is wrong with it")
  }
}

/// The event `frame.sent`.
public struct FrameSent: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.sent"
  public static let about =
    "A frame is sent. The runner writes the line in the sender's name, from the frame's header."
  public static let places: TraceEvent.Writers = .nodes
  public static let isReserved = true

  public var id: Int64 = 0
  public var to: NodeRole = .watch
  public var kind: Frame.Kind = .data
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var bytes: Int64 = 0
  public var digest: EventDigest = .none
  public var attempt: Int64?
  public var transfer: Identifier?
  public var offset: Int64?
  public var wantsReply: Bool?
  public var tSend: Int64?
  public var payload: String?

  public init() {}
  public var body: EventBody { .frameSent(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.frameSent(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "counts the run's frames from 1")
    fields.field("to", &to, "the receiver")
    fields.field("kind", &kind, "what the frame is")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("bytes", &bytes, "the length of the payload")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("attempt", &attempt, "from the second attempt on")
    fields.field("transfer", &transfer, "of transfers, requests and answers to requests")
    fields.field("offset", &offset, "of chunks: their first byte in the file")
    fields.field("wantsReply", &wantsReply, "only true: the message waits for a reply")
    fields.field("t_send", &tSend, "in recordings by an app: when it was sent, if that was before `t`")
    fields.field("payload", &payload, "in recordings by an app: the payload in hexadecimal digits")
  }
}

/// The event `link.up`.
public struct LinkCameUp: TraceEventKind {
  public static let name: TraceEvent.Name = "link.up"
  public static let about = "The radio is back; the nodes notice later."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var cause: String = ""

  public init() {}
  public var body: EventBody { .linkUp(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.linkUp(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "the id of the fault")
  }
}

/// The event `link.down`.
public struct LinkWentDown: TraceEventKind {
  public static let name: TraceEvent.Name = "link.down"
  public static let about = "The radio is cut; the nodes notice later."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var cause: String = ""

  public init() {}
  public var body: EventBody { .linkDown(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.linkDown(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "the id of the fault")
  }
}

/// The event `reachability`.
public struct ReachabilityChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "reachability"
  public static let about = "This side learns whether the other is reachable."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var reachable: Bool = false
  public var cause: String = ""
  public var told: Bool?

  public init() {}
  public var body: EventBody { .reachability(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.reachability(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reachable", &reachable, "whether it is")
    fields.field(
      "cause", &cause,
      "how it learns of it: hello, supervision, reconnect, peer, installed, notInstalled, capture, or a quirk's name")
    fields.field("told", &told, "only false: the app is not notified")
  }
}

/// The event `session.deactivated`.
public struct SessionDeactivated: NarratedEvent {
  public static let name: TraceEvent.Name = "session.deactivated"
  public static let about = "A switch of watches deactivates the session of an app that uses WatchConnectivity."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .sessionDeactivated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.sessionDeactivated(self, at: place, into: &report)
  }

  public var sentence: EventSentence { .init("its session is deactivated: the runner switches watches") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `session.activated`.
public struct SessionReactivated: NarratedEvent {
  public static let name: TraceEvent.Name = "session.activated"
  public static let about = "The app has activated its session again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .sessionActivated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.sessionActivated(self, at: place, into: &report)
  }

  public var sentence: EventSentence { .init("its session is active again", isRelief: true) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
