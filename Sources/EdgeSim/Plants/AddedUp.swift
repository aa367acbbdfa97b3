package import Link

extension Plants {
  package static let addedUp = Plants(bit: 29)
}

extension Plant {
  package static let addedUp = Plant(
    "added-up", .addedUp, in: [.edge],
    happened:
      "After a bad connection, the server showed twice the calories.",
    wrong:
      "What is posted again is added to the day's totals.",
    right:
      "A day's snapshot is replaced, and only by a later revision.",
    caughtBy: ["sync-idempotent", "sync-complete"], sweptIn: "trust-aggregates")
}
