package import Link

extension ScriptRank {
  /// Whether the line is an answer to the athlete rather than a line of the script.
  package var isReply: Bool { trigger == "ai_reply" }
}
