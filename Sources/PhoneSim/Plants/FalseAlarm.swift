package import Link

extension Plants {
  package static let falseAlarm = Plants(bit: 38)
}

extension Plant {
  package static let falseAlarm = Plant(
    "false-alarm", .falseAlarm, in: [.phone],
    happened:
      "\"Watch disconnected\" showed in a pause, or because the time before the run was counted.",
    wrong:
      "Silence counts in any run that has not ended, from the last snapshot of the watch.",
    right:
      "Silence counts only while the run is believed running, from its start or resumption at the earliest.",
    caughtBy: ["liveness-deadline"])
}
