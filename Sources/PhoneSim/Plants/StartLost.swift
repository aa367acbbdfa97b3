package import Link

extension Plants {
  /// A start is asked for once, by message alone, and nobody waits for the answer.
  package static let startLost = Plants(bit: 45)
}

extension Plant {
  /// A start is asked for once, by message alone, and nobody waits for the answer.
  package static let startLost = Plant(
    "start-lost", .startLost, in: [.phone],
    happened:
      "A start was sent by message alone to a cold watch; nothing happened, and nobody was told.",
    wrong:
      "A start is asked for once, by message alone, and nobody waits for the answer.",
    right:
      "The watch answers every start; without an answer the phone asks once more after 10 s, and says so after 10 more.",
    caughtBy: ["start-in-time"])
}
