package import Link

extension Plants {
  package static let doubleMeasured = Plants(bit: 54)
}

extension Plant {
  package static let doubleMeasured = Plant(
    "double-measured", .doubleMeasured, in: [.phone],
    happened:
      "After raw data was purged and fetched again, the user had slept for 15 hours.",
    wrong:
      "Measures of a row are added to those of its day.",
    right:
      "They replace those of their type in the day's action.",
    caughtBy: ["ingestion-refetch-same"], sweptIn: "trust-ingestion")
}
