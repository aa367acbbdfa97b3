import HealthKit
import WatchConnectivity
import WristwireSupport

/// The watch's run: a session, its builder, and its mirror on the phone.
public final class WatchWorkout: NSObject, @unchecked Sendable {
  private let store = HKHealthStore()
  private let bug: Bug?
  /// Everything below is used on it only.
  private let queue = DispatchQueue(label: "stride.workout")
  private var run: String?
  private var session: HKWorkoutSession?
  private var builder: HKLiveWorkoutBuilder?
  private var goal = 0.0
  private var isGoalSent = false
  /// For the summary of a day.
  private var finished: [HKWorkoutSession] = []

  public init(bug: Bug?) { self.bug = bug }

  public func askForAccess() {
    store.requestAuthorization(toShare: HealthAccess.share, read: HealthAccess.read) { _, error in
      if let error { print("watch: no access: \(error.localizedDescription)") }
    }
  }

  // MARK: The user

  /// The user taps start.
  public func start(run: String, goal: Double) {
    queue.async { [self] in
      guard self.run == nil else { return }
      begin(run, goal: goal)
    }
  }

  /// The user taps end.
  public func end() { queue.async { [self] in session?.end() } }

  /// After a crash the session is still there.
  public func recover() {
    store.recoverActiveWorkoutSession { [self] session, _ in
      queue.async { [self] in
        guard let session, self.session == nil else { return }
        adopt(session, run: UserDefaults.standard.string(forKey: "run") ?? "recovered")
        session.startMirroringToCompanionDevice { _, _ in }
      }
    }
  }

  // MARK: The run

  private func begin(_ run: String, goal: Double) {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    configuration.locationType = .outdoor
    guard let session = try? HKWorkoutSession(healthStore: store, configuration: configuration) else { return }
    adopt(session, run: run)
    self.goal = goal
    isGoalSent = false
    UserDefaults.standard.set(run, forKey: "run")
    session.startMirroringToCompanionDevice { _, error in
      if let error { print("watch: not mirrored: \(error.localizedDescription)") }
    }
    if bug == .earlySend {
      sendGoal()
      isGoalSent = true
    }
    session.prepare()
  }

  private func adopt(_ session: HKWorkoutSession, run: String) {
    self.run = run
    self.session = session
    let builder = session.associatedWorkoutBuilder()
    self.builder = builder
    session.delegate = self
    builder.delegate = self
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: store, workoutConfiguration: session.workoutConfiguration)
  }

  /// The phone needs the goal; a send may fail, so it is sent until one succeeds.
  private func sendGoal() {
    guard let run, let session, !isGoalSent else { return }
    session.sendToRemoteWorkoutSession(data: RunMessage.goal(run: run, metres: goal).data) { [self] isSent, _ in
      queue.async { [self] in if isSent, session === self.session { isGoalSent = true } }
    }
  }

  private func sendLive() {
    guard let run, let session, let builder else { return }
    sendGoal()
    let heart = builder.statistics(for: HKQuantityType(.heartRate))?.mostRecentQuantity()
    let metres = builder.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity()
    let message = RunMessage.live(
      run: run, heartRate: heart?.doubleValue(for: HKUnit(from: "count/min")) ?? 0,
      metres: metres?.doubleValue(for: .meter()) ?? 0)
    // The next one supersedes it.
    session.sendToRemoteWorkoutSession(data: message.data) { _, _ in }
  }

  private func save(_ builder: HKLiveWorkoutBuilder, run: String, at date: Date) {
    builder.endCollection(withEnd: date) { _, error in
      if let error { return print("watch: \(run) is not ended: \(error.localizedDescription)") }
      builder.finishWorkout { workout, error in
        // Neither a workout nor an error: saved, and the watch is locked.
        guard error == nil else { return }
        Simulation.record("saved", ["run": run, "metres": workout?.totalDistance?.doubleValue(for: .meter())])
        WCSession.default.transferUserInfo(["saved": run])
      }
    }
  }
}

extension WatchWorkout: HKWorkoutSessionDelegate {
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    queue.async { [self] in
      guard workoutSession === session, let run, let builder else { return }
      switch toState {
      case .prepared:
        sendGoal()
        workoutSession.startActivity(with: Date())
        builder.beginCollection(withStart: Date()) { _, error in
          if let error { print("watch: nothing is collected: \(error.localizedDescription)") }
        }
      case .running where fromState == .prepared: Simulation.record("began", ["run": run, "by": "watch"])
      case .ended:
        self.run = nil
        save(builder, run: run, at: date)
        if bug == .deadSession { finished.append(workoutSession) }
        session = nil
        self.builder = nil
      default: break
      }
    }
  }

  public func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    print("watch: the session failed: \(error.localizedDescription)")
  }
}

extension WatchWorkout: HKLiveWorkoutBuilderDelegate {
  public func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)
  {
    queue.async { [self] in if workoutBuilder === builder { sendLive() } }
  }

  public func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
