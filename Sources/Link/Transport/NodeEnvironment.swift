import Glibc
public import Link

/// What a node is told when it is started, by its environment or its command line.
public struct NodeEnvironment: Sendable, Equatable {
  /// The variable with the path of the conductor's socket.
  public static let socketName = "WRISTWIRE_SOCKET"
  /// The variable with the node's role.
  public static let roleName = "WRISTWIRE_ROLE"
  /// The variable with the run's token.
  public static let tokenName = "WRISTWIRE_TOKEN"
  /// The variable with the directory of the node's durable state.
  public static let stateName = "WRISTWIRE_STATE"

  /// Where to connect to.
  public var path: String
  /// What to play.
  public var role: NodeRole
  /// What to show.
  public var token: String
  /// Where durable state belongs; nil for nowhere.
  public var state: String?

  /// Says what a node is told.
  public init(path: String, role: NodeRole, token: String, state: String? = nil) {
    self.path = path
    self.role = role
    self.token = token
    self.state = state
  }

  /// Reads the environment of this process.
  ///
  /// - Parameters:
  ///   - path: From the command line; it wins.
  ///   - role: From the command line; it wins.
  /// - Throws: ``NodeClientError/environment(name:found:expected:)`` for what is missing or unknown.
  public init(path: String? = nil, role: NodeRole? = nil) throws(NodeClientError) {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    guard let path = path ?? value(Self.socketName) else {
      throw .environment(name: Self.socketName, found: "nothing", expected: "the path of a conductor's socket")
    }
    guard let token = value(Self.tokenName) else {
      throw .environment(name: Self.tokenName, found: "nothing", expected: "the token of the run")
    }
    if let role {
      self.role = role
    } else {
      let text = value(Self.roleName)
      guard let role = NodeRole.allCases.first(where: { $0.text == text }) else {
        let names = NodeRole.allCases.map(\.text).joined(separator: ", ")
        throw .environment(name: Self.roleName, found: text ?? "nothing", expected: "one of \(names)")
      }
      self.role = role
    }
    self.path = path
    self.token = token
    state = value(Self.stateName)
  }
}

/// Why a node cannot go on.
public enum NodeClientError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A variable of the environment.
  case environment(name: String, found: String, expected: String)
  /// The conductor would not have this node, or gave it up.
  case refused(String)
  /// The conductor closed the connection before the run was over.
  case closed
  /// What came in, or what was to go out, is not the protocol's.
  case wire(WireError)
  /// The operating system refused.
  case system(SystemCallError)
  /// The host could not carry out what the node ordered.
  case host(String)

  public var description: String {
    switch self {
    case .environment(let name, let found, let expected): "$\(name): found \(found), expected \(expected)"
    case .refused(let why): "the conductor refused: \(why)"
    case .closed: "the conductor closed the connection"
    case .wire(let error): error.description
    case .system(let error): error.description
    case .host(let why): why
    }
  }
}
