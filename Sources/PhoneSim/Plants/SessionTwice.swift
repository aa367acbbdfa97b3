package import Link

extension Plants {
  /// A finished workout is stored a second time as a session.
  package static let sessionTwice = Plants(bit: 12)
}

extension Plant {
  package static let sessionTwice = Plant(
    "session-twice", .sessionTwice, in: [.phone],
    happened:
      "Every swim was in the training history twice, and the month's distance was twice what was swum.",
    wrong:
      "The app stores the watch's report, and stores the session again when the workout is finished.",
    right:
      "A session has the workout's identifier: whatever reports it, it is stored once.",
    caughtBy: ["session-once"], sweptIn: "trust-training")
}
