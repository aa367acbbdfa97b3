package import Link

extension Plants {
  /// Gaits, reins and shots have the timer's time.
  package static let timerStamps = Plants(bit: 71)
}

extension Plant {
  package static let timerStamps = Plant(
    "timer-stamps", .timerStamps, in: [.watch],
    happened:
      "After a pause of five minutes, a ride's last gait ended five minutes before the ride.",
    wrong:
      "The watch reports the times of gaits, reins and shots by its timer, beside heart rates and points by the clock.",
    right:
      "Every part of a session has the time since its start, pauses included.",
    caughtBy: ["session-adds-up"], sweptIn: "field/timer-stamps")
}
