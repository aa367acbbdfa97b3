package import Link

extension Plants {
  package static let unreadableDone = Plants(bit: 53)
}

extension Plant {
  package static let unreadableDone = Plant(
    "unreadable-done", .unreadableDone, in: [.phone],
    happened:
      "Data of the week in which the system changed its JSON never appeared, even after the app was fixed.",
    wrong:
      "A row that does not parse counts as done.",
    right:
      "It stays unparsed with its reason, and the updated app parses it again.",
    caughtBy: ["ingestion-keeps-failures"], sweptIn: "trust-ingestion")
}
