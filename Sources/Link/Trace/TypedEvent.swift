/// A trace event as checkers receive it: with the frame that it is about.
public struct TypedEvent: Sendable {
  /// The event.
  public let source: TraceEvent
  /// The frame that a `frame.sent`, `frame.duplicated`, `frame.delivered` or `frame.dropped` is about; nil for other
  /// events, and for a frame that was never sent, or so long ago that the judge has forgotten it.
  public internal(set) var frame: SentFrame?

  /// Adds the frame to the event of a sent one; any other event has none yet.
  public init(_ source: consuming TraceEvent, line: Int = 0) {
    if case .frameSent(let sent) = source.body {
      frame = SentFrame(sent, from: source.place, at: source.time, line: line)
    }
    self.source = source
  }

  /// What happened, with typed fields.
  @inlinable public var body: EventBody { source.body }
  /// When it happened.
  @inlinable public var time: VirtualTime { source.time }
  /// Where: a node, the link, or the runner.
  @inlinable public var place: TraceEvent.Place { source.place }
  /// What happened, as the trace names it.
  public var name: TraceEvent.Name { source.name }
}
