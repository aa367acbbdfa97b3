public import Link

extension Plants {
  /// The phone queues its notices, and the watch taps for each, however old.
  public static let companionEcho = Plants(bit: 8)
}

extension Plant {
  public static let companionEcho = Plant(
    "companion-echo", .companionEcho, in: [.watch, .phone],
    happened:
      "The notices of spoken lines queued up in an outage and buzzed the wrist ten times at the reconnect.",
    wrong:
      "The phone queues its notices, and the watch taps for each, however old.",
    right:
      "Haptics are best effort: what cannot be sent is dropped, and what is older than 10 s is ignored.",
    caughtBy: ["haptic-in-time"])
}
