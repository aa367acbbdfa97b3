import Console
import Link
import LinkTransport

/// One frame at a time through the conductor and back, compared with a process that only forwards.
enum LatencyMeasurement: BenchMeasurement {
  static let name = "latency"
  static let about = "the round trip of one frame at a time through the conductor"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let trips = setting.pick(tiny: 20, quick: 5_000, full: 10_000)
    let bytes = FramesMeasurement.payloadBytes
    let times = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      if variant == 0 {
        let seconds = try FrameRun.seconds(
          watch: ["ping", "\(trips)", "\(bytes)"], phone: ["echo"], frames: 2 * trips, duration: .seconds(1), setting)
        return seconds / Double(trips) * 1e6
      }
      return try BareLoops.reporting { () throws(SystemCallError) in
        try BareLoops.forwardLatency(roundTrips: trips, bytes: bytes) / 1e3
      }
    }
    return [
      BenchRow("round trip through the conductor", "us", Spread(times[0])),
      BenchRow("round trip through a forwarder", "us", Spread(times[1])),
      BenchRow("conductor / forwarder", "ratio", .ratio(times[0], to: times[1]), .atMost(1.3)),
    ]
  }
}
