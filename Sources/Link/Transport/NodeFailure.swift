public import Link

/// Why a node could not join, or left a run by itself.
public struct NodeFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The node; nil for a stranger that did not identify itself correctly.
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
    /// No join in time, in seconds; with the number of refused connections.
    case notJoined(seconds: Double, refused: Int)
    /// No answer to a grant or a welcome in time, in seconds.
    case silent(seconds: Double)
    /// The node closed its connection.
    case closed
    /// The node broke the protocol.
    case protocolBroken(WireError)
    /// The node reported that it cannot continue, with the reason.
    case gaveUp(String)
    /// Its process ended.
    case ended(String)
    /// The user's program ended by itself: how, whether it had joined, and the last lines it printed.
    case programEnded(ChildProcess.End, hasJoined: Bool, output: [String])
    /// A process of another user.
    case wrongUser(found: UInt32, expected: UInt32)
    /// A join without the run's token.
    case wrongToken
    /// A join with another version of the protocol.
    case wrongVersion(found: UInt16)
    /// A join for an unknown role.
    case unknownRole(UInt8)
    /// A join for a role that is not part of this run.
    case unexpectedRole
    /// A join for another role than the one that the program was started for.
    case wrongRole(found: NodeRole, expected: NodeRole)
    /// A join for a role that is taken.
    case secondJoin
    /// Too many connections at once.
    case crowd
    /// The node demands more than a run can carry; the text follows its name.
    case overload(String)
    /// Durable state of the node is lost, partly or completely.
    case stateLost(String)
    /// The app cannot continue in virtual time: the kind of the finding (`busy`, `deadlock`, ...), and its text.
    case finding(kind: String, text: String)
    /// Its process does not run any more since it got a signal that stops it.
    case stoppedBySignal(Int32)
    /// An error of the operating system.
    case system(SystemCallError)
    /// The user stopped the run.
    case stopped
  }

  /// The text of the cause: the `cause` of a `node.failed` line.
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
    case .wrongRole(let found, let expected): "a join as the \(found.text), expected the \(expected.text)"
    case .secondJoin: "a second join for a role that is taken"
    case .crowd: "too many connections at once"
    case .overload(let what): what
    case .stateLost(let how): "lost what it had kept: \(how)"
    case .finding(let kind, _): kind
    case .stoppedBySignal(let signal): "its process was stopped by \(ChildProcess.End.signalText(signal))"
    case .system(let error): error.description
    case .stopped: "stopped by the user"
    }
  }

  /// Whether this is a finding about the program that plays the node, and not a failure of the environment.
  public var isFinding: Bool {
    switch cause {
    case .stateLost, .finding, .stoppedBySignal: true
    default: false
    }
  }

  /// Details that do not fit in a line; nil if there are none.
  public var detail: String? {
    if case .finding(_, let text) = cause { text } else { nil }
  }

  public var description: String { "\(role?.text ?? "unknown node"): \(text)" }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }
}
