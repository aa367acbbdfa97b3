/// The event `audio.unmute`.
public struct AudioUnmuted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.unmute"
  public static let about = "The runner unmutes the coach."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
