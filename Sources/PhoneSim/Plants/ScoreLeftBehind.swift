package import Link

extension Plants {
  /// A competition's cached score does not follow a session that was changed on the other phone.
  package static let scoreLeftBehind = Plants(bit: 26)
}

extension Plant {
  package static let scoreLeftBehind = Plant(
    "score-left-behind", .scoreLeftBehind, in: [.phone],
    happened:
      "A score was corrected on the trainer's phone: the athlete's showed the corrected shots, and the old result.",
    wrong:
      "A phone refreshes the cached result when its own user changes the session, and not when rows arrive.",
    right:
      "What depends on a session is computed again after every merge that changed it.",
    caughtBy: ["score-follows-session", "stores-converge"], sweptIn: "two-phones")
}
