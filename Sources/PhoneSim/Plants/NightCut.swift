package import Link

extension Plants {
  package static let nightCut = Plants(bit: 70)
}

extension Plant {
  package static let nightCut = Plant(
    "night-cut", .nightCut, in: [.phone],
    happened:
      "After weeks of syncs at half past one in the night, every night had two hours of sleep.",
    wrong:
      "A night that was fetched while it lasted is never fetched again.",
    right:
      "A day that was not over when it was fetched is fetched again by the next sync.",
    caughtBy: ["ingestion-whole-nights"], sweptIn: "field/night-cut")
}
