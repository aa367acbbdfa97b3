package import Link

extension Plants {
  package static let latePause = Plants(bit: 34)
}

extension Plant {
  package static let latePause = Plant(
    "late-pause", .latePause, in: [.phone],
    happened:
      "workoutPaused was stuck in the queue in an outage, arrived after the resume, and silenced the coach.",
    wrong:
      "An event is believed whenever it arrives.",
    right:
      "An old event only becomes history.",
    caughtBy: ["belief-is-newest"])
}
