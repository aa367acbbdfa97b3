/// A quirk of a device's session: a node fault whose order is to impose it.
///
/// To add one: a case of ``SessionQuirk``, a file in `Quirks/` and a line in ``FaultCatalog``.
public protocol SessionQuirkFault: NodeFault {
  /// What the session gets wrong.
  static var quirk: SessionQuirk { get }
  /// Creates a fault of a device.
  init(_ node: NodeRole)
}

extension SessionQuirkFault {
  public static var kind: String { quirk.rawValue }
  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.node()) }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let node = Self.readNode(value) else { return nil }
    self.init(node)
  }

  public var params: [JSONMember] { [nodeParameter] }
  public var spelling: [JSONMember] { [nodeSpelling] }
  public var order: NodeOrder { .impose(Self.quirk, error: nil) }
}
