/// A quirk of a device's session: a node fault that switches it on.
///
/// To add one: a file in `Quirks/` with its ``SessionQuirk`` and a line in ``FaultCatalog``.
public protocol SessionQuirkFault: NodeFault {
  /// The session's misbehaviour.
  static var quirk: SessionQuirk { get }
  /// Further ones that its parameters choose, with their effects.
  static var choices: [(quirk: SessionQuirk, effect: String)] { get }
  /// What the session does while it is on, in the words of the protocol: part of a sentence, as Markdown.
  static var effect: String { get }
  /// Creates the fault for a device.
  init(_ node: NodeRole)
}

extension SessionQuirkFault {
  public static var kind: String { quirk.name }
  public static var choices: [(quirk: SessionQuirk, effect: String)] { [] }
  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.pickNode()) }
  public var orders: [NodeOrder] { [.impose(Self.quirk, error: nil)] }
}
