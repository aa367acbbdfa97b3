import Simulator
import Console
import Link
import LinkTransport

/// Frames through the conductor, compared with a process that only forwards bytes.
///
/// A watch process sends 64 frames of 256 bytes at each grant, a phone process receives them: through the real host,
/// conductor and medium, on `ideal`, without a trace.
enum FramesMeasurement: BenchMeasurement {
  package static let name = "frames"
  package static let about = "frames a second through the conductor, 64 of 256 bytes a grant"

  static let payloadBytes = 256
  static let batch = 64

  /// Bytes on the sockets for each batch: a grant and 64 frame records, then these with their events.
  private static let roundTrips: [BareLoops.RoundTrip] = {
    let frames = batch * (NodeWire.headBytes + Frame.headerBytes + payloadBytes)
    let ends = batch * NodeWire.headBytes
    return [
      BareLoops.RoundTrip(grantBytes: 16, answerBytes: frames + 13),
      BareLoops.RoundTrip(grantBytes: frames + 16, answerBytes: ends + 13),
    ]
  }()

  package static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let batches = setting.pick(tiny: 10, quick: 2_000, full: 4_000)
    let frames = batches * batch
    let rates = try BenchRounds.run(setting.rounds, variants: 4) { (variant) throws(Failure) in
      if variant == 0 {
        let seconds = try FrameRun.seconds(
          watch: ["source", "\(batches)", "\(batch)", "\(payloadBytes)"], phone: ["sink"], frames: frames,
          duration: .milliseconds(Int64(batches) + 10), setting)
        return Double(frames) / seconds
      }
      return try BareLoops.reporting { () throws(SystemCallError) in
        if variant < 3 {
          // The plain loop writes one message at a time, as a sender without batches does.
          return try BareLoops.forward(messages: frames, bytes: payloadBytes, batch: variant == 1 ? 1 : batch)
            .messagesPerSecond
        }
        return try BareLoops.lockStep(ticks: batches, nodes: roundTrips).ticksPerSecond * Double(batch)
      }
    }
    return [
      BenchRow("frames through the conductor", "a second", Spread(rates[0])),
      BenchRow("messages through a coalescing forwarder", "a second", Spread(rates[1])),
      BenchRow("frames / forwarder", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.7)),
      BenchRow("the forwarder fed 64 messages a write", "a second", Spread(rates[2])),
      BenchRow("frames / forwarder fed 64 a write", "ratio", .ratio(rates[0], to: rates[2])),
      BenchRow("as many bytes in bare lock step", "a second", Spread(rates[3])),
      BenchRow("frames / bare lock step", "ratio", .ratio(rates[0], to: rates[3])),
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
    options.watchCommand = [ProcessRun.ownPath, CommandName.benchPeer] + watch
    options.phoneCommand = [ProcessRun.ownPath, CommandName.benchPeer] + phone
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
    guard outcome.frames == UInt64(frames) else {
      throw .environment("bench: \(outcome.frames) frames passed the medium, expected \(frames)")
    }
    return outcome.wallSeconds
  }
}
