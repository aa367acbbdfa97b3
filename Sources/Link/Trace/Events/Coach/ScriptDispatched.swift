/// The event `script.dispatch`.
public struct ScriptDispatched: TraceEventKind {
  public static let name: TraceEvent.Name = "script.dispatch"
  public static let about =
    "A message is due and is spoken. A line of the script has all four fields of the fresh snapshot at which it was judged; an answer in a run that the phone tracks itself has only `elapsed`, by the phone's timers; one in a run without a snapshot so far has none."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rank = ScriptRank()
  public var figures = SnapshotFigures()

  public init() {}
  public var body: EventBody { .scriptDispatch(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    rank.visit(&fields)
    figures.visit(&fields)
  }
}
