package import Link

extension Plants {
  package static let stagedTwice = Plants(bit: 52)
}

extension Plant {
  package static let stagedTwice = Plant(
    "staged-twice", .stagedTwice, in: [.phone],
    happened:
      "After a manual sync, every day was in the staging table twice.",
    wrong:
      "A day that is fetched again gets another row.",
    right:
      "A day that is fetched again replaces its row: upsert on source, type and start.",
    caughtBy: ["ingestion-upserts"], sweptIn: "trust-ingestion")
}
