/// A kind of which every second of a run has events: they come from their node to judge and writer as values.
///
/// All other kinds come in a ``TraceEvent``, as these do where somebody reads every kind: decision 184.
public protocol FrequentKind: TraceEventKind {
  /// Its index in ``EventCatalog/all``.
  static var kind: Int { get }
  /// The keys of its fields, in the order of its lines.
  static var keys: [KeyText] { get }
  /// The frame that the event sends; nil for any other event.
  func sentFrame(at place: Occurrence) -> SentFrame?
  /// The number of the frame that the event is about, if it was sent before; otherwise nil.
  var earlierFrame: Int64? { get }
}

extension FrequentKind {
  static func makeKeys() -> [KeyText] { fieldDescriptions.map { KeyText($0.key) } }

  @inlinable public func sentFrame(at place: Occurrence) -> SentFrame? { nil }
  @inlinable public var earlierFrame: Int64? { nil }
}

/// An event of a frequent kind that a node orders.
public enum FrequentEvent: Sendable {
  case messageReceived(MessageReceived)
  case snapshot(SnapshotPublished)
  case snapshotFresh(SnapshotFresh)
}

extension FrameSent: FrequentKind {
  public static let kind = EventCatalog.kind(of: name)
  public static let keys = makeKeys()

  public func sentFrame(at place: Occurrence) -> SentFrame? {
    SentFrame(self, from: place.place, at: place.time, line: place.line)
  }
}

extension FrameDelivered: FrequentKind {
  public static let kind = EventCatalog.kind(of: name)
  public static let keys = makeKeys()
  public var earlierFrame: Int64? { id }
}

extension MessageReceived: FrequentKind {
  public static let kind = EventCatalog.kind(of: name)
  public static let keys = makeKeys()

  @inlinable public func order(in turn: borrowing Turn, on place: TraceEvent.Place) -> Turn.Item {
    turn.order(self, as: .messageReceived(self), on: place)
  }
}

extension SnapshotPublished: FrequentKind {
  public static let kind = EventCatalog.kind(of: name)
  public static let keys = makeKeys()

  @inlinable public func order(in turn: borrowing Turn, on place: TraceEvent.Place) -> Turn.Item {
    turn.order(self, as: .snapshot(self), on: place)
  }
}

extension SnapshotFresh: FrequentKind {
  public static let kind = EventCatalog.kind(of: name)
  public static let keys = makeKeys()

  @inlinable public func order(in turn: borrowing Turn, on place: TraceEvent.Place) -> Turn.Item {
    turn.order(self, as: .snapshotFresh(self), on: place)
  }
}
