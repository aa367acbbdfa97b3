package import Link

extension Plants {
  package static let burstAfterGap = Plants(bit: 36)
}

extension Plant {
  package static let burstAfterGap = Plant(
    "burst-after-gap", .burstAfterGap, in: [.phone],
    happened:
      "After a gap of a minute three kilometre lines were spoken back to back.",
    wrong:
      "Every multiple that was passed is spoken, however far back, without a pause between lines.",
    right:
      "At least 30 s between two lines, none too far past its point, and only the latest multiple.",
    caughtBy: ["dispatch-window", "no-missed-dispatch", "dispatch-justified"])
}
