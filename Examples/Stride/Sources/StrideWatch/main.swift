import HealthKit
import Stride
import WatchKit
import WristwireSupport

// StrideWatch [--bug NAME]: the watch's app without its pages.

final class AppDelegate: NSObject, WKApplicationDelegate {
  let workout = WatchWorkout(bug: Bug.planted(CommandLine.arguments))
  let saved = SavedRuns()

  func applicationDidFinishLaunching() {
    saved.begin()
    workout.askForAccess()
  }
  func handle(_ workoutConfiguration: HKWorkoutConfiguration) { workout.start(run: "asked", goal: 1_000) }
  func handleActiveWorkoutRecovery() { workout.recover() }
}

let delegate = AppDelegate()
Simulation.onAct("start") { act in
  delegate.workout.start(run: act.string("run") ?? "run", goal: act.number("goal") ?? 1_000)
}
Simulation.onAct("end") { _ in delegate.workout.end() }
WKApplication.shared().delegate = delegate
dispatchMain()
