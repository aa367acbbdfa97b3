/// The event `audio.interruption`.
public struct AudioInterruptionBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interruption"
  public static let about = "Another app interrupts the audio."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
