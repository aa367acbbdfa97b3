/// A trace event with typed fields, as checkers receive it.
public struct TypedEvent: Sendable {
  /// The line it was read from.
  public let source: TraceEvent
  /// The fields.
  public let body: EventBody

  /// Reads the fields of a line.
  public init(_ source: TraceEvent) {
    self.source = source
    body = EventCatalog.entry(source.name)?.body(source.fields) ?? .foreign(source)
  }

  /// Reads the fields of a line whose name is that of a kind of the catalogue.
  init(_ source: TraceEvent, kind: Int) {
    self.source = source
    body = EventCatalog.all[kind].body(source.fields) ?? .foreign(source)
  }

  /// When it happened.
  public var time: VirtualTime { source.time }
  /// Where: a node, the link, or the runner.
  public var place: TraceEvent.Place { source.place }
  /// What.
  public var name: TraceEvent.Name { source.name }
}
