package import Link

extension Plants {
  package static let markedEarly = Plants(bit: 60)
}

extension Plant {
  package static let markedEarly = Plant(
    "marked-early", .markedEarly, in: [.phone],
    happened:
      "After an evening without signal, the server never got that day.",
    wrong:
      "A day counts as synchronised once it is posted.",
    right:
      "It counts when the server's answer confirms its revision.",
    caughtBy: ["sync-complete"], sweptIn: "trust-aggregates")
}
