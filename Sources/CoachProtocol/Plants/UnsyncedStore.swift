package import Link

extension Plants {
  /// Stores are synced now and then instead of at every commit.
  package static let unsyncedStore = Plants(bit: 10)
}

extension Plant {
  package static let unsyncedStore = Plant(
    "unsynced-store", .unsyncedStore, in: [.watch, .phone],
    happened:
      "A device whose power failed had lost its last transactions, which others knew of already: its database synced its "
      + "log at checkpoints only (github.com/chiselstrike/chiselstrike/issues/1854).",
    wrong:
      "A store waits for the disk at checkpoints only, and the session acknowledges what is not on the disk.",
    right:
      "What leaves the device is on the disk first.",
    caughtBy: ["queues-drain", "guaranteed-no-loss", "run-survives-disconnect"], sweptIn: "trust-power")
}
