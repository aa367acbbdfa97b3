extension Plants {
  /// An event that arrives while the app is suspended is acknowledged, and not stored.
  public static let expiredSession = Plants(bit: 2)
}

extension Plant {
  public static let expiredSession = Plant(
    "expired-session", .expiredSession, in: [.watch, .phone],
    happened:
      "A watch app was woken for background transfers, its background session expired at once, and the "
      + "transferred data was lost (github.com/lionheart/openradar-mirror/issues/15691).",
    wrong:
      "An event that arrives while the app is suspended is acknowledged, and not stored.",
    right:
      "An event is stored before it is acknowledged, whether or not the app can handle it now.",
    caughtBy: ["queues-drain", "guaranteed-no-loss"])
}
