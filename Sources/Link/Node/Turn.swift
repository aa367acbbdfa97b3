/// A call of a node's machine: its instant, and what the machine orders in it, in order.
///
/// Durable changes are `change` and `appChange` items closed by `commit`; they become durable together, before the
/// items after them. A driver reuses one turn for all calls, and empties it in between.
public struct Turn: Sendable {
  /// One order.
  public enum Item: Sendable {
    /// Send this frame.
    case frame(Frame)
    /// Write this line.
    case event(TraceEvent)
    /// Write this line of the place; only in a turn that passes values.
    case frequent(FrequentEvent, on: TraceEvent.Place)
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

  /// The instant, in virtual time; never earlier than in the call before.
  public var now: VirtualTime
  /// The orders, in order.
  public var items: [Item] = []
  /// What the session hands to its node, in order; the node empties the list before it returns.
  public var deliveries: [SessionDelivery] = []
  /// Whether events are recorded; otherwise they are not even created.
  public let isRecording: Bool
  /// Whether the app's stored state is ever read; otherwise its changes are not even created, because the node never
  /// restarts.
  public let isKeeping: Bool
  /// Whether events of frequent kinds are ordered as values, and not in a ``TraceEvent``.
  @usableFromInline let passesValues: Bool

  public init(
    at now: VirtualTime = .start, isRecording: Bool, isKeeping: Bool = true, passesValues: Bool = false
  ) {
    self.now = now
    self.passesValues = passesValues
    self.isRecording = isRecording
    self.isKeeping = isKeeping
  }

  /// Orders a frame to be sent.
  @inlinable public mutating func send(_ frame: Frame) { items.append(.frame(frame)) }

  /// Orders a line of the trace; `event` is evaluated only if events are recorded.
  @inlinable public mutating func record(_ event: @autoclosure () -> TraceEvent) {
    if isRecording { items.append(.event(event())) }
  }

  /// Orders an event of this instant; `fill` sets its fields, and runs only if events are recorded.
  @inlinable @inline(__always)
  public mutating func record<Kind: TraceEventKind>(
    _ kind: Kind.Type, on place: TraceEvent.Place, _ fill: (inout Kind) -> Void = { _ in }
  ) {
    guard isRecording else { return }
    var event = Kind()
    fill(&event)
    items.append(event.order(in: self, on: place))
  }

  /// Orders an event of this instant; `event` is evaluated only if events are recorded.
  @inlinable public mutating func record<Kind: TraceEventKind>(
    _ event: @autoclosure () -> Kind, on place: TraceEvent.Place
  ) {
    if isRecording { items.append(event().order(in: self, on: place)) }
  }

  /// The order for an event of a frequent kind.
  @inlinable func order<Kind: FrequentKind>(
    _ event: Kind, as value: @autoclosure () -> FrequentEvent, on place: TraceEvent.Place
  ) -> Item {
    passesValues ? .frequent(value(), on: place) : .event(TraceEvent(event, at: now, on: place))
  }

  /// Orders one durable change as a transaction of its own.
  @inlinable public mutating func commit(_ change: SessionChange) {
    items.append(.change(change))
    items.append(.commit)
  }
}

extension Array {
  /// Removes all elements and keeps the capacity; fast for a few elements.
  ///
  /// `removeAll(keepingCapacity:)` costs as much for one element as for a dozen, and lists that are filled and emptied
  /// at every step of a run usually have one.
  @inlinable @inline(__always)
  package mutating func removeFew() {
    while !isEmpty { removeLast() }
  }

  /// Moves an element out and leaves `filler` at its index.
  ///
  /// For a list whose elements are each used once, in order: reading an element instead would copy it and retain its
  /// references.
  @inlinable @inline(__always)
  package mutating func moveOut(_ index: Int, leaving filler: Element) -> Element {
    var element = filler
    swap(&self[index], &element)
    return element
  }
}
