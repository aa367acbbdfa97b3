/// A trace event with typed fields, as checkers receive it.
public struct TypedEvent: Sendable {
  /// The line it was read from.
  public let source: TraceEvent
  /// The fields.
  public let body: EventBody
  /// The frame that a `frame.sent`, `frame.duplicated`, `frame.delivered` or `frame.dropped` is about; nil for other
  /// events, and for a frame that was never sent, or so long ago that the judge has forgotten it.
  public internal(set) var frame: SentFrame?

  /// Reads the fields of a line.
  public init(_ source: TraceEvent, line: Int = 0) {
    self.source = source
    body = EventCatalog.entry(source.name)?.body(source.fields) ?? .foreign(source)
    if case .frameSent(let sent) = body { frame = SentFrame(sent, source, line: line) }
  }

  /// Reads the fields of a line whose name is that of a kind of the catalogue.
  init(_ source: TraceEvent, kind: Int, line: Int) {
    self.source = source
    body = EventCatalog.all[kind].body(source.fields) ?? .foreign(source)
    if case .frameSent(let sent) = body { frame = SentFrame(sent, source, line: line) }
  }

  /// When it happened.
  public var time: VirtualTime { source.time }
  /// Where: a node, the link, or the runner.
  public var place: TraceEvent.Place { source.place }
  /// What.
  public var name: TraceEvent.Name { source.name }
}
