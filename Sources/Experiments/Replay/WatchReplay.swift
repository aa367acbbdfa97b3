package import Simulator
package import Console
import Link
import PhoneSim

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
