/// The event `end.asked`.
public struct EndAsked: NarratedEvent {
  public static let name: TraceEvent.Name = "end.asked"
  public static let about =
    "The phone wants the watch to end a run; `endWorkout` follows if the watch is reachable."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// Who wants the run to end.
  public enum Asker: String, EventWord {
    case runner
    /// The phone had cancelled the start, but the watch began the run.
    case cancelledStart
  }

  public var runId: Identifier = .none
  public var by: Asker = .runner

  public init() {}
  public var body: EventBody { .endAsked(self) }

  public var sentence: EventSentence {
    .init("wants the watch to end the run" + (by == .runner ? "" : ", whose start it has taken back"))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("by", &by, "who wants it: runner, cancelledStart (a run of a start that the phone has taken back)")
  }
}
