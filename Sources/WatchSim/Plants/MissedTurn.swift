package import Link

extension Plants {
  /// A length of a swim is missing from the report.
  package static let missedTurn = Plants(bit: 23)
}

extension Plant {
  package static let missedTurn = Plant(
    "missed-turn", .missedTurn, in: [.watch],
    happened:
      "A swimmer who glided long after a turn found 14 lengths in the app after swimming 16.",
    wrong:
      "The watch does not notice every eighth turn, and reports neither the length before it nor a longer one.",
    right:
      "The parts of a session add up to the session: every length is reported.",
    caughtBy: ["session-adds-up"], sweptIn: "trust-training")
}
