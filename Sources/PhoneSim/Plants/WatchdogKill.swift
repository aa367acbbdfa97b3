package import Link

extension Plants {
  /// A background delivery counts as handled before its work is done.
  package static let watchdogKill = Plants(bit: 11)
}

extension Plant {
  package static let watchdogKill = Plant(
    "watchdog-kill", .watchdogKill, in: [.phone],
    happened:
      "The system killed apps that had not finished a background delivery within its 15 s "
      + "(github.com/home-assistant/iOS/issues/1191); what they had been handed did not come again.",
    wrong:
      "A queued event is marked as handled in a transaction of its own, before its effects are stored.",
    right:
      "The effects of an event and its handled mark are one transaction: an app that is killed gets it "
      + "again.",
    caughtBy: ["end-finishes-run", "belief-is-newest"],
    sweptIn: "trust-runs")
}
