/// The event `reachability`.
public struct ReachabilityChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "reachability"
  public static let about = "This side learns whether the other is reachable."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var reachable: Bool = false
  public var cause: String = ""
  public var told: Bool?

  public init() {}
  public var body: EventBody { .reachability(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reachable", &reachable, "whether it is")
    fields.field(
      "cause", &cause,
      "how it learns of it: hello, supervision, reconnect, peer, installed, notInstalled, capture, or a quirk's name")
    fields.field("told", &told, "only false: the app is not notified")
  }
}
