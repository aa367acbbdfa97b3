package import Link

extension Plants {
  package static let doubleDelivery = Plants(bit: 33)
}

extension Plant {
  package static let doubleDelivery = Plant(
    "double-delivery", .doubleDelivery, in: [.phone],
    happened:
      "The same event was sent by message and by the queue; the second copy reset the script in mid-run.",
    wrong:
      "Each workoutStarted restarts the script.",
    right:
      "Handling an event twice equals handling it once.",
    caughtBy: ["no-missed-dispatch", "play-once", "dispatch-window"])
}
