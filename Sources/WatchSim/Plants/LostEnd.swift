package import Link

extension Plants {
  /// The end is committed first and announced after it; nobody looks at the next start whether it was.
  package static let lostEnd = Plants(bit: 18)
}

extension Plant {
  /// The end is committed first and announced after it; nobody looks at the next start whether it was.
  package static let lostEnd = Plant(
    "lost-end", .lostEnd, in: [.watch],
    happened:
      "The watch app was killed between ending the workout and queueing workoutEnded.",
    wrong:
      "The end is committed first and announced after it; nobody looks at the next start whether it was.",
    right:
      "The end and its place in the queue are one transaction; what is owed is announced at the next start.",
    caughtBy: ["run-survives-disconnect"])
}
