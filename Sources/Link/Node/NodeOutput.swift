/// What a node asks of its driver, in order: the buffer that its machines write into.
///
/// Durable changes come as a run of `change` and `appChange` items closed by `commit`: they become
/// durable together, before anything that follows.
public struct NodeOutput: Sendable {
  /// One order.
  public enum Item: Sendable {
    /// Put this on the medium.
    case frame(Frame)
    /// Write this line.
    case event(TraceEvent)
    /// Part of the transaction that the next `commit` closes.
    case change(SessionChange)
    /// Part of the transaction that the next `commit` closes: the app's own change, by its place in the
    /// list that the node keeps for its host.
    case appChange(Int)
    /// Make the changes since the last one durable, all or none.
    case commit
    /// A named place at which a crash can be asked for.
    case crashPoint(CrashPoint)
    /// Read these entries, and hand them over as the next input, before any other.
    case page(PageOrder)
    /// Do this with a file.
    case file(FileOrder)
    /// Put this chunk on the medium, with so many bytes of the file `transfer`, from `offset` on.
    case chunk(Frame, count: Int)
    /// The orders of one input end here: what tells apart the answers to several inputs of one grant.
    case handled
  }

  /// The orders, in the order they were given.
  public var items: [Item] = []
  /// How much the node should say: events are not even made when nobody listens.
  public let isRecording: Bool
  /// Whether what the app keeps can ever be read: changes of an app are not even made when the node's process is
  /// never started anew.
  public let isKeeping: Bool

  /// Creates an empty buffer.
  public init(isRecording: Bool, isKeeping: Bool = true) {
    self.isRecording = isRecording
    self.isKeeping = isKeeping
  }

  /// Orders a frame to be sent.
  @inlinable public mutating func send(_ frame: Frame) { items.append(.frame(frame)) }

  /// Orders a line of the trace; `event` is not evaluated when nobody listens.
  @inlinable public mutating func record(_ event: @autoclosure () -> TraceEvent) {
    if isRecording { items.append(.event(event())) }
  }

  /// Orders one durable change by itself.
  @inlinable public mutating func commit(_ change: SessionChange) {
    items.append(.change(change))
    items.append(.commit)
  }
}
