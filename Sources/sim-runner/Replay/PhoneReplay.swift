import Link
import PhoneSim

/// Feeds a trace's deliveries to today's phone: the watch does what it did, and every frame meets the fate it met.
enum PhoneReplay {
  /// Feeds it back.
  ///
  /// - Parameter workout: Where the recorded workout lies that the run came from; nil to look beside the trace.
  static func run(_ trace: RecordedTrace, workout: String?) throws(Failure) -> ReplayOutcome {
    let repeated = try RepeatedScenario(trace, workout: workout)
    var scenario = repeated.scenario
    scenario.expectations = []
    let frames = try RecordedFrames(trace) { repeated.isComplete ? harvest(repeated.scenario) : FrameBasket() }
    scenario.watchCommands = []
    let cut = ReplayCut(trace)
    // A watch that writes otherwise is answered otherwise too: digests of what was translated are not its own.
    let isExact = frames.counts.translated == 0 && frames.counts.unknown == 0
    let after = try feed(scenario, RecordedWatch(trace, frames), frames, cut, isExact: isExact)
    let before = decisions(trace.events, isExact: isExact)
    let trimmed = cut.trim(before, after)
    var outcome = ReplayOutcome(difference: TraceDifference(trimmed.before, trimmed.after), frames: frames.counts)
    outcome.notes = repeated.notes + notes(frames.counts)
    if let why = cut.why { outcome.notes.append(why) }
    return outcome
  }

  private static func feed(
    _ scenario: Scenario, _ watch: RecordedWatch, _ frames: RecordedFrames, _ cut: ReplayCut, isExact: Bool
  ) throws(Failure) -> [Decision] {
    var options = RunOptions()
    options.level = .judged
    options.isDigested = false
    options.recordedFates = frames.fates
    options.stopsAfter = cut.at
    var after: [Decision] = []
    options.onEvent = { event, line in
      guard event.place == .phone, let decision = Decision(event, line: line, isComplete: isExact) else { return }
      after.append(decision)
    }
    let outcome: RunOutcome
    do {
      outcome = ScenarioRun.conduct(
        scenario, options, watch: watch,
        phone: try InProcessHost(
          store: NodeStores.phone(), files: NodeStores.files(), build: NodeBuilder.phone(scenario)),
        edge: try ScenarioRun.edge(of: scenario))
    } catch {
      throw .environment("\(error)")
    }
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    return after
  }

  private static func decisions(_ events: [TraceEvent], isExact: Bool) -> [Decision] {
    events.enumerated().compactMap { index, event in
      event.place == .phone ? Decision(event, line: index + 2, isComplete: isExact) : nil
    }
  }

  /// The frames that today's watch sends in the header's scenario.
  private static func harvest(_ scenario: Scenario) -> FrameBasket {
    var options = RunOptions()
    options.level = .nothing
    let kept = FrameBasket()
    guard let buildWatch = try? NodeBuilder.watch(scenario),
      let watch = try? InProcessHost(store: NodeStores.watch(), files: NodeStores.files(), build: buildWatch),
      let phone = try? InProcessHost(
        store: NodeStores.phone(), files: NodeStores.files(), build: NodeBuilder.phone(scenario))
    else { return kept }
    let edge = (try? ScenarioRun.edge(of: scenario)) ?? nil
    _ = ScenarioRun.conduct(
      scenario, options, watch: HarvestedHost(watch, .watchToPhone, into: kept), phone: phone, edge: edge)
    return kept
  }

  private static func notes(_ counts: RecordedFrames.Counts) -> [String] {
    var notes: [String] = []
    if counts.translated > 0 {
      notes.append(
        "\(PlainText.count(counts.translated, "payload")) of the watch were written anew in this release's way, as their "
          + "sender wrote them otherwise: what they mean is fed back, not their bytes")
    }
    if counts.unknown > 0 {
      notes.append(
        "\(PlainText.count(counts.unknown, "frame")) of the watch could not be made anew: the phone does not get them")
    }
    return notes
  }
}
