package import Link

extension Plants {
  /// The units of a report's last part are not stored.
  package static let lastPartLost = Plants(bit: 79)
}

extension Plant {
  package static let lastPartLost = Plant(
    "last-part-lost", .lastPartLost, in: [.phone],
    happened:
      "Rides of more than half an hour had no gaits in the app, although their distance and time were right.",
    wrong:
      "The phone stores a session with the units of all parts of its report but the last.",
    right:
      "A session is stored with the units of all parts.",
    caughtBy: ["truth-runs"], sweptIn: "athlete")
}
