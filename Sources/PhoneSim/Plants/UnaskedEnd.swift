package import Link

extension Plants {
  package static let unaskedEnd = Plants(bit: 64)
}

extension Plant {
  package static let unaskedEnd = Plant(
    "unasked-end", .unaskedEnd, in: [.phone],
    happened:
      "The end of a run waited in the queue while the next one had begun; this simulator's own phone took the next "
      + "run for a leftover session and ended it on the watch.",
    wrong:
      "The phone orders the watch to end a workout because it does not fit what the phone believes.",
    right:
      "A run ends where the runner wants it, or where the phone has taken its start back. What began later than the "
      + "believed run replaces it.",
    caughtBy: ["end-was-wanted"],
    sweptIn: "trust-belief")
}
