package import Link

extension Plants {
  /// Events that the session refused are retried from memory only.
  package static let owedInMemory = Plants(bit: 22)
}

extension Plant {
  package static let owedInMemory = Plant(
    "owed-in-memory", .owedInMemory, in: [.watch],
    happened:
      "Messages that could not be sent were dropped with the error, or waited in memory only "
      + "(github.com/dmadan86/waves/pull/368).",
    wrong:
      "Events that the session refused are retried from memory, and forgotten by a restart.",
    right:
      "What must still be announced is stored with the workout.",
    caughtBy: ["run-survives-disconnect"])
}
