package import Link

extension Plants {
  package static let utcDays = Plants(bit: 62)
}

extension Plant {
  package static let utcDays = Plant(
    "utc-days", .utcDays, in: [.phone],
    happened:
      "A late dinner in New York counted as breakfast of the next day.",
    wrong:
      "A meal belongs to the day in UTC.",
    right:
      "It belongs to the user's local day, by the offset in force when it was eaten.",
    caughtBy: ["local-days"], sweptIn: "trust-aggregates")
}
