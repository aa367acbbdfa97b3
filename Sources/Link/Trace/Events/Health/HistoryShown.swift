/// The event `history.shown`.
public struct HistoryShown: TraceEventKind {
  public static let name: TraceEvent.Name = "history.shown"
  public static let about = "The app shows its list of runs."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runs: Int64 = 0
  public var stubs: Int64 = 0
  public var rows: JSONText = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runs", &runs, "how many runs")
    fields.field("stubs", &stubs, "how many of them are stubs")
    fields.field(
      "rows", &rows, "from columns of the store only: `id`, `label`?, `distance`?, `duration`?, `avgPace`?, `stub`?")
  }
}
