package import Link

extension Plants {
  /// What comes by context is obeyed however old it is, and whatever became of its run.
  package static let fossilContext = Plants(bit: 17)
}

extension Plant {
  /// What comes by context is obeyed however old it is, and whatever became of its run.
  package static let fossilContext = Plant(
    "fossil-context", .fossilContext, in: [.watch],
    happened:
      "The last application context ever written is handed over at every activation; an old one was taken "
      + "for news.",
    wrong:
      "What comes by context is obeyed however old it is, and whatever became of its run.",
    right:
      "A context carries its time, and what is older than its use is ignored.",
    caughtBy: ["start-in-time", "ended-is-final"])
}
