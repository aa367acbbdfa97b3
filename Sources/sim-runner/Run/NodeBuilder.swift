import Link
import PhoneSim
import WatchSim

/// Builds the nodes of a scenario: the same ones in this process and in their own.
enum NodeBuilder {
  /// Builds the watch.
  ///
  /// - Throws: When a recorded workout cannot be read or replayed.
  static func watch(_ scenario: Scenario, record: SessionRecord) throws(Failure) -> WatchNode {
    let source: AnyMotionSource
    switch scenario.workout.source {
    case .model(let parameters): source = .model(RunnerModel(parameters, seed: scenario.seed))
    case .recorded(let path): source = .recorded(RecordedSource(try RecordedRun.motion(path)))
    }
    return WatchNode(
      WatchNode.Setup(
        seed: scenario.seed, startedAt: scenario.start.nanoseconds, source: source, startsAt: scenario.workout.at,
        preparing: scenario.workout.preparing, replyTimeout: scenario.replyTimeout),
      record: record)
  }

  /// Builds the phone.
  static func phone(_ scenario: Scenario, record: SessionRecord) -> PhoneNode {
    PhoneNode(
      PhoneNode.Setup(
        seed: scenario.seed, startedAt: scenario.start.nanoseconds, utcOffsets: scenario.start.offsets,
        plan: scenario.plan, script: scenario.script, scriptSource: scenario.scriptSource,
        maximumHeartRate: scenario.maximumHeartRate, replyTimeout: scenario.replyTimeout),
      record: record)
  }
}
