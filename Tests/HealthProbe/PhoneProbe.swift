import HealthKit
import UIKit
import WristwireSupport

/// The phone's app: it takes mirrored sessions and starts the watch's app.
final class PhoneProbe: NSObject, UIApplicationDelegate, HKWorkoutSessionDelegate, @unchecked Sendable {
  let store = HKHealthStore()
  nonisolated(unsafe) var mirror: HKWorkoutSession?
  /// All so far: a session without a strong reference calls no delegate.
  nonisolated(unsafe) private var kept: [HKWorkoutSession] = []

  func run() {
    Access.register(store)
    DeviceActs.shared.register()
    LifeActs.shared.register()
    Simulation.onAct("appear") { _ in }
    store.workoutSessionMirroringStartHandler = { session in
      Simulation.record(
        "mirrored",
        ["state": session.state.rawValue, "activity": session.activityType.rawValue, "type": session.type.rawValue])
      session.delegate = self
      self.mirror = session
      self.kept.append(session)
    }
    Simulation.onAct("startWatch") { _ in
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = .running
      configuration.locationType = .outdoor
      self.store.startWatchApp(with: configuration) { isDone, error in
        Simulation.record("watchStarted", ["done": isDone, "code": code(error)])
      }
    }
    Simulation.onAct("pauseMirror") { _ in self.mirror?.pause() }
    Simulation.onAct("sendMirror") { act in
      self.mirror?.sendToRemoteWorkoutSession(data: Data(repeating: 1, count: act.integer("bytes") ?? 10)) {
        isDone, error in Simulation.record("sent", ["done": isDone, "code": code(error)])
      }
    }
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    Simulation.record("life", ["call": "didBecomeActive"])
  }
  func applicationDidEnterBackground(_ application: UIApplication) {
    Simulation.record("life", ["call": "didEnterBackground"])
    LifeActs.shared.beginPhoneTask()
  }
  func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    Simulation.record("memory", ["by": "delegate"])
  }

  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    Simulation.record("mirrorState", ["to": toState.rawValue, "current": workoutSession === mirror])
  }
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    Simulation.record("mirrorFailed", ["code": code(error)])
  }
  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
    Simulation.record("mirrorEvent", ["type": event.type.rawValue])
  }
  func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]) {
    Simulation.record("data", ["count": data.count, "bytes": data.reduce(0) { $0 + $1.count }])
  }
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
  ) { Simulation.record("mirrorLost", ["code": code(error), "current": workoutSession === mirror]) }
}
