/// The event `audio.unduck`.
public struct AudioUnducked: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.unduck"
  public static let about = "Music is restored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .audioUnduck(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
