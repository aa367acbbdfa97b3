import Simulator
import Console
import Link
import LinkTransport

/// Frames through the conductor, compared with a process that only forwards bytes.
///
/// A watch process sends 64 frames of 256 bytes at each grant, a phone process receives them: through the real host,
/// conductor and medium, on `ideal`, without a trace.
enum FramesMeasurement: BenchMeasurement {
  static let name = "frames"
  static let about = "frames a second through the conductor, 64 of 256 bytes a grant"

  static let payloadBytes = 256
  static let batch = 64

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let batches = setting.pick(tiny: 10, quick: 2_000, full: 4_000)
    let frames = batches * batch
    let rates = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      if variant == 0 {
        let seconds = try FrameRun.seconds(
          watch: ["source", "\(batches)", "\(batch)", "\(payloadBytes)"], phone: ["sink"], frames: frames,
          duration: .milliseconds(Int64(batches) + 10), setting)
        return Double(frames) / seconds
      }
      return try BareLoops.reporting { () throws(SystemCallError) in
        // The plain loop writes one message at a time, as a sender without batches does.
        try BareLoops.forward(messages: frames, bytes: payloadBytes)
      }
    }
    return [
      BenchRow("frames through the conductor", "a second", Spread(rates[0])),
      BenchRow("messages through a coalescing forwarder", "a second", Spread(rates[1])),
      BenchRow("frames / forwarder", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.7)),
    ]
  }
}

/// Runs two of the benchmark's own nodes as processes.
enum FrameRun {
  /// - Parameter frames: How many must have passed the medium.
  /// - Returns: The seconds between the first grant and the last.
  static func seconds(
    watch: [String], phone: [String], frames: Int, duration: VirtualTime.Span, _ setting: BenchSetting
  ) throws(Failure) -> Double {
    var scenario = Scenario()
    scenario.name = "bench-frames"
    scenario.duration = duration
    if let ideal = ProfileCatalog.profile(named: "ideal") { scenario.link = ideal }
    var options = RunOptions()
    options.mode = .processes
    options.sharesProcessor = setting.isPinned
    options.level = .nothing
    options.watchCommand = [ProcessRun.ownPath, BenchPeerCommand.name] + watch
    options.phoneCommand = [ProcessRun.ownPath, BenchPeerCommand.name] + phone
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
    guard outcome.frames == UInt64(frames) else {
      throw .environment("bench: \(outcome.frames) frames passed the medium, expected \(frames)")
    }
    return outcome.wallSeconds
  }
}
