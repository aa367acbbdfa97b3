/// What a node asks of its driver, in order: the buffer that its machines write into.
///
/// `Commit` is the node's own vocabulary of durable changes.
public struct NodeOutput<Commit: Sendable>: Sendable {
  /// One order.
  public enum Item: Sendable {
    /// Put this on the medium.
    case frame(Frame)
    /// Write this line.
    case event(TraceEvent)
    /// Make this durable before anything that follows.
    case commit(Commit)
    /// A named place at which a crash can be asked for.
    case crashPoint(StaticString)
  }

  /// The orders, in the order they were given.
  public var items: [Item] = []
  /// How much the node should say: events are not even made when nobody listens.
  public let recording: Recording

  /// Creates an empty buffer.
  public init(recording: Recording) { self.recording = recording }

  /// Whether anybody reads the trace.
  @inlinable public var isRecording: Bool { recording == .on }

  /// Orders a frame to be sent.
  @inlinable public mutating func send(_ frame: Frame) { items.append(.frame(frame)) }

  /// Orders a line of the trace; `event` is not evaluated when nobody listens.
  @inlinable public mutating func record(_ event: @autoclosure () -> TraceEvent) {
    if recording == .on { items.append(.event(event())) }
  }

  /// Orders a durable change.
  @inlinable public mutating func commit(_ change: Commit) { items.append(.commit(change)) }

  /// Whether a node writes trace lines.
  public enum Recording: Sendable { case off, on }
}
