/// The event `end`.
public struct TraceEnd: TraceEventKind {
  public static let name: TraceEvent.Name = "end"
  public static let about = "The last line of a trace."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var verdict: String?
  public var frames: Int64?
  public var outstanding: JSONText?
  public var violations: JSONText?

  public init() {}
  public var body: EventBody { .end(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("verdict", &verdict, "pass, fail; unknown: the user stopped the run, so it is not judged")
    fields.field("frames", &frames, "the number of `frame.sent` lines")
    fields.field(
      "outstanding", &outstanding,
      "the UUIDs of transfers still owed: unfinished, or unhandled in the inbox of a dead app, or finished without a report because of the quirk `finishLost`"
    )
    fields.field("violations", &violations, "the names of the broken invariants")
  }
}
