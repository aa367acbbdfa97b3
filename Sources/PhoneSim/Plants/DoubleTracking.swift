package import Link

extension Plants {
  /// A start that failed is not taken back, and the watch's words about it feed the run that the phone tracks.
  package static let doubleTracking = Plants(bit: 46)
}

extension Plant {
  /// A start that failed is not taken back, and the watch's words about it feed the run that the phone tracks.
  package static let doubleTracking = Plant(
    "double-tracking", .doubleTracking, in: [.phone],
    happened:
      "The phone gave up waiting and tracked the run itself; the late watch start then ran as well.",
    wrong:
      "A start that failed is not taken back, and the watch's words about it feed the run that the phone tracks.",
    right:
      "A start that failed is taken back, its late words are refused, and a watch that began it is told to end it.",
    caughtBy: ["one-tracker"])
}
