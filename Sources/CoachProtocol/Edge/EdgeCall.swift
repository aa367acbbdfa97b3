public import Link

/// The edge's calls, which the phone uses over the uplink.
public enum EdgeCall: String, Sendable, CaseIterable {
  /// A script for a run.
  case generateScript
  /// A reply to the athlete.
  case chatReply
  /// A summary of a finished run, and facts learnt from it.
  case postRunSummary
  /// The words of a voice note that the phone's own recogniser could not read.
  case transcribe
  /// Daily aggregates for the server's store.
  case insightsSync

  public var path: String {
    switch self {
    case .generateScript: "/generate-script"
    case .chatReply: "/chat-reply"
    case .postRunSummary: "/post-run-summary"
    case .transcribe: "/transcribe"
    case .insightsSync: "/insights/sync"
    }
  }

  /// The longest time for an answer, counted from the request, inclusive.
  public var deadline: VirtualTime.Span {
    switch self {
    case .generateScript: .seconds(30)
    case .chatReply: .seconds(8)
    case .postRunSummary: .seconds(60)
    case .transcribe: .seconds(30)
    case .insightsSync: .seconds(30)
    }
  }

  /// The call of a path; nil if there is none.
  public init?(path: String) {
    guard let call = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = call
  }
}
