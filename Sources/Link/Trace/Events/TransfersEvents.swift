/// The event `transfer.cancelled`.
public struct TransferCancelled: NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.cancelled"
  public static let about = "The transfer is given up."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var by: String = ""
  public var error: String?
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferCancelled(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferCancelled(self, at: place, into: &report)
  }

  public var sentence: EventSentence {
    .init("gives up its transfer" + (kind.map { " \"\($0)\"" } ?? ""))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("by", &by, "which side cancelled it: sender, receiver")
    fields.field("error", &error, "if the sender's app gets one: fileAccessDenied")
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}

/// An event that says what a transfer carries.
public protocol TransferContentEvent: TraceEventKind {
  var identity: TransferIdentity { get set }
  var bytes: Int64? { get set }
  var digest: EventDigest? { get set }
  var name: String? { get set }
}

extension TransferContentEvent {
  /// Describes a received transfer.
  public mutating func describe(_ entry: QueueEntry) {
    describe(entry.transfer, entry.lane, entry.seq, entry.payload)
  }

  /// Describes a transfer; a payload of the file lane is the offer of a file.
  public mutating func describe(
    _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber, _ payload: [UInt8]
  ) {
    identity = TransferIdentity(transfer, lane, seq)
    if lane == .file, let offer = FileOffer(payload) {
      bytes = Int64(offer.byteCount)
      digest = EventDigest(file: offer.digest)
      name = offer.name
    } else {
      bytes = Int64(payload.count)
      digest = EventDigest(of: payload)
    }
  }
}

/// The event `transfer.delivered`.
public struct TransferDelivered: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.delivered"
  public static let about = "The receiver's app has handled a transfer and stored the result."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var details = TransferDetails()

  public init() {}
  public var body: EventBody { .transferDelivered(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferDelivered(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    details.visit(&fields)
  }
}

/// The app's own fields in the lines of a transfer.
public struct TransferDetails: FieldRecord {
  public var kind: String?
  public var workoutId: Identifier?
  public var startedAt: Int64?
  public var discipline: String?
  public var healthKitWorkoutUUID: Identifier?
  public var sentAt: Int64?
  public var note: Identifier?
  public var runId: Identifier?
  public var n: Int64?
  public var report: JSONText?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "of the app's event")
    fields.field("workoutId", &workoutId, "of workout events: the workout")
    fields.field("startedAt", &startedAt, "of workout events: when it started")
    fields.field(
      "discipline", &discipline,
      "of `workoutStarted`: what is trained, if it is no run"
        + " ([disciplines](../built-in-apps.md#disciplines))")
    fields.field("healthKitWorkoutUUID", &healthKitWorkoutUUID, "of workout events: the workout in the health store")
    fields.field("sentAt", &sentAt, "of workout events: when the event was sent")
    fields.field("note", &note, "of voice notes")
    fields.field("runId", &runId, "of voice notes: the run")
    fields.field("n", &n, "of test traffic: its number")
    fields.field(
      "report", &report,
      "of a `sessionReport`: what the watch recorded, as an object ([disciplines](../built-in-apps.md#disciplines))")
  }
}

/// The event `transfer.failed`.
public struct TransferFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.failed"
  public static let about = "The sender gets an error for the transfer."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var error: String = ""
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("error", &error, "the error")
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}

/// The event `transfer.finished`.
public struct TransferFinished: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.finished"
  public static let about = "The receiver has the transfer."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferFinished(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferFinished(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}

/// The fields that identify a transfer and its number.
public struct TransferIdentity: Sendable, Equatable {
  public var transfer: Identifier = .none
  public var channel: Channel = .message
  public var complication: Bool?
  public var seq: Int64?

  public init() {}

  init(_ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber) {
    self.transfer = transfer
    channel = lane.channel
    if lane == .complication { complication = true }
    self.seq = Int64(clamping: seq.rawValue)
  }

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("transfer", &transfer, "the transfer")
    fields.field("channel", &channel, "userInfo or file")
    fields.field("complication", &complication, "only true: a complication transfer")
    fields.field("seq", &seq, "its number in its queue; always present unless an app recorded the trace")
  }
}

/// The event `transfer.progress`.
public struct TransferProgressed: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.progress"
  public static let about = "The receiver of a file has one more quarter of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var transfer: Identifier = .none
  public var received: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}
  public var body: EventBody { .transferProgress(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferProgress(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("transfer", &transfer, "the transfer")
    fields.field("received", &received, "how many bytes have arrived")
    fields.field("bytes", &bytes, "the length of the file")
  }
}

/// The event `transfer.queued`.
public struct TransferQueued: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.queued"
  public static let about = "A transfer is queued."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var details = TransferDetails()
  public var ghost: Identifier?

  public init() {}
  public var body: EventBody { .transferQueued(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferQueued(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "the length of the payload, or of the file")
    fields.field("digest", &digest, "the payload's digest; of a file all 64 digits")
    fields.field("name", &name, "of files")
    details.visit(&fields)
    fields.field("ghost", &ghost, "the workout of a leftover session ([below](#the-watch))")
  }
}

/// The event `transfer.redelivered`.
public struct TransferRedelivered: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.redelivered"
  public static let about =
    "A transfer is delivered again after a crash between the app's handling and the record of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferRedelivered(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferRedelivered(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    fields.field("kind", &kind, "of an app: as queued")
  }
}

/// The event `transfer.refused`.
public struct TransferRefused: NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.refused"
  public static let about = "An app tried to queue something that cannot be queued; its delegate gets the error."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var channel: Channel = .message
  public var error: String = ""

  public init() {}

  public var sentence: EventSentence { .init("cannot queue \(channel == .file ? "a file" : "a transfer"): \(error)") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("channel", &channel, "userInfo or file")
    fields.field("error", &error, "the error")
  }
}

/// The event `transfer.setAside`.
public struct TransferSetAside: TransferContentEvent, NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.setAside"
  public static let about = "A transfer cannot be decoded, and no longer blocks those behind it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var error: String = ""

  public init() {}
  public var body: EventBody { .transferSetAside(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.transferSetAside(self, at: place, into: &report)
  }

  public var sentence: EventSentence { .init("sets a transfer aside that it cannot decode") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    fields.field("error", &error, "why it cannot be decoded")
  }
}
