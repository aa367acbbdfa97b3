package import Link

extension Plants {
  /// A pause of ten minutes ends the workout.
  package static let pauseEnds = Plants(bit: 78)
}

extension Plant {
  package static let pauseEnds = Plant(
    "pause-ends", .pauseEnds, in: [.watch],
    happened:
      "A swimmer talked to the coach for a quarter of an hour, pressed to go on, and swam the rest of the session without a watch that counted: the app had ended the workout.",
    wrong:
      "The watch ends a workout that has been paused for ten minutes, as if the athlete had.",
    right:
      "A workout ends when its athlete ends it, or at its planned end.",
    caughtBy: ["truth-runs"], sweptIn: "athlete")
}
