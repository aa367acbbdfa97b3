import Simulator
import Console
import Link
import PhoneSim
import WatchSim

/// The benchmark's runs: ten minutes under a nemesis, and an hour of a pair on `ble-running` with a script of 50
/// messages.
enum BenchScenario {
  /// The hour, as a scenario.
  ///
  /// - Parameter seconds: Duration of the workout, without its preparation.
  static func hour(seconds: Int64 = 3_600) -> Scenario {
    var scenario = Scenario()
    scenario.name = "bench-hour"
    scenario.seed = 1
    scenario.duration = .seconds(seconds + 3)
    var runner = RunnerParameters()
    runner.distance = 1_000_000
    scenario.workout.source = .model(runner)
    scenario.plan = Plan(distance: 12_000, time: 3_960)
    scenario.script = script
    scenario.scriptSource = .scenario
    scenario.link = ProfileCatalog.profile(named: "ble-running") ?? scenario.link
    scenario.ownScript = script
    return scenario
  }

  /// Ten minutes under a nemesis, as a scenario file: the benchmark of sweeps.
  static let tenMinutesText = """
    {
      scenario: "bench-ten-minutes",
      duration: "10m",
      workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
      plan: { distance: 2000, time: "10m" },
      link: { profile: "ble-running" },
      nemesis: { meanInterval: "60s", meanDuration: "20s" },
    }
    """

  /// Ten minutes under a nemesis.
  static func tenMinutes() throws(Failure) -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(tenMinutesText.utf8), file: "bench", folder: ".")
    guard !diagnostics.contains(where: { $0.hasErrors }) else { throw .environment("bench: \(diagnostics)") }
    return scenario
  }

  /// 50 messages of every trigger type: 30 points of distance and time, 16 conditions, the rest one of each.
  static let script: Script = {
    var text = "{\"id\":\"bench\",\"messages\":["
    func add(_ id: String, _ trigger: String) {
      if !text.hasSuffix("[") { text += "," }
      text += "{\"id\":\"\(id)\",\"triggerSpec\":\(trigger),\"text\":\"Line \(id), spoken once in a while.\"}"
    }
    for number in 1...20 { add("km\(number)", "{\"type\":\"distance\",\"atMeters\":\(number * 900)}") }
    for number in 1...10 { add("minute\(number)", "{\"type\":\"time\",\"atSeconds\":\(number * 350)}") }
    for number in 1...15 {
      add(
        "condition\(number)",
        "{\"type\":\"condition\",\"expression\":\"pace_3min_ratio > 1.\(10 + number) AND distance > \(number * 500)\","
          + "\"cooldownSeconds\":240}")
    }
    add("fatigue", "{\"type\":\"fatigue_zone\",\"expression\":\"hr_zone >= 5 AND distance > 9000\"}")
    add("every", "{\"type\":\"distance\",\"everyMeters\":5000}")
    add("half", "{\"type\":\"halfway\"}")
    add("finish", "{\"type\":\"near_finish\",\"remainingMeters\":500}")
    add("late", "{\"type\":\"time\",\"atSeconds\":86400}")
    text += "]}"
    let collector = DiagnosticsCollector(file: "bench")
    guard let node = try? JSONParser.parse(text, dialect: .json),
      let script = Script(JSONValueReader(node, into: collector)), script.messages.count == 50
    else { preconditionFailure("the benchmark's script is wrong: \(collector.diagnostics)") }
    return script
  }()
}
