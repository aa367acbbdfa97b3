public import Link

extension Plant {
  /// Plants in both apps.
  public static let bothApps: [Plant] = [
    companionEcho,
    staleStart,
    mealsUploaded,
    unsyncedStore,
  ]

  public static let companionEcho = Plant(
    8, "companion-echo", in: [.watch, .phone],
    happened:
      "The notices of spoken lines queued up in an outage and buzzed the wrist ten times at the reconnect.",
    wrong:
      "The phone queues its notices, and the watch taps for each, however old.",
    right:
      "Haptics are best effort: what cannot be sent is dropped, and what is older than 10 s is ignored.",
    caughtBy: ["haptic-in-time"])

  public static let staleStart = Plant(
    9, "stale-start", in: [.watch, .phone],
    happened:
      "A start that was left in the guaranteed queue arrived hours later and began a run.",
    wrong:
      "The phone queues a start for an unreachable watch, which obeys it however old it is.",
    right:
      "A start carries its time and is void after 30 s; it is sent by message and application context, never by the queue.",
    caughtBy: ["start-in-time"])

  public static let mealsUploaded = Plant(
    28, "meals-uploaded", in: [.phone, .edge],
    happened:
      "A user found the names of her meals in a backup of the server.",
    wrong:
      "The phone posts the meals of each day beside its totals, and the server stores them.",
    right:
      "Only daily totals leave the phone.",
    caughtBy: ["aggregates-only"], sweptIn: "trust-aggregates")

  package static let unsyncedStore = Plant(
    10, "unsynced-store", in: [.watch, .phone],
    happened:
      "A device whose power failed had lost its last transactions, which others knew of already: its database synced its "
      + "log at checkpoints only (github.com/chiselstrike/chiselstrike/issues/1854).",
    wrong:
      "A store waits for the disk at checkpoints only, and the session acknowledges what is not on the disk.",
    right:
      "What leaves the device is on the disk first.",
    caughtBy: ["queues-drain", "guaranteed-no-loss", "run-survives-disconnect"], sweptIn: "trust-power")
}
