package import Link

extension Plants {
  /// Each multiple that was passed is spoken, however far back it lies, with no time between two lines.
  package static let burstAfterGap = Plants(bit: 36)
}

extension Plant {
  /// Each multiple that was passed is spoken, however far back it lies, with no time between two lines.
  package static let burstAfterGap = Plant(
    "burst-after-gap", .burstAfterGap, in: [.phone],
    happened:
      "After a gap of a minute three kilometre lines were spoken back to back.",
    wrong:
      "Each multiple that was passed is spoken, however far back it lies, with no time between two lines.",
    right:
      "30 s between two lines, none too far past its point, and of multiples only the latest.",
    caughtBy: ["dispatch-window", "no-missed-dispatch", "dispatch-justified"])
}
