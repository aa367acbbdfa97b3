/// The event `script.expired`.
public struct ScriptExpired: TraceEventKind {
  public static let name: TraceEvent.Name = "script.expired"
  public static let about = "A message is too far past its point to be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rank = ScriptRank()
  public var figures = SnapshotFigures()

  public init() {}
  public var body: EventBody { .scriptExpired(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    rank.visit(&fields)
    figures.visit(&fields)
  }
}
