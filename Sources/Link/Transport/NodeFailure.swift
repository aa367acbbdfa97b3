public import Link

/// Why a node could not join, or went out of a run unasked.
public struct NodeFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// Which node; nil for a stranger that never said, or said nothing true.
  public var role: NodeRole?
  /// Why.
  public var cause: Cause

  /// Creates a failure.
  public init(_ role: NodeRole?, _ cause: Cause) {
    self.role = role
    self.cause = cause
  }

  /// Why a node failed.
  public enum Cause: Sendable, Equatable {
    /// No join came in time, in seconds; after so many connections that were refused.
    case notJoined(seconds: Double, refused: Int)
    /// A grant or a welcome was not answered in time, in seconds.
    case silent(seconds: Double)
    /// The node closed its connection.
    case closed
    /// The bytes it sent are not the protocol's.
    case protocolBroken(WireError)
    /// The node said itself that it cannot go on, and why.
    case gaveUp(String)
    /// Its process ended: how.
    case ended(String)
    /// The user's program that played it ended by itself: how, whether it had joined, and the last lines it printed.
    case programEnded(ChildProcess.End, hasJoined: Bool, output: [String])
    /// Another user's process.
    case wrongUser(found: UInt32, expected: UInt32)
    /// A join without the run's token.
    case wrongToken
    /// A join in another version of the protocol.
    case wrongVersion(found: UInt16)
    /// A join for a role that does not exist.
    case unknownRole(UInt8)
    /// A join for a role that this run has no place for.
    case unexpectedRole
    /// A join for a role that is taken.
    case secondJoin
    /// More connections at once than are waited for.
    case crowd
    /// The node asks for more than a run can carry: what, in words that follow its name.
    case overload(String)
    /// What the node had made durable is gone, in part or wholly: how that shows.
    case stateLost(String)
    /// The app cannot go on in virtual time: the kind of the finding (`busy`, `deadlock`, ...), and its text.
    case finding(kind: String, text: String)
    /// The operating system refused.
    case system(SystemCallError)
    /// The user stopped the run.
    case stopped
  }

  /// The cause in words: the `cause` of a `node.failed` line.
  public var text: String {
    switch cause {
    case .notJoined(let seconds, 0): "no join within \(Self.text(seconds)) s"
    case .notJoined(let seconds, let refused):
      "no join within \(Self.text(seconds)) s; connections refused: \(refused)"
    case .silent(let seconds): "silent for \(Self.text(seconds)) s"
    case .closed: "closed its connection"
    case .protocolBroken(let error): "broke the protocol: \(error)"
    case .gaveUp(let why): "gave up: \(why)"
    case .ended(let how): how
    case .programEnded(let end, let hasJoined, _):
      "its program \(end.namedDescription)\(hasJoined ? "" : " before it joined")"
    case .wrongUser(let found, let expected): "a process of user \(found), expected \(expected)"
    case .wrongToken: "a join without the run's token"
    case .wrongVersion(let found): "a join in version \(found) of the protocol, expected \(NodeWire.version)"
    case .unknownRole(let number): "a join for role \(number), expected 0...\(NodeRole.allCases.count - 1)"
    case .unexpectedRole: "a join for a role that this run has no place for"
    case .secondJoin: "a second join for a role that is taken"
    case .crowd: "too many connections at once"
    case .overload(let what): what
    case .stateLost(let how): "lost what it had kept: \(how)"
    case .finding(let kind, _): kind
    case .system(let error): error.description
    case .stopped: "stopped by the user"
    }
  }

  /// Whether this is a finding about the program that plays the node, and no failure of the environment.
  public var isFinding: Bool {
    switch cause {
    case .stateLost, .finding: true
    default: false
    }
  }

  /// More of the cause than fits a line; nil where the cause says all.
  public var detail: String? {
    if case .finding(_, let text) = cause { text } else { nil }
  }

  public var description: String { "\(role?.text ?? "unknown node"): \(text)" }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }
}
