package import Link

extension Plants {
  /// An app that starts or wakes adopts the last workout even if it has ended.
  package static let zombieSession = Plants(bit: 16)
}

extension Plant {
  package static let zombieSession = Plant(
    "zombie-session", .zombieSession, in: [.watch],
    happened:
      "After a wrist raise the watch app adopted a workout session that had just ended, and published "
      + "zeros.",
    wrong:
      "An app that starts or wakes adopts the last workout even if it has ended.",
    right:
      "Only a workout that has not ended is adopted.",
    caughtBy: ["ended-is-final"])
}
