/// The event `haptic`.
public struct HapticPlayed: TraceEventKind {
  public static let name: TraceEvent.Name = "haptic"
  public static let about = "The watch taps."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var kind: String = ""
  public var message: String?

  public init() {}
  public var body: EventBody { .haptic(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "which one")
    fields.field("message", &message, "the message that it accompanies")
  }
}
