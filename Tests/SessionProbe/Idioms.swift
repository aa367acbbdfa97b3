import WatchConnectivity

// What real apps write around a session. It exists to be compiled unmodified, and run once.

// Apple's class is not Sendable; apps that need it so say so themselves.
extension WCSession: @unchecked Sendable {}

/// A session that tests can replace.
protocol WCSessionProtocol: AnyObject {
  var delegate: WCSessionDelegate? { get set }
  var isReachable: Bool { get }
  func activate()
  func sendMessage(
    _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((Error) -> Void)?)
  func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((Error) -> Void)?)
  func updateApplicationContext(_ applicationContext: [String: Any]) throws
  func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
}

extension WCSession: WCSessionProtocol {}

extension WCSession {
  /// Whether the counterpart has the app, asked as cross-platform code asks it.
  var isPairedAppInstalled: Bool {
    #if os(iOS)
      isWatchAppInstalled
    #else
      isCompanionAppInstalled
    #endif
  }
}

private final class Wrapper: NSObject, WCSessionDelegate {
  var codes: [Int] = []
  let handed = DispatchSemaphore(value: 0)

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {}
  #if os(iOS)
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {}
  #endif
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {}
}

/// Does what apps do with a session that is not supported, and tells what came of it.
func idioms() -> [String] {
  var lines: [String] = []
  let session = WCSession.default
  let wrapper = Wrapper()
  session.delegate = wrapper

  do {
    try session.updateApplicationContext(["a": 1])
  } catch WCError.notReachable, WCError.payloadTooLarge {
    lines.append("the wrong code")
  } catch WCError.sessionNotSupported {
    lines.append("matched sessionNotSupported")
  } catch {
    lines.append("unmatched")
  }

  do {
    try session.updateApplicationContext(["a": 1])
  } catch {
    lines.append("code \((error as NSError).code)")
    switch error {
    case let error as WCError: lines.append("caught \(error.errorCode)")
    case let error as NSError: lines.append("not caught \(error.code)")
    }
  }

  do {
    try session.updateApplicationContext(["a": 1])
  } catch let error as NSError {
    lines.append("only clause \(error.code)")
  }

  do { try session.updateApplicationContext(["a": 1]) } catch {
    if let object = cast(error, to: NSError.self) { lines.append("cast \(object.code)") }
  }

  session.sendMessage(["a": 1], replyHandler: nil) { error in
    if let error = error as? WCError {
      wrapper.codes.append(error.code.rawValue)
    } else {
      wrapper.codes.append((error as NSError).code)
    }
    wrapper.handed.signal()
  }
  wrapper.handed.wait()
  lines.append("handed \(wrapper.codes[0])")

  let transfer = session.transferUserInfo(["a": 1])
  let completions: [WCSessionUserInfoTransfer: Int] = [transfer: 1]
  lines.append("keyed \(completions[transfer] ?? 0)")

  let replaced: WCSessionProtocol = session
  lines.append("protocol \(replaced.isReachable)")
  lines.append("else \(!session.isPairedAppInstalled)")

  var seen = ""
  let observation = session.observe(\.activationState, options: [.initial, .new]) { session, _ in
    seen = "\(session.activationState)"
  }
  observation.invalidate()
  lines.append("observed \(seen)")
  return lines
}

/// Casts as `as?` does, without the compiler's warning that a cast of an error to NSError always succeeds.
private func cast<Target>(_ error: any Error, to type: Target.Type) -> Target? {
  error as? Target
}
