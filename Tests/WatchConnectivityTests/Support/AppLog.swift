import Foundation
import Synchronization

@testable import WatchConnectivity

/// The callbacks of an app, in order.
final class AppLog: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Everything.
  var all: [String] { lines.withLock { $0 } }

  /// Everything that begins so.
  func all(_ prefix: String) -> [String] { all.filter { $0.hasPrefix(prefix) } }
}

extension [String: Any] {
  /// A dictionary in a fixed spelling.
  var spelled: String {
    let members = sorted { $0.key < $1.key }.map { key, value in
      let text = (value as? Data).map { "\($0.count) bytes" } ?? "\(value)"
      return "\(key):\(text)"
    }
    return members.joined(separator: ",")
  }
}

extension Optional where Wrapped == any Error {
  /// The code of an error of the module; `-` for none.
  var spelled: String {
    guard let self else { return "-" }
    return "\((self as NSError).code)"
  }
}

/// An app that has only what every app must have.
class BareApp: NSObject, WCSessionDelegate, @unchecked Sendable {
  let log = AppLog()

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {
    log.note("activated \(activationState.rawValue) \(error.spelled)")
  }
}

/// An app with every method; it answers messages with what they say.
final class WholeApp: NSObject, WCSessionDelegate, @unchecked Sendable {
  let log = AppLog()
  /// Called inside each callback, with what it was.
  var onCall: ((String) -> Void)?
  /// Makes the answer to a message; nil to leave it unanswered.
  var answer: ([String: Any]) -> [String: Any]? = { $0 }
  /// The transfers that came back.
  private let objects = Mutex<[ObjectIdentifier]>([])
  var finished: [ObjectIdentifier] { objects.withLock { $0 } }

  private func note(_ line: String) {
    dispatchPrecondition(condition: .notOnQueue(.main))
    log.note(line)
    onCall?(line)
  }

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) { note("activated \(activationState.rawValue) \(error.spelled)") }
  func sessionDidBecomeInactive(_ session: WCSession) { note("inactive") }
  func sessionDidDeactivate(_ session: WCSession) { note("deactivated") }
  func sessionWatchStateDidChange(_ session: WCSession) { note("watchState \(session.isWatchAppInstalled)") }
  func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
    note("companion \(session.isCompanionAppInstalled)")
  }
  func sessionReachabilityDidChange(_ session: WCSession) { note("reachable \(session.isReachable)") }
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { note("message \(message.spelled)") }
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    note("request \(message.spelled)")
    if let answer = answer(message) { replyHandler(answer) }
  }
  func session(_ session: WCSession, didReceiveMessageData messageData: Data) { note("data \(messageData.count)") }
  func session(
    _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
  ) {
    note("dataRequest \(messageData.count)")
    replyHandler(messageData)
  }
  func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
    note("context \(applicationContext.spelled)")
  }
  func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
    objects.withLock { $0.append(ObjectIdentifier(userInfoTransfer)) }
    note("finished \(userInfoTransfer.userInfo.spelled) \(error.spelled)")
  }
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { note("info \(userInfo.spelled)") }
  func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
    objects.withLock { $0.append(ObjectIdentifier(fileTransfer)) }
    note("sentFile \(fileTransfer.file.fileURL.lastPathComponent) \(error.spelled)")
  }
  func session(_ session: WCSession, didReceive file: WCSessionFile) {
    let bytes = (try? Data(contentsOf: file.fileURL)).map { "\($0.count)" } ?? "missing"
    note("file \(file.fileURL.lastPathComponent) \(bytes) \(file.metadata?.spelled ?? "-")")
  }
}

/// A delegate that passes on what it receives to several others.
final class ForwardingApp: NSObject, WCSessionDelegate, @unchecked Sendable {
  var children: [any WCSessionDelegate] = []

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    for child in children { child.session(session, didReceiveMessage: message) }
  }
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    for child in children { child.session(session, didReceiveMessage: message, replyHandler: replyHandler) }
  }
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    for child in children { child.session(session, didReceiveUserInfo: userInfo) }
  }
}
