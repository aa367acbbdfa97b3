/// The event `audio.mute`.
public struct AudioMuted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.mute"
  public static let about = "The runner mutes the coach."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
