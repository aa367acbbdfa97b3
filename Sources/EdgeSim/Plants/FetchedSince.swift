package import Link

extension Plants {
  package static let fetchedSince = Plants(bit: 25)
}

extension Plant {
  package static let fetchedSince = Plant(
    "fetched-since", .fetchedSince, in: [.edge],
    happened:
      "After the server's files were lost, the workouts of the last week came back, and those of the years before did not.",
    wrong:
      "The newest day that was ever fetched is remembered apart from the workouts, and outlives them.",
    right:
      "What was fetched is known from the store alone: an empty one gets everything.",
    caughtBy: ["server-rebuilt"], sweptIn: "day-nemesis")
}
