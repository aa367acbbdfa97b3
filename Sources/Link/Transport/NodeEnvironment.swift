import Glibc
public import Link

/// A node's parameters from its environment or its command line.
public struct NodeEnvironment: Sendable, Equatable {
  /// The variable with the path of the conductor's socket.
  public static let socketName = "WRISTWIRE_SOCKET"
  /// The variable with the node's role.
  public static let roleName = "WRISTWIRE_ROLE"
  /// The variable with the run's token.
  public static let tokenName = "WRISTWIRE_TOKEN"
  /// The variable with the directory of the node's durable state.
  public static let stateName = "WRISTWIRE_STATE"

  /// The path to connect to.
  public var path: String
  /// The role to play.
  public var role: NodeRole
  /// The token for the join.
  public var token: String
  /// The directory for durable state, if any.
  public var state: String?

  public init(path: String, role: NodeRole, token: String, state: String? = nil) {
    self.path = path
    self.role = role
    self.token = token
    self.state = state
  }

  /// The value of a variable of this process; nil if it is not set.
  ///
  /// Foundation's dictionary of all variables takes 3 % of the time in which an app starts.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Reads the environment of this process.
  ///
  /// - Parameters:
  ///   - path: From the command line; overrides the environment.
  ///   - role: From the command line; overrides the environment.
  /// - Throws: ``NodeClientError/environment(name:found:expected:)`` for a missing or unknown value.
  public init(path: String? = nil, role: NodeRole? = nil) throws(NodeClientError) {
    let value = Self.variable
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

/// Why a node cannot continue.
public enum NodeClientError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A wrong environment variable.
  case environment(name: String, found: String, expected: String)
  /// The conductor refused this node or gave it up.
  case refused(String)
  /// The conductor closed the connection before the run was over.
  case closed
  /// A breach of the protocol in either direction.
  case wire(WireError)
  /// An error of the operating system.
  case system(SystemCallError)
  /// The host could not carry out the node's orders.
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
