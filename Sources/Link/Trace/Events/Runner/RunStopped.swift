/// The event `stopped`.
public struct RunStopped: TraceEventKind {
  public static let name: TraceEvent.Name = "stopped"
  public static let about = "The user stopped the run."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public init() {}
  public var body: EventBody { .stopped(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
