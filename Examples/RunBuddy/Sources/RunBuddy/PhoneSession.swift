import Combine
import WatchConnectivity
import WristwireSupport

/// The phone's end of the connection: takes what the watch measures.
public final class PhoneSession: NSObject, WCSessionDelegate {
  private let log: RunLog
  private let counter: SplitCounter
  private let silence: SilenceTimer
  private let splits = PassthroughSubject<Split, Never>()
  private let model: RunModel

  public init(log: RunLog, counter: SplitCounter, bug: Bug? = nil) {
    self.log = log
    self.counter = counter
    model = RunModel(splits)
    silence = SilenceTimer(bug: bug) { Simulation.record("hint", ["text": "the watch is silent"]) }
    super.init()
  }

  public func start() {
    guard WCSession.isSupported() else { return }
    let session = WCSession.default
    session.delegate = self
    session.activate()
  }

  /// What the stop button does: the watch must hear of it, whenever it is back.
  public func stop() {
    guard let run = log.latestRun else { return }
    Simulation.record("stopAsked", ["run": run])
    WCSession.default.transferUserInfo(["type": "endWorkout", "run": run])
  }

  private func take(_ split: Split) {
    guard log.add(split) else { return }
    Simulation.record("kilometre", ["run": split.run, "n": split.kilometre])
    splits.send(split)
    counter.add()
  }

  // MARK: WCSessionDelegate

  public func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {
    if let error { print("phone: not activated: \(error.localizedDescription)") }
  }

  #if !os(watchOS)
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) { session.activate() }
  #endif

  public func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    switch message["type"] as? String {
    case "start":
      RunKind.log(message)
      replyHandler(["accepted": true])
    default: replyHandler(["accepted": false])
    }
  }

  public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    silence.restart()
    if let split = Split(userInfo: message) { take(split) }
    guard message["type"] as? String == "live", let distance = message["distance"] as? Double else { return }
    print("phone: \(Int(distance)) m")
  }

  public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
    print("phone: the last run is \(applicationContext["lastRun"] ?? "unknown")")
  }

  public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    switch userInfo["type"] as? String {
    case "split":
      guard let split = Split(userInfo: userInfo) else { return }
      take(split)
    case "end":
      guard let run = userInfo["run"] as? String else { return }
      silence.stop()
      if let count = log.end(run) { Simulation.record("summary", ["run": run, "kilometres": count]) }
      counter.check(model.kilometres)
    default: break
    }
  }

  public func session(_ session: WCSession, didReceive file: WCSessionFile) {
    // The file is gone when this returns: it is moved here and now.
    guard let run = file.metadata?["run"] as? String else { return }
    let target = log.folder.appendingPathComponent("\(run).route")
    try? FileManager.default.removeItem(at: target)
    try? FileManager.default.moveItem(at: file.fileURL, to: target)
  }
}
