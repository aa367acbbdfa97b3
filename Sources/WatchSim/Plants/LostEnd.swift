package import Link

extension Plants {
  /// The end is committed before it is announced, and a restart does not check whether it was announced.
  package static let lostEnd = Plants(bit: 18)
}

extension Plant {
  package static let lostEnd = Plant(
    "lost-end", .lostEnd, in: [.watch],
    happened:
      "The watch app was killed between ending the workout and queueing workoutEnded.",
    wrong:
      "The end is committed before it is announced, and a restart does not check whether it was announced.",
    right:
      "The end and its queued event are one transaction; unannounced events are queued at the next start.",
    caughtBy: ["run-survives-disconnect"])
}
