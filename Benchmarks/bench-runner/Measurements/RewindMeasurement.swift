import LiveView
import Simulator
import TraceTools
import Console
import Link

/// Looking back in an hour's run as the live view does: the state of an earlier instant, and its screen.
enum RewindMeasurement: BenchMeasurement {
  static let name = "rewind"
  static let about = "any earlier instant of an hour's run, as the live view shows it"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let seconds = setting.pick(tiny: 60, quick: 3_600, full: 3_600)
    let looks = setting.pick(tiny: 10, quick: 200, full: 500)
    let recorded = try record(BenchScenario.hour(seconds: Int64(seconds)))
    let screen = LiveScreen(columns: 100, rows: 40, isColored: true, isPast: true)
    let clock = LiveClock(factor: nil, at: .now)
    var (means, worst): ([Double], [Double]) = ([], [])
    for round in 0..<setting.rounds {
      let random = RandomStream(seed: UInt64(round), name: "rewind")
      var (sum, most) = (0.0, 0.0)
      for look in 0..<looks {
        let length = UInt64(max(1, recorded.end.nanoseconds))
        let instant = VirtualTime(nanoseconds: Int64(random.number(below: length, for: UInt64(look))))
        let begin = ContinuousClock.now
        guard let state = recorded.history.state(at: instant) else { continue }
        _ = screen.text(state, position: instant, clock: clock)
        let milliseconds = begin.secondsSince * 1e3
        sum += milliseconds
        most = max(most, milliseconds)
      }
      means.append(sum / Double(looks))
      worst.append(most)
    }
    return [
      BenchRow("an instant of the hour, on average", "ms", Spread(means)),
      BenchRow("the slowest of \(looks) instants", "ms", Spread(worst), .atMost(50)),
    ]
  }

  private static func record(_ scenario: Scenario) throws(Failure) -> (history: LiveHistory, end: VirtualTime) {
    var teller = Storyteller(header: scenario.header)
    var history = LiveHistory()
    var state = LiveState(scenario)
    var end = VirtualTime.start
    var options = RunOptions()
    options.showsPrograms = false
    options.level = .judged
    options.onEvent = { event, line in
      let story = teller.observe(event, line: line)
      history.add(event, story, before: state)
      state.observe(event, story: story)
      end = max(end, event.time)
    }
    _ = try ScenarioRun.run(scenario, options)
    return (history, end)
  }
}
