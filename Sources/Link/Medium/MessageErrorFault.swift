/// A quirk that makes messages fail although the app believes its peer reachable.
public protocol MessageErrorFault: SessionQuirkFault {
  /// The error of the messages, one of ``SessionQuirk/messageErrors``; nil to draw it for each.
  var error: SessionError? { get set }
  /// Creates the fault for a device.
  init(_ node: NodeRole, error: SessionError?)
}

extension MessageErrorFault {
  public init(_ node: NodeRole) { self.init(node, error: nil) }

  /// The key for the error; `drawn` is nil.
  static var errorField: Field<Self> {
    let choices = SessionQuirk.messageErrors.map { (word: $0.rawValue, choice: SessionError?.some($0)) }
    return Field(
      "error", \.error, ValueSchema<SessionError?>.choice(choices + [("drawn", nil)]),
      "the error of a message that does not arrive, for a sender with an error handler"
    ).omittedAtDefault
  }

  public var orders: [NodeOrder] { [.impose(Self.quirk, error: error)] }
}
