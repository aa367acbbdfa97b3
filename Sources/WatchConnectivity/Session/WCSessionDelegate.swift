public import Foundation

/// A session's callbacks to its app, on a serial queue that is not the main one.
///
/// Only the completion of an activation must be implemented. The other methods have defaults that do nothing but report
/// that the app lacks the method: the sender of a message without a receiver gets error 7014.
public protocol WCSessionDelegate: NSObjectProtocol {
  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)
  func sessionDidBecomeInactive(_ session: WCSession)
  func sessionDidDeactivate(_ session: WCSession)
  func sessionWatchStateDidChange(_ session: WCSession)
  func sessionCompanionAppInstalledDidChange(_ session: WCSession)
  func sessionReachabilityDidChange(_ session: WCSession)
  func session(_ session: WCSession, didReceiveMessage message: [String: Any])
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
  func session(_ session: WCSession, didReceiveMessageData messageData: Data)
  func session(
    _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
  func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
  func session(
    _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
  func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
  func session(_ session: WCSession, didReceive file: WCSessionFile)
}

/// An app without the method.
extension WCSessionDelegate {
  public func sessionDidBecomeInactive(_ session: WCSession) { MissingMethod.recordCall(of: self) }
  public func sessionDidDeactivate(_ session: WCSession) { MissingMethod.recordCall(of: self) }
  public func sessionWatchStateDidChange(_ session: WCSession) { MissingMethod.recordCall(of: self) }
  public func sessionCompanionAppInstalledDidChange(_ session: WCSession) { MissingMethod.recordCall(of: self) }
  public func sessionReachabilityDidChange(_ session: WCSession) { MissingMethod.recordCall(of: self) }
  public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    MissingMethod.recordCall(of: self)
  }
  public func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    MissingMethod.recordCall(of: self)
  }
  public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
    MissingMethod.recordCall(of: self)
  }
  public func session(
    _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
  ) {
    MissingMethod.recordCall(of: self)
  }
  public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
    MissingMethod.recordCall(of: self)
  }
  public func session(
    _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
  ) {
    MissingMethod.recordCall(of: self)
  }
  public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    MissingMethod.recordCall(of: self)
  }
  public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
    MissingMethod.recordCall(of: self)
  }
  public func session(_ session: WCSession, didReceive file: WCSessionFile) { MissingMethod.recordCall(of: self) }
}

/// Detects whether a delegate implements a method, or its default was called.
///
/// Swift cannot ask whether a class implements an optional method; the defaults report themselves.
final class MissingMethod: @unchecked Sendable {
  @TaskLocal private static var current: MissingMethod?
  /// The session's own delegate: those that it forwards to may lack the method.
  private let delegate: ObjectIdentifier
  // Used only by the thread that makes the call.
  private var wasCalled = false

  private init(_ delegate: any WCSessionDelegate) { self.delegate = ObjectIdentifier(delegate) }

  /// Records, inside ``isMissing(of:in:)``, that a delegate's default was called; no effect elsewhere, and for other
  /// delegates than the session's.
  static func recordCall(of delegate: any WCSessionDelegate) {
    guard let current, current.delegate == ObjectIdentifier(delegate) else { return }
    current.wasCalled = true
  }

  /// Calls the session's delegate and returns whether its default handled the call.
  static func isMissing(of delegate: any WCSessionDelegate, in call: () -> Void) -> Bool {
    let recorder = MissingMethod(delegate)
    $current.withValue(recorder) { call() }
    return recorder.wasCalled
  }
}
