/// A node's orders to its driver, in order: the buffer that its machines append to.
///
/// Durable changes are `change` and `appChange` items closed by `commit`; they become durable together, before the
/// items after them.
public struct NodeOutput: Sendable {
  /// One order.
  public enum Item: Sendable {
    /// Send this frame.
    case frame(Frame)
    /// Write this line.
    case event(TraceEvent)
    /// A part of the transaction that the next `commit` closes.
    case change(SessionChange)
    /// A part of the transaction that the next `commit` closes: the app change with this index in the node's list.
    case appChange(Int)
    /// Make the changes since the last commit durable, all or none.
    case commit
    /// A crash point.
    case crashPoint(CrashPoint)
    /// Read these entries and pass them in as the next input.
    case page(PageOrder)
    /// Carry out this order for a file.
    case file(FileOrder)
    /// Send this frame, with `count` bytes of the file `transfer` from its `offset` on.
    case chunk(Frame, count: Int)
    /// The end of the orders for one input, which separates the answers to several inputs of one grant.
    case handled
  }

  /// The orders, in order.
  public var items: [Item] = []
  /// Whether events are recorded; otherwise they are not even created.
  public let isRecording: Bool
  /// Whether the app's stored state is ever read; otherwise its changes are not even created, because the node never
  /// restarts.
  public let isKeeping: Bool

  public init(isRecording: Bool, isKeeping: Bool = true) {
    self.isRecording = isRecording
    self.isKeeping = isKeeping
  }

  /// Orders a frame to be sent.
  @inlinable public mutating func send(_ frame: Frame) { items.append(.frame(frame)) }

  /// Orders a line of the trace; `event` is evaluated only if events are recorded.
  @inlinable public mutating func record(_ event: @autoclosure () -> TraceEvent) {
    if isRecording { items.append(.event(event())) }
  }

  /// Orders an event of the trace; `fill` sets its fields, and runs only if events are recorded.
  @inlinable @inline(__always)
  public mutating func record<Kind: TraceEventKind>(
    _ kind: Kind.Type, at time: VirtualTime, on place: TraceEvent.Place, _ fill: (inout Kind) -> Void = { _ in }
  ) {
    if isRecording { items.append(.event(TraceEvent(kind, at: time, on: place, fill))) }
  }

  /// Orders an event of the trace; `event` is evaluated only if events are recorded.
  @inlinable public mutating func record<Kind: TraceEventKind>(
    _ event: @autoclosure () -> Kind, at time: VirtualTime, on place: TraceEvent.Place
  ) {
    if isRecording { items.append(.event(TraceEvent(event(), at: time, on: place))) }
  }

  /// Orders one durable change as a transaction of its own.
  @inlinable public mutating func commit(_ change: SessionChange) {
    items.append(.change(change))
    items.append(.commit)
  }
}
