import Console
import Link

/// Finds parts of a scenario that had no influence on a run: expectations that held vacuously, and faults that never
/// had an effect.
///
/// Computed from the trace after the run, so that judging costs nothing more.
package struct RunWarnings {
  private struct Watched {
    let fault: PlannedFault
    let channels: [Channel]
    var hasBegun = false
    var isOn = false
    var frames = 0
    var kills = 0
  }

  private var watched: [Watched]
  private var end = VirtualTime.start
  private let commands: [Scenario.TimedCommand]
  /// When the run was healed: from then on no event is carried out.
  private var healedAt: VirtualTime?
  private let known: [String]

  init(_ scenario: Scenario) {
    known = ScenarioWarnings(scenario).all.map(\.text)
    // Under a nemesis, some come late in some seeds.
    let reported = scenario.nemesis == nil ? scenario.endAtLatest : .start
    commands = (scenario.watchCommands + scenario.phoneCommands).filter { $0.at < reported }
    watched = scenario.faults.map { fault in
      Watched(fault: fault, channels: fault.channels ?? (fault.isOnUplink ? [.http] : Channel.ofLink))
    }
  }

  /// The warnings about a run.
  package static func find(_ scenario: Scenario, _ text: TraceText, _ expectations: [JudgedExpectation]) -> [String] {
    var warnings = RunWarnings(scenario)
    text.forEachEvent { event, _ in warnings.observe(event) }
    return warnings.finish(expectations)
  }

  /// Observes the next event.
  mutating func observe(_ event: TraceEvent) {
    end = max(end, event.time)
    switch event.name {
    case FaultBegan.name, FaultEnded.name:
      guard let index = watched.firstIndex(where: { $0.fault.id == event.text("fault") }) else { return }
      watched[index].isOn = event.name == FaultBegan.name
      if watched[index].isOn { watched[index].hasBegun = true }
    case FrameSent.name: meet(event)
    case FaultsHealed.name: healedAt = healedAt ?? event.time
    case NodeKilled.name:
      for index in watched.indices where watched[index].isOn { watched[index].kills += 1 }
    default: break
    }
  }

  private mutating func meet(_ event: TraceEvent) {
    guard watched.contains(where: \.isOn), let channel = event.text("channel").flatMap({ Channel(text: $0) }) else {
      return
    }
    let direction: Direction =
      switch event.place {
      case .watch: .watchToPhone
      case .edge: .edgeToPhone
      default: channel == .http ? .phoneToEdge : .phoneToWatch
      }
    for index in watched.indices where watched[index].isOn {
      let fault = watched[index].fault
      guard fault.direction == nil || fault.direction == direction, watched[index].channels.contains(channel) else {
        continue
      }
      watched[index].frames += 1
    }
  }

  /// The warnings, those that hold for every seed first.
  func finish(_ expectations: [JudgedExpectation]) -> [String] {
    var found = known
    for (index, judged) in expectations.enumerated() {
      if let name = judged.node["always"]?.text, judged.result.hasPassed, judged.result.lines.isEmpty {
        found.append("expect[\(index)] held vacuously: no \(name) happened")
        continue
      }
      // Both the trigger and its answer are among the lines of the result.
      guard let after = judged.node["after"]?["event"]?.text, judged.result.hasPassed,
        judged.result.lines.isEmpty
      else { continue }
      found.append("expect[\(index)] held vacuously: no \(after) happened")
    }
    for timed in commands {
      guard let healedAt, timed.at >= healedAt else { continue }
      found.append(
        "\(timed.command.name) at \(StoryText.clock(timed.at)) never happened: the run ended at"
          + " \(StoryText.clock(healedAt))")
    }
    for one in watched {
      guard let why = objection(to: one) else { continue }
      let text = "the fault \"\(one.fault.id)\" never struck: \(why)"
      if !known.contains(where: { $0.contains("\"\(one.fault.id)\" never strikes") }) { found.append(text) }
    }
    return found
  }

  private func objection(to one: Watched) -> String? {
    guard one.hasBegun else { return "it begins at \(one.fault.begin.text), and the run ended at \(end.text)" }
    switch one.fault.body {
    case .frame:
      guard one.frames == 0 else { return nil }
      let until = one.fault.end.map { " to \($0.text)" } ?? " on"
      return "no frame that it affects was sent from \(one.fault.begin.text)\(until)"
    case .node: return one.fault.kind == "kill" && one.kills == 0 ? "no app was killed while it was on" : nil
    case .world: return nil
    }
  }
}
