import WatchConnectivity

/// The watch's end of the connection: tells the phone of the run.
public final class WatchSession: NSObject, WCSessionDelegate {
  public private(set) var isActivated = false
  private let onActivation: () -> Void
  private let onReachable: () -> Void

  public init(onActivation: @escaping () -> Void, onReachable: @escaping () -> Void) {
    self.onActivation = onActivation
    self.onReachable = onReachable
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
    WCSession.default.sendMessage(["type": "start", "run": run]) { reply in
      done(reply["accepted"] as? Bool ?? false)
    } errorHandler: { error in
      print("watch: the phone does not answer: \(error.localizedDescription)")
      done(false)
    }
  }

  /// Tells how far the runner is, where somebody listens: the next one says more.
  public func sendLive(distance: Double) {
    guard WCSession.default.isReachable else { return }
    WCSession.default.sendMessage(["type": "live", "distance": distance], replyHandler: nil) { error in
      if case WCError.notReachable = error { return }
      print("watch: \(error.localizedDescription)")
    }
  }

  /// Tells of a kilometre: it must arrive.
  public func send(_ split: Split) { WCSession.default.transferUserInfo(split.userInfo) }

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

  public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
    guard let error else { return }
    print("watch: a transfer failed: \(error.localizedDescription)")
  }
}
