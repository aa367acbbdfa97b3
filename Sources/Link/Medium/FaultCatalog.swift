/// All kinds of faults.
public enum FaultCatalog {
  /// Faults that affect frames, in the order of the reference page.
  public static let frameFaults: [any FrameFault.Type] = [
    LossFault.self,
    DelayFault.self,
    BatchFault.self,
    ReorderFault.self,
    DuplicateFault.self,
    CorruptFault.self,
    BandwidthFault.self,
    ReplyLostFault.self,
    OneWayFault.self,
    ContextCongestionFault.self,
  ]

  /// Faults of the link.
  public static let worldFaults: [any WorldFault.Type] = [
    DisconnectFault.self
  ]

  /// Faults of a device.
  public static let nodeFaults: [any NodeFault.Type] =
    [
      KillFault.self,
      RebootFault.self,
      SuspendFault.self,
      ClockSkewFault.self,
      DiskFullFault.self,
      AppUpdateFault.self,
      NotInstalledFault.self,
    ] + quirks.map { $0 as any NodeFault.Type } + [
      SendFailsFault.self, HealthFault.self, SystemFault.self, CpuLimitFault.self,
    ]

  /// Quirks of a device's session, which are among ``nodeFaults``.
  public static let quirks: [any SessionQuirkFault.Type] = [
    ReachabilityStuckFault.self,
    ReachabilityEdgeLostFault.self,
    PhantomReachableFault.self,
    QueueStallFault.self,
    ContextBurstFault.self,
    DeliveredTwiceFault.self,
    FinishLostFault.self,
    ContextUnannouncedFault.self,
    ContextRepeatedFault.self,
    GettersBlockFault.self,
  ]

  /// The kinds that also apply to the phone-edge link; quirks belong to the watch-phone framework.
  public static let ofUplink: [any FaultKind.Type] = [
    LossFault.self,
    DelayFault.self,
    ReorderFault.self,
    DuplicateFault.self,
    CorruptFault.self,
    BandwidthFault.self,
    DisconnectFault.self,
  ]

  /// The name of a kind on the uplink: `uplink.loss`.
  public static func uplinkName(of kind: any FaultKind.Type) -> String { "uplink.\(kind.kind)" }

  public static let all: [any FaultKind.Type] =
    frameFaults.map { $0 as any FaultKind.Type } + worldFaults.map { $0 as any FaultKind.Type }
    + nodeFaults.map { $0 as any FaultKind.Type }
}
