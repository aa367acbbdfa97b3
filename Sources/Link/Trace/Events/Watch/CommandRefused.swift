/// The event `command.refused`.
public struct CommandRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "command.refused"
  public static let about = "A command of the scenario cannot be done."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the command")
    fields.field("why", &why, "why not")
  }
}
