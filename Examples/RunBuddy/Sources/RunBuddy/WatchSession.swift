import WatchConnectivity
import WristwireSupport

/// The watch's end of the connection: tells the phone of the run.
public final class WatchSession: NSObject, WCSessionDelegate {
  public private(set) var isActivated = false
  private let onActivation: () -> Void
  private let onReachable: () -> Void
  private let onEnd: (String) -> Void
  private let bug: Bug?
  private var questions = 0

  /// - Parameter onEnd: Called with the run that the phone's user has ended.
  public init(
    bug: Bug? = nil, onActivation: @escaping () -> Void, onReachable: @escaping () -> Void,
    onEnd: @escaping (String) -> Void = { _ in }
  ) {
    self.bug = bug
    self.onActivation = onActivation
    self.onReachable = onReachable
    self.onEnd = onEnd
    super.init()
  }

  public func start() {
    let session = WCSession.default
    session.delegate = self
    session.activate()
  }

  // MARK: What is sent

  /// Asks the phone to show the run, which goes on whatever the phone says.
  public func sendStart(_ run: String, done: @escaping (Bool) -> Void) {
    questions += 1
    let number = questions
    Simulation.record("asked", ["id": number, "run": run])
    WCSession.default.sendMessage(["type": "start", "run": run, "activity": RunKind.activity.rawValue]) { reply in
      Simulation.record("answered", ["id": number])
      done(reply["accepted"] as? Bool ?? false)
    } errorHandler: { [bug] error in
      if bug == .silentFailure { return }
      Simulation.record("gaveUp", ["id": number])
      print("watch: the phone does not answer: \(error.localizedDescription)")
      done(false)
    }
  }

  /// Reports the runner's distance if the phone is reachable; the next message supersedes it.
  public func sendLive(distance: Double) {
    guard WCSession.default.isReachable else { return }
    WCSession.default.sendMessage(["type": "live", "distance": distance], replyHandler: nil) { error in
      if case WCError.notReachable = error { return }
      print("watch: \(error.localizedDescription)")
    }
  }

  /// Tells of a kilometre: at once where that is possible, and queued, as it must arrive.
  public func send(_ split: Split) {
    if WCSession.default.isReachable {
      WCSession.default.sendMessage(split.userInfo, replyHandler: nil) { error in
        print("watch: \(error.localizedDescription)")
      }
    }
    WCSession.default.transferUserInfo(split.userInfo)
  }

  /// Tells that the run is over, and where it went.
  public func sendEnd(_ run: String, route: URL) {
    WCSession.default.transferUserInfo(["type": "end", "run": run])
    WCSession.default.transferFile(route, metadata: ["run": run])
    try? WCSession.default.updateApplicationContext(["lastRun": run])
  }

  // MARK: WCSessionDelegate

  public func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {
    guard activationState == .activated, !isActivated else { return }
    isActivated = true
    onActivation()
  }

  public func sessionReachabilityDidChange(_ session: WCSession) {
    if session.isReachable { onReachable() }
  }

  public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    guard userInfo["type"] as? String == "endWorkout", let run = userInfo["run"] as? String else { return }
    onEnd(run)
  }

  public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
    guard let error else { return }
    print("watch: a transfer failed: \(error.localizedDescription)")
  }
}
