import Foundation
import HealthKit
import UIKit
import WatchConnectivity
import WatchKit
import WristwireSupport

/// The life of both probes: content of the session, and tasks in the background.
final class LifeActs: NSObject, WCSessionDelegate, @unchecked Sendable {
  static let shared = LifeActs()
  /// What becomes of a task: it `ends` when it is done, `expires` with a handler that ends it, or is kept for ever.
  private var way = "ends"
  private var tasks: [WKRefreshBackgroundTask] = []
  private var observation: NSKeyValueObservation?
  private var phoneTask = UIBackgroundTaskIdentifier.invalid

  func register() {
    Simulation.onAct("link") { _ in
      self.observation = WCSession.default.observe(\.hasContentPending) { _, _ in self.endTasks() }
      WCSession.default.delegate = self
      WCSession.default.activate()
    }
    Simulation.onAct("way") { act in self.way = act.string("is") ?? "ends" }
    Simulation.onAct("info") { act in WCSession.default.transferUserInfo(["n": act.integer("n") ?? 0]) }
    Simulation.onAct("message") { _ in
      WCSession.default.sendMessage(["m": 1], replyHandler: nil, errorHandler: nil)
    }
    _ = NotificationCenter.default.addObserver(
      forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
    ) { _ in Simulation.record("memory", ["by": "notification"]) }
  }

  // MARK: The watch

  func handle(_ given: Set<WKRefreshBackgroundTask>) {
    for task in given {
      Simulation.record(
        "task",
        [
          "content": task is WKWatchConnectivityRefreshBackgroundTask, "pending": WCSession.default.hasContentPending,
          "state": MainActor.assumeIsolated { WKApplication.shared().applicationState.rawValue },
        ])
      guard way == "expires" else { continue }
      task.expirationHandler = { [way] in
        Simulation.record("expires", ["way": way])
        task.setTaskCompletedWithSnapshot(false)
      }
    }
    tasks += given
    endTasks()
  }

  /// As Apple's sample does: once nothing is pending.
  private func endTasks() {
    guard way == "ends", WCSession.default.activationState == .activated, !WCSession.default.hasContentPending else {
      return
    }
    if !tasks.isEmpty { Simulation.record("tasksEnded", ["count": tasks.count]) }
    for task in tasks { task.setTaskCompletedWithSnapshot(false) }
    tasks = []
  }

  // MARK: The phone

  /// Asks for more time, as apps do when they leave the foreground.
  @MainActor func beginPhoneTask() {
    guard way != "ends" else { return }
    let way = way
    phoneTask = UIApplication.shared.beginBackgroundTask {
      Simulation.record("expires", ["way": way])
      if way == "expires" { UIApplication.shared.endBackgroundTask(self.phoneTask) }
    }
    guard way == "soon" else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
      Simulation.record("phoneTaskEnded", ["left": UIApplication.shared.backgroundTimeRemaining])
      UIApplication.shared.endBackgroundTask(self.phoneTask)
    }
  }

  // MARK: WCSessionDelegate

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}
  func sessionDidBecomeInactive(_ session: WCSession) {}
  func sessionDidDeactivate(_ session: WCSession) {}
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
    Simulation.record("info", ["n": userInfo["n"] as? Int ?? -1, "pending": session.hasContentPending])
  }
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    DispatchQueue.main.async {
      let state = MainActor.assumeIsolated { UIApplication.shared.applicationState.rawValue }
      Simulation.record("message", ["state": state])
    }
  }
}
