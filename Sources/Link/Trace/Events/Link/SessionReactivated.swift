/// The event `session.activated`.
public struct SessionReactivated: NarratedEvent {
  public static let name: TraceEvent.Name = "session.activated"
  public static let about = "The app has activated its session again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .sessionActivated(self) }

  public var sentence: EventSentence { .init("its session is active again", isRelief: true) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
