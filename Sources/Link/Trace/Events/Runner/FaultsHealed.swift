/// The event `healed`.
public struct FaultsHealed: TraceEventKind {
  public static let name: TraceEvent.Name = "healed"
  public static let about =
    "Every fault has ended and no node is started any more. The queues drain for at most 10 minutes; only if a fault has delayed frames by more than 5 minutes, until 5 minutes after the last of those frames."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public init() {}
  public var body: EventBody { .healed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
