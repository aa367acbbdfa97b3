/// Every kind of fault there is.
public enum FaultCatalog {
  /// Faults that judge frames, in the order of the reference page.
  public static let frameFaults: [any FrameFault.Type] = [
    LossFault.self,
    DelayFault.self,
    ReorderFault.self,
    DuplicateFault.self,
    CorruptFault.self,
    BandwidthFault.self,
    ReplyLostFault.self,
    OneWayFault.self,
    ContextCongestionFault.self,
  ]

  /// Faults that give orders.
  public static let worldFaults: [any WorldFault.Type] = [
    DisconnectFault.self
  ]

  /// Faults of a device.
  public static let nodeFaults: [any NodeFault.Type] = [
    KillFault.self,
    RebootFault.self,
    SuspendFault.self,
    ClockSkewFault.self,
    DiskFullFault.self,
    NotInstalledFault.self,
    ReachabilityStuckFault.self,
    ReachabilityEdgeLostFault.self,
    PhantomReachableFault.self,
    QueueStallFault.self,
    ContextBurstFault.self,
    DeliveredTwiceFault.self,
    FinishLostFault.self,
  ]

  /// Those that can also be put on the phone-edge link: the quirks are the watch-phone framework's own.
  public static let ofUplink: [any FaultKind.Type] = [
    LossFault.self,
    DelayFault.self,
    ReorderFault.self,
    DuplicateFault.self,
    CorruptFault.self,
    BandwidthFault.self,
    DisconnectFault.self,
  ]

  /// What a kind is called where it may be put on either link: `uplink.loss`.
  public static func uplinkName(of kind: any FaultKind.Type) -> String { "uplink.\(kind.kind)" }

  /// All of them.
  public static let all: [any FaultKind.Type] =
    frameFaults.map { $0 as any FaultKind.Type } + worldFaults.map { $0 as any FaultKind.Type }
    + nodeFaults.map { $0 as any FaultKind.Type }
}
