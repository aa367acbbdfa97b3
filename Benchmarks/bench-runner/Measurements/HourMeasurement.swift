import Simulator
import Console
import Foundation
import Link

/// An hour of a pair in this process: how many times faster than real time.
///
/// From creating the nodes to the verdict; the file is a real one in the temporary directory.
enum HourMeasurement: BenchMeasurement {
  static let name = "hour"
  static let about = "an hour of a pair in one process"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let seconds = setting.pick(tiny: 60, quick: 3_600, full: 3_600)
    // The bare run is short, so it is repeated to average out the clock's resolution and interrupts.
    let repetitions = setting.pick(tiny: 1, quick: 10, full: 12)
    let subject = Subject(BenchScenario.hour(seconds: Int64(seconds)), try BenchFile())
    let peer = Peer(setting)
    let measureOne = { (variant: Int) throws(Failure) -> Double in
      switch variant {
      case 0: try subject.speed(.nothing, repetitions)
      case 1: try subject.speed(.judged, max(1, repetitions / 3))
      case 2: try subject.speed(.written, max(1, repetitions / 3))
      case 3: try subject.speed(.written, isDigested: true, max(1, repetitions / 3))
      default: peer.measure()
      }
    }
    _ = try BenchRounds.run(1, variants: 5, measureOne)
    subject.forget()
    let speeds = try BenchRounds.run(setting.rounds, variants: 5, measureOne)
    let share = Int((subject.share * 100).rounded())
    let rows = [
      BenchRow("hour, no trace, no checkers", "x real time", Spread(speeds[0]), .atLeast(1_000_000), aim: 1_200_000),
      BenchRow("its steps", "a second", Spread(speeds[0].map { $0 * subject.stepsPerSecond })),
      BenchRow("hour, judged by every checker", "x real time", Spread(speeds[1])),
      BenchRow(
        "hour, judged, trace written to a file", "x real time", Spread(speeds[2]), .atLeast(200_000), aim: 480_000),
      BenchRow("its events", "a second", Spread(speeds[2].map { $0 * subject.eventsPerSecond })),
      BenchRow("the same with the trace's SHA-256", "x real time", Spread(speeds[3])),
      BenchRow("written / no trace", "ratio", .ratio(speeds[2], to: speeds[0])),
      BenchRow(
        "share of a processor that the hours got", "%", Spread([Double(share)]),
        note: share < 95 ? "this machine had other work: the absolute figures above are lower for it" : nil),
      BenchRow("no trace, a second of processor time", "x real time", Spread(subject.byProcessor[0])),
      BenchRow("written, a second of processor time", "x real time", Spread(subject.byProcessor[1])),
    ]
    if let lack = peer.lack {
      return rows + [BenchRow("no trace / ns-3", "ratio", nil, note: "not measured: \(lack)")]
    }
    return rows + [
      BenchRow("ns-3's pair, no trace", "x real time", Spread(speeds[4])),
      BenchRow("no trace / ns-3", "ratio", .ratio(speeds[0], to: speeds[4])),
      BenchRow("judged / ns-3", "ratio", .ratio(speeds[1], to: speeds[4])),
      BenchRow("written / ns-3", "ratio", .ratio(speeds[2], to: speeds[4])),
    ]
  }

  /// ns-3, in the same rounds.
  private final class Peer {
    private let program: PeerProgram
    private let hours: String
    /// Why it gives no figure; nil while it does.
    private(set) var lack: String?

    init(_ setting: BenchSetting) {
      program = .ns3(setting)
      hours = setting.pick(tiny: "0.1", quick: "4", full: "20")
    }

    /// How many times faster than real time it is; 1 once it gives no figure.
    func measure() -> Double {
      guard lack == nil else { return 1 }
      do throws(PeerProgram.Lack) {
        return try program.speed(hours: hours)
      } catch {
        lack = error.text
        return 1
      }
    }
  }

  /// The repeated run and its figures.
  private final class Subject {
    private let scenario: Scenario
    private let file: BenchFile
    /// Per second of real time.
    private(set) var stepsPerSecond = 0.0
    /// Per second of real time.
    private(set) var eventsPerSecond = 0.0

    /// Speeds by processor time: of bare runs, and of written ones.
    private(set) var byProcessor: [[Double]] = [[], []]
    private var wall = 0.0
    private var processor = 0.0
    /// The measured runs' share of a processor.
    var share: Double { processor / wall }

    init(_ scenario: Scenario, _ file: BenchFile) {
      self.scenario = scenario
      self.file = file
    }

    /// How many times faster than real time the repetitions are.
    func speed(_ level: TraceSink.Level, isDigested: Bool = false, _ repetitions: Int) throws(Failure) -> Double {
      let simulated = scenario.duration.seconds
      var options = RunOptions()
      options.level = level
      options.isDigested = isDigested
      if level == .written { options.output = file.append }
      var seconds = 0.0
      var processorSeconds = 0.0
      for _ in 0..<repetitions {
        // Truncating the file is not part of a run.
        try file.restart()
        let processorBegin = ProcessorTime.own
        let begin = ContinuousClock.now
        let outcome = try ScenarioRun.run(scenario, options)
        seconds += begin.secondsSince
        processorSeconds += ProcessorTime.own - processorBegin
        try check(outcome, level)
        stepsPerSecond = Double(outcome.steps) / simulated
        if level == .written { eventsPerSecond = Double(outcome.events) / simulated }
      }
      wall += seconds
      processor += processorSeconds
      let speed = simulated * Double(repetitions) / processorSeconds
      if level == .nothing { byProcessor[0].append(speed) }
      if level == .written, !isDigested { byProcessor[1].append(speed) }
      return simulated * Double(repetitions) / seconds
    }

    /// Drops the figures of the warm-up.
    func forget() {
      byProcessor = [[], []]
      wall = 0
      processor = 0
    }

    /// An hour that does not pass would measure something else.
    private func check(_ outcome: RunOutcome, _ level: TraceSink.Level) throws(Failure) {
      if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
      if level != .nothing, outcome.verdict != .pass {
        throw .environment("bench: the hour did not pass: \(outcome.violations.first?.detail ?? "no verdict")")
      }
    }
  }
}
