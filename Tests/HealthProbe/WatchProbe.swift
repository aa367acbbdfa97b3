import HealthKit
import WatchKit
import WristwireSupport

/// The watch's app: a session and a live builder, as their documentation has them.
final class WatchProbe: NSObject, WKApplicationDelegate, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate,
  @unchecked Sendable
{
  let store = HKHealthStore()
  nonisolated(unsafe) var session: HKWorkoutSession?
  nonisolated(unsafe) var builder: HKLiveWorkoutBuilder?
  private var collections = 0
  /// All so far: a session without a strong reference calls no delegate.
  private var kept: [HKWorkoutSession] = []

  func run() {
    Access.register(store)
    DeviceActs.shared.register()
    LifeActs.shared.register()
    Simulation.onAct("start") { _ in self.start(HKWorkoutConfiguration.run) }
    Simulation.onAct("pause") { _ in self.session?.pause() }
    Simulation.onAct("resume") { _ in self.session?.resume() }
    Simulation.onAct("end") { _ in self.session?.end() }
    Simulation.onAct("stop") { _ in self.session?.stopActivity(with: Date()) }
    Simulation.onAct("mirror") { _ in self.mirror() }
    Simulation.onAct("send") { act in self.send(act.integer("bytes") ?? 10) }
    Simulation.onAct("elapsed") { _ in
      Simulation.record("elapsed", ["seconds": self.builder?.elapsedTime ?? -1])
    }
    Simulation.onAct("finishEarly") { _ in
      self.builder?.finishWorkout { workout, error in
        Simulation.record("finishedEarly", ["code": code(error), "workout": workout != nil])
      }
    }
    Simulation.onAct("newActivity") { _ in
      self.session?.beginNewActivity(configuration: .run, date: Date(), metadata: nil)
    }
    Simulation.onAct("lateDelegate") { _ in
      self.start(HKWorkoutConfiguration.run)
      let session = self.session
      session?.delegate = nil
      DispatchQueue.main.asyncAfter(deadline: .now() + 5) { session?.delegate = self }
    }
    Simulation.onAct("haptic") { _ in WKInterfaceDevice.current().play(.start) }
  }

  func start(_ configuration: HKWorkoutConfiguration) {
    do {
      let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
      let builder = session.associatedWorkoutBuilder()
      session.delegate = self
      builder.delegate = self
      builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
      self.session = session
      kept.append(session)
      self.builder = builder
      let date = Date()
      session.startActivity(with: date)
      Simulation.record("startCalled", ["state": session.state.rawValue])
      builder.beginCollection(withStart: date) { isDone, error in
        Simulation.record("begun", ["done": isDone, "code": code(error)])
      }
    } catch { Simulation.record("noSession", ["code": code(error)]) }
  }

  func mirror() {
    session?.startMirroringToCompanionDevice { isDone, error in
      Simulation.record("mirroring", ["done": isDone, "code": code(error)])
    }
  }

  func send(_ bytes: Int) {
    session?.sendToRemoteWorkoutSession(data: Data(repeating: 7, count: bytes)) { isDone, error in
      Simulation.record("sent", ["done": isDone, "code": code(error)])
    }
  }

  // MARK: WKApplicationDelegate

  func applicationDidFinishLaunching() { Simulation.record("life", ["call": "didFinishLaunching"]) }
  func applicationDidBecomeActive() { Simulation.record("life", ["call": "didBecomeActive"]) }
  func applicationWillResignActive() { Simulation.record("life", ["call": "willResignActive"]) }
  func applicationDidEnterBackground() { Simulation.record("life", ["call": "didEnterBackground"]) }
  func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) { LifeActs.shared.handle(backgroundTasks) }
  func handle(_ workoutConfiguration: HKWorkoutConfiguration) {
    Simulation.record("handled", ["activity": workoutConfiguration.activityType.rawValue])
    start(workoutConfiguration)
    mirror()
  }
  func handleActiveWorkoutRecovery() {
    store.recoverActiveWorkoutSession { session, error in
      Simulation.record(
        "recovered",
        [
          "found": session != nil, "code": code(error), "state": session?.state.rawValue ?? 0,
          "metres": session?.associatedWorkoutBuilder().statistics(for: HKQuantityType(.distanceWalkingRunning))?
            .sumQuantity()?.doubleValue(for: .meter()) ?? -1,
        ])
      guard let session else { return }
      self.session = session
      self.builder = session.associatedWorkoutBuilder()
      session.delegate = self
      self.builder?.delegate = self
      self.builder?.dataSource = HKLiveWorkoutDataSource(
        healthStore: self.store, workoutConfiguration: session.workoutConfiguration)
    }
  }

  // MARK: HKWorkoutSessionDelegate

  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    Simulation.record("state", ["to": toState.rawValue, "from": fromState.rawValue, "main": Thread.isMainThread])
    guard toState == .ended, workoutSession === session else { return }
    builder?.endCollection(withEnd: date) { _, error in
      Simulation.record("collectionEnded", ["code": code(error)])
      self.builder?.finishWorkout { workout, error in
        Simulation.record(
          "finished",
          [
            "workout": workout != nil, "code": code(error), "seconds": workout?.duration ?? -1,
            "metres": workout?.totalDistance?.doubleValue(for: .meter()) ?? -1,
          ])
      }
    }
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    Simulation.record("failed", ["code": code(error)])
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
    Simulation.record("event", ["type": event.type.rawValue])
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]) {
    Simulation.record("data", ["count": data.count, "bytes": data.reduce(0) { $0 + $1.count }])
  }

  // MARK: HKLiveWorkoutBuilderDelegate

  func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
    collections += 1
    if collections % 2 == 0,
      let sum = workoutBuilder.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity()
    {
      Simulation.record("metresSeen", ["metres": sum.doubleValue(for: .meter())])
    }
    guard collections % 10 == 0 else { return }
    let heart = workoutBuilder.statistics(for: HKQuantityType(.heartRate))?.mostRecentQuantity()
    let metres = workoutBuilder.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity()
    Simulation.record(
      "collected",
      [
        "n": collections, "heart": heart?.doubleValue(for: HKUnit(from: "count/min")) ?? -1,
        "metres": metres?.doubleValue(for: .meter()) ?? -1,
      ])
  }

  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
    Simulation.record("collectedEvent", ["count": workoutBuilder.workoutEvents.count])
  }
}

extension HKWorkoutConfiguration {
  static var run: HKWorkoutConfiguration {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    configuration.locationType = .outdoor
    return configuration
  }
}
