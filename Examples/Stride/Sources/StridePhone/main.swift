import Stride
import UIKit
import WristwireSupport

// StridePhone [--bug NAME]: the phone's app without its pages.

final class AppDelegate: NSObject, UIApplicationDelegate {
  let workout = PhoneWorkout(bug: Bug.planted(CommandLine.arguments))
  let saved = SavedRuns()

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    workout.begin()
    saved.begin()
    workout.askForAccess()
    return true
  }
}

let delegate = AppDelegate()
Simulation.onAct("day") { _ in delegate.workout.showDay() }
UIApplication.shared.delegate = delegate
dispatchMain()
