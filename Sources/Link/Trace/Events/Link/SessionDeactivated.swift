/// The event `session.deactivated`.
public struct SessionDeactivated: NarratedEvent {
  public static let name: TraceEvent.Name = "session.deactivated"
  public static let about = "A switch of watches deactivates the session of an app that uses WatchConnectivity."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}
  public var body: EventBody { .sessionDeactivated(self) }

  public var sentence: EventSentence { .init("its session is deactivated: the runner switches watches") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
