public import Link

/// What the phone asks of the edge, over the uplink.
public enum EdgeCall: String, Sendable, CaseIterable {
  /// A script for a run.
  case generateScript
  /// An answer to what the runner said.
  case chatReply
  /// What there is to say about a run that is over, and what was learnt from it.
  case postRunSummary

  /// The path of its requests.
  public var path: String {
    switch self {
    case .generateScript: "/generate-script"
    case .chatReply: "/chat-reply"
    case .postRunSummary: "/post-run-summary"
    }
  }

  /// How long an answer may take, counted from the request; one that comes at that very instant is in time.
  public var deadline: VirtualTime.Span {
    switch self {
    case .generateScript: .seconds(30)
    case .chatReply: .seconds(8)
    case .postRunSummary: .seconds(60)
    }
  }

  /// The call of a path; nil where there is none.
  public init?(path: String) {
    guard let call = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = call
  }
}
