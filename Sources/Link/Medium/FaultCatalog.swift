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
  ]

  /// Faults that give orders.
  public static let worldFaults: [any WorldFault.Type] = [
    DisconnectFault.self
  ]

  /// All of them.
  public static var all: [any FaultKind.Type] {
    frameFaults.map { $0 as any FaultKind.Type } + worldFaults.map { $0 as any FaultKind.Type }
  }
}
