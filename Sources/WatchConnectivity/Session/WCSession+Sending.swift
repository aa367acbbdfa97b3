public import Foundation
import Link

/// What an app sends.
extension WCSession {
  // MARK: Messages

  /// Sends a message to a counterpart in reach; exactly one of the handlers is called, once, where both are given.
  public func sendMessage(
    _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
  ) {
    runtime.send(
      Payload.bytes(of: message), flags: .dictionary,
      MessageHandlers(reply: replyHandler.map { .dictionary($0) }, error: errorHandler), hasDelegate: hasDelegate)
  }

  /// The same with plain bytes.
  public func sendMessageData(
    _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
  ) {
    runtime.send(
      [UInt8](data), flags: [], MessageHandlers(reply: replyHandler.map { .data($0) }, error: errorHandler),
      hasDelegate: hasDelegate)
  }

  // MARK: Contexts

  /// The context last set; empty before the first.
  public var applicationContext: [String: Any] {
    whileActive([:]) { $0.withNode { $0.session.applicationContext }.flatMap { Payload.dictionary($0) } ?? [:] }
  }

  /// The context last received; empty before the first.
  public var receivedApplicationContext: [String: Any] {
    whileActive([:]) { $0.withNode { $0.session.receivedApplicationContext }.flatMap { Payload.dictionary($0) } ?? [:] }
  }

  /// Sets the context: the latest one arrives in the end; the same one again is not sent.
  public func updateApplicationContext(_ applicationContext: [String: Any]) throws {
    try runtime.updateApplicationContext(
      Payload.bytes(of: applicationContext), isEmpty: applicationContext.isEmpty, hasDelegate: hasDelegate)
  }

  // MARK: User infos

  /// Queues a dictionary: it arrives in its order, whatever happens on the way.
  @discardableResult
  public func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
    runtime.transferUserInfo(userInfo, isComplication: false, hasDelegate: hasDelegate)
  }

  /// Queues a dictionary ahead of the ordinary ones, of which a day has some; on a watch it is an ordinary one.
  @discardableResult
  public func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
    runtime.transferUserInfo(userInfo, isComplication: true, hasDelegate: hasDelegate)
  }

  /// What is queued and has not arrived, in the order of queueing.
  public var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] {
    whileActive([]) { $0.userInfoTransfers }
  }

  // MARK: Files

  /// Queues a file: it arrives whole, or not at all.
  @discardableResult
  public func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
    runtime.transferFile(file, metadata: metadata, hasDelegate: hasDelegate)
  }

  /// The files that are queued and have not arrived, in the order of queueing.
  public var outstandingFileTransfers: [WCSessionFileTransfer] { whileActive([]) { $0.fileTransfers } }
}
