package import Link

extension Plants {
  package static let stuckAlarm = Plants(bit: 40)
}

extension Plant {
  package static let stuckAlarm = Plant(
    "stuck-alarm", .stuckAlarm, in: [.phone],
    happened:
      "The indicator stayed up after the reconnect, because the first packet back was a duplicate.",
    wrong:
      "Only the first packet after the alarm can clear the indicator.",
    right:
      "The first fresh snapshot clears the indicator.",
    caughtBy: ["liveness-clears"])
}
