/// The event `app.finding`.
public struct AppFindingMade: TraceEventKind {
  public static let name: TraceEvent.Name = "app.finding"
  public static let about =
    "Something is wrong with an app, or virtual time cannot control it ([virtual-time.md](virtual-time.md))."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var text: String = ""

  public init() {}
  public var body: EventBody { .appFinding(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "kind", &kind,
      "`fact` for a fact that is refused, `act` for an act without a handler, or what cannot be controlled")
    fields.field("text", &text, "the finding")
  }
}
