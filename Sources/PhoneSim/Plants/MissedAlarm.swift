package import Link

extension Plants {
  package static let missedAlarm = Plants(bit: 39)
}

extension Plant {
  package static let missedAlarm = Plant(
    "missed-alarm", .missedAlarm, in: [.phone],
    happened:
      "A trickle of duplicated or reordered old packets kept the indicator from being raised.",
    wrong:
      "Any packet of the watch is a sign of life.",
    right:
      "Only fresh snapshots are.",
    caughtBy: ["liveness-deadline"])
}
