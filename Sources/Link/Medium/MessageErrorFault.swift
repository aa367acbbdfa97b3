/// A quirk that has messages fail although the app believes its peer in reach.
public protocol MessageErrorFault: SessionQuirkFault {
  /// What they fail with, one of ``SessionQuirk/messageErrors``; nil to draw it for each message.
  var error: SessionError? { get }
  /// Creates a fault of a device.
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

  /// The word for an error that is drawn for each message.
  static var drawn: String { "drawn" }

  /// The line of the reference page.
  static var errorParameter: FaultPage.Parameter {
    .init(
      "error", "\((SessionQuirk.messageErrors.map(\.rawValue) + [drawn]).joined(separator: ", "))", standard: drawn,
      "the error of a message that does not arrive and whose sender has an error handler")
  }

  public var params: [JSONMember] { [nodeParameter] + options }
  public var spelling: [JSONMember] { [nodeSpelling] + options }
  private var options: [JSONMember] { error.map { [JSONMember("error", .string($0.rawValue))] } ?? [] }
  public var order: NodeOrder { .impose(Self.quirk, error: error) }
}
