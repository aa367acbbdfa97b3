package import Link

extension Plants {
  package static let purgedUnparsed = Plants(bit: 51)
}

extension Plant {
  package static let purgedUnparsed = Plant(
    "purged-unparsed", .purgedUnparsed, in: [.phone],
    happened:
      "After an update of the system, weeks of data were missing: the cleanup had deleted rows that the parser "
      + "had refused.",
    wrong:
      "The purge deletes every row that is due, parsed or not.",
    right:
      "Only parsed rows are purged.",
    caughtBy: ["ingestion-purges-parsed"], sweptIn: "trust-ingestion")
}
