import HealthKit
import WatchConnectivity
import WristwireSupport

/// The phone's view of the watch's run.
public final class PhoneWorkout: NSObject, @unchecked Sendable {
  private let store = HKHealthStore()
  private let bug: Bug?
  /// Everything below is used on it only.
  private let queue = DispatchQueue(label: "stride.mirror")
  private var mirror: HKWorkoutSession?
  /// All of the day, as a session without a reference tells nothing more.
  private var mirrors: [HKWorkoutSession] = []
  private var run: String?

  public init(bug: Bug?) { self.bug = bug }

  /// At every launch, before anything else: a mirrored session may be what the app was launched for.
  public func begin() {
    store.workoutSessionMirroringStartHandler = { [self] session in
      queue.sync {
        session.delegate = self
        mirror = session
        mirrors.append(session)
      }
    }
  }

  public func askForAccess() {
    store.requestAuthorization(toShare: HealthAccess.share, read: HealthAccess.read) { _, error in
      if let error { print("phone: no access: \(error.localizedDescription)") }
    }
  }

  /// The user opens the page of the day: the distance so far.
  public func showDay() {
    let distance = HKQuantityType(.distanceWalkingRunning)
    if bug == .twoSources {
      let query = HKSampleQuery(sampleType: distance, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil)
      { _, samples, _ in
        let metres = samples?.compactMap { $0 as? HKQuantitySample }.reduce(0) {
          $0 + $1.quantity.doubleValue(for: .meter())
        }
        Simulation.record("day", ["metres": metres ?? 0])
      }
      return store.execute(query)
    }
    let query = HKStatisticsQuery(quantityType: distance, quantitySamplePredicate: nil, options: .cumulativeSum) {
      _, statistics, _ in
      Simulation.record("day", ["metres": statistics?.sumQuantity()?.doubleValue(for: .meter()) ?? 0])
    }
    store.execute(query)
  }

  private func receive(_ message: RunMessage) {
    switch message {
    case .goal(let run, let metres): Simulation.record("goal", ["run": run, "metres": metres])
    case .live(let run, _, _):
      guard self.run != run else { return }
      self.run = run
      Simulation.record("shown", ["run": run])
    }
  }

  private func close() {
    guard let run else { return }
    self.run = nil
    Simulation.record("closed", ["run": run])
  }
}

extension PhoneWorkout: HKWorkoutSessionDelegate {
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    queue.async { [self] in
      guard toState == .ended else { return }
      if workoutSession === mirror || bug == .lateMirror { close() }
    }
  }

  public func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    // The watch goes on: the page stays.
    print("phone: the mirror failed: \(error.localizedDescription)")
  }

  public func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]) {
    queue.async { [self] in
      guard workoutSession === mirror else { return }
      for message in data.compactMap({ RunMessage($0) }) { receive(message) }
    }
  }
}

/// The phone's connection beside the mirror: which runs are saved.
public final class SavedRuns: NSObject, WCSessionDelegate {
  public func begin() {
    WCSession.default.delegate = self
    WCSession.default.activate()
  }

  public func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {}
  public func sessionDidBecomeInactive(_ session: WCSession) {}
  public func sessionDidDeactivate(_ session: WCSession) { session.activate() }
  public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    if let run = userInfo["saved"] as? String { Simulation.record("listed", ["run": run]) }
  }
}
