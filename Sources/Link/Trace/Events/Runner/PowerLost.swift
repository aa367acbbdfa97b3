/// The event `power.lost`.
public struct PowerLost: DeviceEvent {
  public static let name: TraceEvent.Name = "power.lost"
  public static let about =
    "A device loses its power, after `node.killed` if its app ran. What its store had not synced may be lost."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var unsynced: Int64 = 0
  public var lost: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("unsynced", &unsynced, "commits since the store was last synced; 0 for durability `full`")
    fields.field("lost", &lost, "how many of them are lost, always the latest")
  }
}
