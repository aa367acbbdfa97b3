package import Link

extension Plants {
  /// Silence counts whenever there is a run that has not ended, from whenever the watch was last heard.
  package static let falseAlarm = Plants(bit: 38)
}

extension Plant {
  /// Silence counts whenever there is a run that has not ended, from whenever the watch was last heard.
  package static let falseAlarm = Plant(
    "false-alarm", .falseAlarm, in: [.phone],
    happened:
      "\"Watch disconnected\" showed in a pause, or because the time before the run was counted.",
    wrong:
      "Silence counts whenever there is a run that has not ended, from whenever the watch was last heard.",
    right:
      "Silence counts only while the run is believed running, from its start or resumption at the earliest.",
    caughtBy: ["liveness-deadline"])
}
