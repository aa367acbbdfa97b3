import Console
package import Link

/// Finds parts of a scenario that had no influence on a run: expectations that held vacuously, and faults that never
/// had an effect.
///
/// Apart from the judge, so that runs without a reader of warnings cost nothing more.
package struct RunWarnings {
  /// A warning about a run.
  package struct Warning: Equatable, Sendable {
    /// The part of the scenario, the same in every seed: `expect[0]`, or the fault's name.
    package var subject: String
    package var text: String

    package init(subject: String, text: String) { (self.subject, self.text) = (subject, text) }
  }

  /// What its user does at an instant.
  private struct Command {
    var at: VirtualTime
    var name: String
  }

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
  private let commands: [Command]
  /// Acts whose app never came back, in words.
  private var dropped: [String] = []
  /// When the run was healed: from then on no event is carried out.
  private var healedAt: VirtualTime?
  /// Whether the run has settled; nil if no check depends on it.
  private var settling: RunSettling?
  private let known: [String]
  private let isUnderNemesis: Bool

  package init(_ scenario: Scenario) {
    known = ScenarioWarnings(scenario).all.map(\.text)
    // Under a nemesis, some come late in some seeds.
    let reported = scenario.nemesis == nil ? scenario.endAtLatest : .start
    let all =
      (scenario.watchCommands + scenario.phoneCommands).map { Command(at: $0.at, name: $0.command.name) }
      + scenario.acts.map { Command(at: $0.at, name: "the act \"\($0.name)\"") }
    commands = all.filter { $0.at < reported }
    isUnderNemesis = scenario.nemesis != nil
    let check = scenario[.sameAsIdeal]
    settling = check.map { $0.isOff || $0.isImplied } ?? true ? nil : RunSettling(acts: scenario.acts.count)
    watched = scenario.faults.map { fault in
      Watched(fault: fault, channels: fault.channels ?? (fault.isOnUplink ? [.http] : Channel.ofLink + [.mirror]))
    }
  }

  /// Observes the next event.
  package mutating func observe(_ event: TraceEvent) {
    end = max(end, event.time)
    if event.isBelieved { settling?.observe(event) }
    switch event.name {
    case FaultBegan.name, FaultEnded.name:
      guard let index = watched.firstIndex(where: { $0.fault.id == event.text("fault") }) else { return }
      watched[index].isOn = event.name == FaultBegan.name
      if watched[index].isOn { watched[index].hasBegun = true }
    case FrameSent.name: meet(event)
    case CommandDropped.name where !isUnderNemesis:
      dropped.append("\"\(event.text("kind") ?? "")\" never happened: \(event.text("why") ?? "")")
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

  /// The warnings, those that hold for every seed first; call it at the end of the run.
  package func finish(_ expectations: [JudgedExpectation]) -> [Warning] {
    var found = known.map { Warning(subject: $0, text: $0) }
    for (index, judged) in expectations.enumerated() where judged.result.hasPassed && judged.result.lines.isEmpty {
      // Both the trigger and its answer are among the lines of the result.
      guard let name = judged.node["always"]?.text ?? judged.node["after"]?["event"]?.text else { continue }
      found.append(
        Warning(subject: "expect[\(index)]", text: "expect[\(index)] held vacuously: no \(name) happened"))
    }
    for timed in commands {
      guard let healedAt, timed.at >= healedAt else { continue }
      let what = "\(timed.name) at \(StoryText.clock(timed.at))"
      found.append(
        Warning(subject: what, text: "\(what) never happened: the run ended at \(StoryText.clock(healedAt))"))
    }
    if let obstacle = settling?.obstacle {
      let check = "checks.\(AppCheck.Kind.sameAsIdeal.rawValue)"
      found.append(Warning(subject: check, text: "\(check) was not judged: \(obstacle)"))
    }
    found += dropped.map { Warning(subject: $0, text: $0) }
    for one in watched {
      guard let why = objection(to: one) else { continue }
      let subject = "the fault \"\(one.fault.id)\""
      guard !known.contains(where: { $0.contains("\"\(one.fault.id)\" never strikes") }) else { continue }
      found.append(Warning(subject: subject, text: "\(subject) never struck: \(why)"))
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
