/// A quirk of a device's session: a node fault that switches it on.
///
/// To add one: a case of ``SessionQuirk``, a file in `Quirks/` and a line in ``FaultCatalog``.
public protocol SessionQuirkFault: NodeFault {
  /// The session's misbehaviour.
  static var quirk: SessionQuirk { get }
  /// Creates the fault for a device.
  init(_ node: NodeRole)
}

extension SessionQuirkFault {
  public static var kind: String { quirk.rawValue }
  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.pickNode()) }
  public var order: NodeOrder { .impose(Self.quirk, error: nil) }
}
