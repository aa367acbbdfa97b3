package import Console
import Link
import PhoneSim
package import Simulator
import TraceTools

/// Feeds a trace's deliveries to today's phone: the watch repeats what it did, and every frame meets the same fate.
package enum PhoneReplay {
  /// Replays the trace.
  ///
  /// - Parameter workout: The file of the run's recorded workout; nil to look for it beside the trace.
  package static func run(_ trace: RecordedTrace, workout: String?) throws(Failure) -> ReplayOutcome {
    let repeated = try RepeatedScenario(trace, workout: workout)
    var scenario = repeated.scenario
    scenario.expectations = []
    let frames = try RecordedFrames(trace) { repeated.isComplete ? harvest(repeated.scenario, trace) : FrameBasket() }
    try refuseNothing(trace, frames.counts)
    scenario.watchCommands = []
    let cut = ReplayCut(trace)
    // A watch with another encoding gets other answers too: digests of translated payloads are not its own.
    let isExact = frames.counts.translated == 0 && frames.counts.unknown == 0
    let controls = RecordedControls(trace, hasEdge: scenario.edge != nil, last: cut.at)
    let after = try feed(scenario, RecordedWatch(trace, frames), frames, cut, controls, isExact: isExact)
    let before = decisions(trace.events, isExact: isExact)
    let trimmed = cut.trim(before, after)
    var outcome = ReplayOutcome(difference: TraceDifference(trimmed.before, trimmed.after), frames: frames.counts)
    outcome.notes = repeated.notes + notes(frames.counts)
    if let why = cut.why { outcome.notes.append(why) }
    return outcome
  }

  /// Feeds an app's recording to today's phone, and reports what that does; there are no decisions to compare with.
  ///
  /// - Parameter output: Receives the new trace's text, if any.
  /// - Returns: How payloads were found, and notes for the user.
  package static func replayCapture(
    _ trace: RecordedTrace, screen: Screen, output: (([UInt8]) throws -> Void)?
  ) throws(Failure) -> (frames: RecordedFrames.Counts, notes: [String]) {
    let repeated = try RepeatedScenario(trace)
    let frames = try RecordedFrames(trace) { FrameBasket() }
    try refuseNothing(trace, frames.counts)
    var understoodCount = 0
    var teller = Storyteller(header: repeated.scenario.header)
    var options = RunOptions()
    options.output = output
    options.recordedFates = frames.fates
    options.stopsAfter = trace.end
    options.onEvent = { event, line in
      understoodCount += understood(event)
      // The recording ends there; no user stopped anything.
      if event.place == .runner, event.name.text == "stopped" { return }
      for line in teller.observe(event, line: line) {
        screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns))
      }
    }
    _ = try conduct(repeated.scenario, options, RecordedWatch(trace, frames))
    if understoodCount == 0 {
      throw .input(
        "\(trace.path): error: found \(PlainText.count(frames.counts.contentsMade, "payload")) of the watch of which the"
          + " simulated phone understood none, expected messages of docs/internals/messages.md")
    }
    return (frames.counts, notes(frames.counts))
  }

  /// Refuses a trace from which nothing would reach the phone.
  private static func refuseNothing(_ trace: RecordedTrace, _ counts: RecordedFrames.Counts) throws(Failure) {
    guard counts.contentsMade == 0 else { return }
    if counts.contents > 0 {
      var why = "the trace has neither the payloads nor the lines they could be written from"
      if trace.header.extra("capture")?.text == "watch" {
        why = "a recording made on the watch keeps no payloads of what the watch sends; record on the phone"
      }
      throw .input(
        "\(trace.path): error: found \(PlainText.count(counts.contents, "payload")) of the watch of which none can be made"
          + " again, expected some to hand to the phone: \(why)")
    }
    if trace.isCapture {
      throw .input("\(trace.path): error: found no payload of the watch, expected some to hand to the phone")
    }
  }

  /// By how much an event changes the number of payloads that the phone could decode.
  ///
  /// An undecodable message or context has both events: received and undecodable.
  private static func understood(_ event: TraceEvent) -> Int {
    guard event.place == .phone else { return 0 }
    switch event.name.text {
    case "message.received", "context.received", "transfer.delivered": return 1
    case "payload.undecodable":
      return event.text("channel").map { $0 == Channel.message.text || $0 == Channel.applicationContext.text } == true
        ? -1 : 0
    default: return 0
    }
  }

  private static func conduct(
    _ scenario: Scenario, _ options: RunOptions, _ watch: RecordedWatch
  ) throws(Failure) -> RunOutcome {
    let outcome: RunOutcome
    do {
      outcome = ScenarioRun.conduct(
        scenario, options,
        [Device(.watch, watch), try ScenarioRun.phone(of: scenario)] + (try ScenarioRun.edge(of: scenario)))
    } catch {
      throw .environment("\(error)")
    }
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    return outcome
  }

  private static func feed(
    _ scenario: Scenario, _ watch: RecordedWatch, _ frames: RecordedFrames, _ cut: ReplayCut,
    _ controls: RecordedControls?, isExact: Bool
  ) throws(Failure) -> [Decision] {
    var options = RunOptions()
    options.level = .judged
    options.isDigested = false
    options.recordedFates = frames.fates
    options.stopsAfter = cut.at
    options.live = controls
    var after: [Decision] = []
    options.onEvent = { event, line in
      guard event.place == .phone, let decision = Decision(event, line: line, isComplete: isExact) else { return }
      after.append(decision)
    }
    _ = try conduct(scenario, options, watch)
    return after
  }

  private static func decisions(_ events: [TraceEvent], isExact: Bool) -> [Decision] {
    events.enumerated().compactMap { index, event in
      event.place == .phone ? Decision(event, line: index + 2, isComplete: isExact) : nil
    }
  }

  /// The frames that today's watch sends in the header's scenario.
  private static func harvest(_ scenario: Scenario, _ trace: RecordedTrace) -> FrameBasket {
    var options = RunOptions()
    options.level = .nothing
    options.live = RecordedControls(trace, hasEdge: scenario.edge != nil, last: nil)
    let kept = FrameBasket()
    guard let watch = try? ScenarioRun.watch(of: scenario, into: kept),
      let phone = try? ScenarioRun.phone(of: scenario),
      let edge = try? ScenarioRun.edge(of: scenario)
    else { return kept }
    _ = ScenarioRun.conduct(scenario, options, [watch, phone] + edge)
    return kept
  }

  private static func notes(_ counts: RecordedFrames.Counts) -> [String] {
    var notes: [String] = []
    if counts.translated > 0 {
      let were = counts.translated == 1 ? "was" : "were"
      notes.append(
        "\(PlainText.count(counts.translated, "payload")) of the watch \(were) encoded again in this release's way, as "
          + "the sender writes otherwise: what is meant is fed back, not the bytes")
    }
    if counts.unknown > 0 {
      notes.append(
        "\(PlainText.count(counts.unknown, "frame")) of the watch could not be reconstructed and did not reach the phone"
      )
    }
    return notes
  }
}

/// The watch of a trace in another run: the same motion, a new phone, and possibly other faults.
package enum WatchReplay {
  /// The scenario of that run.
  ///
  /// - Parameter faults: The scenario whose faults and expectations are used; nil for the faults of the trace's header.
  package static func scenario(_ trace: RecordedTrace, faults: Scenario?) throws(Failure) -> (
    scenario: Scenario, notes: [String]
  ) {
    let repeated = try RepeatedScenario(trace)
    let motion = try TracedMotion(trace)
    var scenario = repeated.scenario
    scenario.workout.source = .traced(path: trace.path)
    scenario.workout.at = motion.begin
    scenario.workout.preparing = motion.preparing
    // The trace of a watch is replayed up to the end of its first workout.
    scenario.laterWorkouts = []
    scenario.phoneCommands.removeAll { command in
      repeated.scenario.laterWorkouts.contains { $0.startedBy == .phone && $0.at == command.at }
        && command.command.name == Scenario.TimedCommand.startWorkout
    }
    // The recording contains them already.
    scenario.watchCommands.removeAll { ["pause", "resume", "end"].contains($0.command.name) }
    scenario.expectations = []
    var notes: [String] = []
    if !motion.isWhole {
      notes.append("the watch's workout has no end in the trace: it ends with the last snapshot")
    }
    if let faults {
      let plan = faults.faultPlan
      if scenario.edge == nil, let fault = plan.first(where: \.isOnUplink) {
        throw .input("--faults: the fault \(fault.id) is one of the uplink, and the trace's run has none")
      }
      scenario.faults = plan
      scenario.nemesis = nil
      scenario.expectations = faults.expectations
    }
    return (scenario, notes)
  }
}
