/// A quirk that makes messages fail although the app believes its peer reachable.
public protocol MessageErrorFault: SessionQuirkFault {
  /// The error of the messages, one of ``SessionQuirk/messageErrors``; nil to draw it for each.
  var error: SessionError? { get }
  /// Creates the fault for a device.
  init(_ node: NodeRole, error: SessionError?)
}

extension MessageErrorFault {
  public init(_ node: NodeRole) { self.init(node, error: nil) }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    let node = Self.readNode(value)
    fault.allow(["error"])
    let choices: [(word: String, choice: SessionError?)] =
      SessionQuirk.messageErrors.map { ($0.rawValue, $0) } + [(Self.drawn, nil)]
    let error = fault.has("error") ? fault.oneOf("error", choices) : .some(nil)
    guard let node, let error else { return nil }
    self.init(node, error: error)
  }

  /// The value for an error that is drawn for each message.
  static var drawn: String { "drawn" }

  /// The parameter's row on the reference page.
  static var errorParameter: FaultPage.Parameter {
    .init(
      "error", "\((SessionQuirk.messageErrors.map(\.rawValue) + [drawn]).joined(separator: ", "))", standard: drawn,
      "the error of a message that does not arrive, for a sender with an error handler")
  }

  public var params: [JSONMember] { [nodeParameter] + options }
  public var spelling: [JSONMember] { [nodeSpelling] + options }
  private var options: [JSONMember] { error.map { [JSONMember("error", .string($0.rawValue))] } ?? [] }
  public var order: NodeOrder { .impose(Self.quirk, error: error) }
}
