package import Link

extension Plants {
  /// A restored workout exists in memory only.
  package static let recoveryInMemory = Plants(bit: 20)
}

extension Plant {
  package static let recoveryInMemory = Plant(
    "recovery-in-memory", .recoveryInMemory, in: [.watch],
    happened:
      "The watch deleted the stored workout as soon as it offered to restore it, and kept it in memory "
      + "only: a second crash lost it (github.com/piscoTech/GymTracker/issues/5).",
    wrong:
      "A workout that was restored once is not restored again.",
    right:
      "A workout is stored until it has ended, however often the app is started.",
    caughtBy: ["run-survives-disconnect"])
}
