package import Link

extension Plants {
  /// A command that arrives by context is obeyed however old it is, even if its run has ended.
  package static let fossilContext = Plants(bit: 17)
}

extension Plant {
  package static let fossilContext = Plant(
    "fossil-context", .fossilContext, in: [.watch],
    happened:
      "The last application context is delivered at every activation; an old one was treated as new.",
    wrong:
      "A command that arrives by context is obeyed however old it is, even if its run has ended.",
    right:
      "A context carries its time, and an outdated one is ignored.",
    caughtBy: ["start-in-time", "ended-is-final"])
}
