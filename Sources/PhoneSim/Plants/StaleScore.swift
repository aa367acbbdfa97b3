package import Link

extension Plants {
  /// A competition's cached score does not follow a changed session.
  package static let staleScore = Plants(bit: 13)
}

extension Plant {
  package static let staleScore = Plant(
    "stale-score", .staleScore, in: [.phone],
    happened:
      "A shot was corrected after a protest, and the competition went on showing the old score.",
    wrong:
      "A competition copies the score when a session is stored, and does not look at it again.",
    right:
      "The stored score is a cache of the linked session, and is computed again with every change of it.",
    caughtBy: ["score-follows-session"], sweptIn: "trust-training")
}
