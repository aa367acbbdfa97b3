package import Link

extension Plants {
  package static let remembersWiped = Plants(bit: 61)
}

extension Plant {
  package static let remembersWiped = Plant(
    "remembers-wiped", .remembersWiped, in: [.phone],
    happened:
      "The server got a new memory card, and the months before it never came back.",
    wrong:
      "What was confirmed once stays confirmed, whatever store the server has.",
    right:
      "If the answer names another store, every day is posted again.",
    caughtBy: ["wiped-server-whole", "sync-complete"], sweptIn: "trust-aggregates")
}
