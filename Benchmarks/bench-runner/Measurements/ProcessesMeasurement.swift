import Simulator
import Console
import Link
import LinkTransport

/// The same hour with watch and phone as processes, compared with a bare lock-step loop.
enum ProcessesMeasurement: BenchMeasurement {
  static let name = "processes"
  static let about = "the hour with each node in its own process"

  /// Bytes on the sockets for each second of the hour: the watch's timer is called and answered with a snapshot; the
  /// phone receives the frame and answers with events.
  static let roundTrips = [
    BareLoops.RoundTrip(grantBytes: 16, answerBytes: 700), BareLoops.RoundTrip(grantBytes: 340, answerBytes: 640),
  ]

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let seconds = setting.pick(tiny: 60, quick: 3_600, full: 3_600)
    let subject = Subject(BenchScenario.hour(seconds: Int64(seconds)), try BenchFile(), setting)
    let speeds = try BenchRounds.run(setting.rounds, variants: 4) { (variant) throws(Failure) in
      switch variant {
      case 0: return try subject.speed(.written)
      case 1: return try subject.speed(.nothing)
      default:
        return try BareLoops.reporting { () throws(SystemCallError) in
          try BareLoops.lockStep(ticks: seconds, nodes: roundTrips, keepsRows: variant == 3).ticksPerSecond
        }
      }
    }
    return [
      BenchRow("processes, judged, trace written", "x real time", Spread(speeds[0]), .atLeast(20_000)),
      BenchRow("the same with the processes' start and end", "x real time", Spread(subject.whole)),
      BenchRow("processes, no trace, no checkers", "x real time", Spread(speeds[1])),
      BenchRow("bare lock-step loop, two round trips a second", "x real time", Spread(speeds[2])),
      BenchRow("the same loop, with a commit in each answer", "x real time", Spread(speeds[3])),
      BenchRow("processes, written / bare loop", "ratio", .ratio(speeds[0], to: speeds[2]), .atLeast(0.4)),
      BenchRow("loop with commits / bare loop", "ratio", .ratio(speeds[3], to: speeds[2])),
      BenchRow("processes, no trace / loop with commits", "ratio", .ratio(speeds[1], to: speeds[3])),
    ]
  }
  /// The repeated run and its figures.
  private final class Subject {
    private let scenario: Scenario
    private let file: BenchFile
    private let setting: BenchSetting
    /// The speeds of written runs including start and end.
    private(set) var whole: [Double] = []

    init(_ scenario: Scenario, _ file: BenchFile, _ setting: BenchSetting) {
      self.scenario = scenario
      self.file = file
      self.setting = setting
    }

    /// How many times faster than real time a run is, from its first grant to its last.
    func speed(_ level: TraceSink.Level) throws(Failure) -> Double {
      let simulated = scenario.duration.seconds
      var options = RunOptions()
      options.mode = .processes
      options.sharesProcessor = setting.isPinned
      options.level = level
      options.isDigested = false
      try file.restart()
      if level == .written { options.output = file.append }
      let begin = ContinuousClock.now
      let outcome = try ScenarioRun.run(scenario, options)
      if level == .written { whole.append(simulated / begin.secondsSince) }
      if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
      return simulated / outcome.wallSeconds
    }
  }
}
