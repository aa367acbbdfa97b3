/// The event `haptic.void`.
public struct HapticVoid: TraceEventKind {
  public static let name: TraceEvent.Name = "haptic.void"
  public static let about = "A tap older than 10 s is not played."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var kind: String = ""
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .hapticVoid(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "which one")
    fields.field("sentAt", &sentAt, "when the phone sent it")
  }
}
