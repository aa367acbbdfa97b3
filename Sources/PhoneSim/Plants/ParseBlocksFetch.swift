package import Link

extension Plants {
  package static let parseBlocksFetch = Plants(bit: 55)
}

extension Plant {
  package static let parseBlocksFetch = Plant(
    "parse-blocks-fetch", .parseBlocksFetch, in: [.phone],
    happened:
      "The first sync of a year of data took minutes, because each answer was parsed before the next query.",
    wrong:
      "The next query waits until everything that was fetched is parsed.",
    right:
      "Queries follow at once; parsing has a timer of its own.",
    caughtBy: ["ingestion-fetch-flows"], sweptIn: "trust-ingestion")
}
