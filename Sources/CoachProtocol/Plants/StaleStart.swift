public import Link

extension Plants {
  /// The phone queues a start for an unreachable watch, which obeys it however old it is.
  public static let staleStart = Plants(bit: 9)
}

extension Plant {
  public static let staleStart = Plant(
    "stale-start", .staleStart, in: [.watch, .phone],
    happened:
      "A start that was left in the guaranteed queue arrived hours later and began a run.",
    wrong:
      "The phone queues a start for an unreachable watch, which obeys it however old it is.",
    right:
      "A start carries its time and is void after 30 s; it is sent by message and application context, never by the queue.",
    caughtBy: ["start-in-time"])
}
