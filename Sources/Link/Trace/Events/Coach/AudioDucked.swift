/// The event `audio.duck`.
public struct AudioDucked: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.duck"
  public static let about = "Music is lowered."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .audioDuck(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
