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
  public init(_ source: consuming TraceEvent, line: Int = 0) {
    let body = EventCatalog.entry(source.name)?.body(source.fields)
    self.init(source, body, line)
  }

  /// Reads the fields of a line whose name is that of a kind of the catalogue.
  init(_ source: consuming TraceEvent, kind: Int, line: Int) {
    let body = EventCatalog.all[kind].body(source.fields)
    self.init(source, body, line)
  }

  @inline(__always)
  private init(_ source: consuming TraceEvent, _ body: EventBody?, _ line: Int) {
    if let body { self.body = body } else { self.body = .foreign(copy source) }
    if case .frameSent(let sent) = self.body {
      frame = SentFrame(sent, from: source.place, at: source.time, line: line)
    }
    self.source = source
  }

  /// When it happened.
  public var time: VirtualTime { source.time }
  /// Where: a node, the link, or the runner.
  public var place: TraceEvent.Place { source.place }
  /// What.
  public var name: TraceEvent.Name { source.name }
}
