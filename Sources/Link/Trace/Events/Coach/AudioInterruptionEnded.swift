/// The event `audio.interruptionEnd`.
public struct AudioInterruptionEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interruptionEnd"
  public static let about = "The interruption is over."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var shouldResume: Bool = false

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("shouldResume", &shouldResume, "whether the system lets the app go on")
  }
}
