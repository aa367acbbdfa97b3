import Console
import Link

/// Queued events through the pair, durable on both sides, compared with three processes that do only the necessary
/// work.
enum QueueMeasurement: BenchMeasurement {
  static let name = "queue"
  static let about = "events of 256 bytes a second through the pair, durable on both sides and acknowledged"

  /// How many events are in flight at a time.
  private static let inFlight = 20
  /// Events a second of another queue with acknowledgements: mosquitto with QoS 1, saving every change.
  ///
  /// Measured separately on a similar machine; not part of the run.
  private static let mosquittoRate = 3_600.0

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let events = setting.pick(tiny: 40, quick: 20_000, full: 40_000)
    let rates = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      let seconds =
        variant == 0
        ? try TransferRun.run(.events(events, inFlight: inFlight), sharesProcessor: setting.isPinned).seconds
        : try QueueLoop.seconds(events: events, inFlight: inFlight)
      return Double(events) / seconds
    }
    return [
      BenchRow("events through the pair, acknowledged", "a second", Spread(rates[0])),
      BenchRow("three processes with SQLite and sockets alone", "a second", Spread(rates[1])),
      BenchRow("events / those three processes", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.5)),
      BenchRow(
        "events / mosquitto's 3,600 a second", "ratio", Spread(rates[0].map { $0 / mosquittoRate }), .atLeast(10),
        note: "mosquitto with QoS 1, saving every change, was measured before, on a machine of this kind and not in "
          + "this run (Benchmarks/README.md)"),
    ]
  }
}
