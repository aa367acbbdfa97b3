package import Link

extension Plants {
  /// Only the first packet after the alarm is asked whether it is fresh.
  package static let stuckAlarm = Plants(bit: 40)
}

extension Plant {
  /// Only the first packet after the alarm is asked whether it is fresh.
  package static let stuckAlarm = Plant(
    "stuck-alarm", .stuckAlarm, in: [.phone],
    happened:
      "The indicator stayed up after the reconnect, because the first packet back was a duplicate.",
    wrong:
      "Only the first packet after the alarm is asked whether it is fresh.",
    right:
      "The first fresh snapshot clears the indicator.",
    caughtBy: ["liveness-clears"])
}
