import WatchConnectivity
import WristwireSupport

/// What `SessionProbe --hands DEVICE` is: an app that does with its session what the acts of its users say, and keeps account of it.
///
/// Every act records `owed` for what must follow on its device, and `settled` with the same `id` when it does: a handler, the
/// end of a transfer. What is `queued` must be `there` on the other device. What must not come as it does is `wrong`.
final class Hands: NSObject, WCSessionDelegate {
  /// Where what arrives is checked against what was sent.
  private static let content: [String: Any] = [
    "text": "a", "whole": 7, "half": 0.5, "isOn": true, "bytes": Data([1, 2]), "date": Date(timeIntervalSince1970: 1),
    "list": [1, "b", [2.5]] as [Any], "texts": ["c", "d"], "inner": ["n": 1],
  ]

  private let device: String
  private var counts: [String: Int] = [:]
  private var activations: [String] = []
  private var infos: [WCSessionUserInfoTransfer] = []
  private var files: [WCSessionFileTransfer] = []
  /// What was sent without a paired watch, which must fail.
  private var alone: Set<String> = []
  private let lock = NSLock()

  init(device: String) { self.device = device }

  func run() {
    for name in [
      "activate", "request", "message", "askData", "data", "info", "complication", "context", "file", "lost", "broken",
      "cancel", "empty", "audit",
    ] {
      Simulation.onAct(name) { [self] act in carryOut(name, act.string("id") ?? "0") }
    }
    guard WCSession.isSupported() else { return wrong("not supported") }
    WCSession.default.delegate = self
    activate("start")
  }

  // MARK: Accounts

  private func owe(_ id: String) { Simulation.record("owed", ["id": id]) }
  private func settle(_ id: String, _ how: String = "done") {
    Simulation.record("settled", ["id": id, "how": how])
    if how == "done", alone.contains(id) { wrong("something sent without a watch") }
  }
  private func queued(_ id: String) { Simulation.record("queued", ["id": id]) }
  private func arrive(_ id: String, _ how: String = "whole") { Simulation.record("there", ["id": id, "how": how]) }
  private func wrong(_ what: String) { Simulation.record("wrong", ["what": what]) }

  /// A name of its own for what an act owes, also after a restart, as no act comes twice in one process and the next.
  private func name(_ verb: String, _ act: String) -> String {
    let name = "\(device)-\(verb)-\(act)"
    counts[name, default: 0] += 1
    return "\(name)-\(counts[name, default: 0])"
  }

  private func message(_ id: String) -> [String: Any] { Self.content.merging(["id": id]) { $1 } }

  /// Compares a dictionary with what ``message(_:)`` makes, by the types that an app casts to; returns its `id`.
  private func check(_ message: [String: Any], _ place: String) -> String {
    let isWhole =
      message["text"] as? String == "a" && message["whole"] as? Int == 7 && message["half"] as? Double == 0.5
      && message["isOn"] as? Bool == true && message["bytes"] as? Data == Data([1, 2])
      && message["date"] as? Date == Date(timeIntervalSince1970: 1) && message["texts"] as? [String] == ["c", "d"]
      && (message["list"] as? [Any])?.count == 3 && (message["inner"] as? [String: Any])?["n"] as? Int == 1
    if !isWhole { wrong("the content \(place)") }
    return message["id"] as? String ?? "none"
  }

  // MARK: Acts

  private func activate(_ act: String) {
    let id = name("activate", act)
    lock.withLock { activations.append(id) }
    Simulation.record("activating", ["id": id])
    WCSession.default.activate()
  }

  private func carryOut(_ verb: String, _ act: String) {
    let session = WCSession.default
    let id = name(verb, act)
    let isAlone = device == "phone" && !session.isPaired
    if isAlone { alone.insert(id) }
    switch verb {
    case "activate": activate(act)
    case "request":
      owe(id)
      session.sendMessage(message(id)) { [self] reply in
        if check(reply, "of a reply") != id { wrong("a reply to another message") }
        settle(id)
      } errorHandler: { [self] error in
        settle(id, "\(code(error))")
      }
    case "askData":
      owe(id)
      session.sendMessageData(Data(id.utf8)) { [self] reply in
        if reply != Data(id.utf8) { wrong("a reply to other data") }
        settle(id)
      } errorHandler: { [self] error in
        settle(id, "\(code(error))")
      }
    // What has no reply is lost or arrives, and is not owed.
    case "message":
      Simulation.record("sent", ["id": id])
      session.sendMessage(message(id), replyHandler: nil) { Simulation.record("failed", ["id": id, "code": code($0)]) }
    case "data":
      Simulation.record("sent", ["id": id])
      session.sendMessageData(Data(id.utf8), replyHandler: nil) {
        Simulation.record("failed", ["id": id, "code": code($0)])
      }
    case "info", "complication":
      owe(id)
      queued(id)
      let transfer =
        verb == "info"
        ? session.transferUserInfo(message(id)) : session.transferCurrentComplicationUserInfo(message(id))
      infos.append(transfer)
    case "context":
      do {
        try session.updateApplicationContext(message(id))
        if session.applicationContext["id"] as? String != id { wrong("the own context") }
      } catch { Simulation.record("refused", ["code": code(error)]) }
    // The first context of all is empty, and no news.
    case "empty": try? session.updateApplicationContext([:])
    case "file", "lost":
      owe(id)
      if verb == "file" { queued(id) }
      let url = URL(fileURLWithPath: NSTemporaryDirectory() + "\(id).bin")
      try? Data(id.utf8).write(to: url)
      files.append(session.transferFile(url, metadata: message(id)))
      if verb == "lost" { try? FileManager.default.removeItem(at: url) }
    case "broken":
      // What no property list has, what is too large, and a file that is not there.
      owe(id)
      session.sendMessage(["id": NSObject()]) { [self] _ in
        wrong("a reply to what was not sent")
      } errorHandler: { [self] error in
        settle(id, "\(code(error))")
      }
      for (number, content) in [["id": id, "no": NSObject()], ["id": id, "much": Data(count: 300_000)]].enumerated() {
        owe("\(id)-refused-\(number)")
        infos.append(session.transferUserInfo(content))
      }
      do {
        try session.updateApplicationContext(["no": NSObject()])
        wrong("a context of no property list")
      } catch { Simulation.record("refused", ["code": code(error)]) }
    case "cancel":
      // The newest of each queue; either it ends so, or it went before.
      for transfer in session.outstandingUserInfoTransfers.suffix(1) { transfer.cancel() }
      for transfer in session.outstandingFileTransfers.suffix(1) { transfer.cancel() }
    default:
      let left = (session.outstandingUserInfoTransfers.count, session.outstandingFileTransfers.count)
      Simulation.record(
        "left",
        [
          "infos": left.0, "files": left.1, "isPending": session.hasContentPending, "isReachable": session.isReachable,
          "isInstalled": session.isPairedAppInstalled, "state": session.activationState.rawValue,
          "isTransferring": infos.contains(where: \.isTransferring) || files.contains(where: \.isTransferring),
        ])
    }
  }

  // MARK: Delegate

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {
    let id = lock.withLock { activations.isEmpty ? nil : activations.removeFirst() }
    guard let id else { return wrong("an activation that nothing asked for") }
    if error != nil || activationState != .activated { wrong("an activation") }
    Simulation.record("activated", ["id": id])
  }
  func sessionDidBecomeInactive(_ session: WCSession) { Simulation.record("inactive") }
  func sessionDidDeactivate(_ session: WCSession) {
    Simulation.record("deactivated")
    activate("switch")
  }
  func sessionWatchStateDidChange(_ session: WCSession) {
    Simulation.record("watch", ["isPaired": session.isPaired, "isComplicationOn": session.isComplicationEnabled])
  }
  func sessionReachabilityDidChange(_ session: WCSession) {
    Simulation.record("reach", ["isReachable": session.isReachable])
  }
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    Simulation.record("got", ["id": check(message, "of a message")])
  }
  func session(
    _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
  ) {
    _ = check(message, "of a question")
    replyHandler(message)
    // An app's second answer has no effect.
    replyHandler(["id": "again"])
  }
  func session(_ session: WCSession, didReceiveMessageData data: Data) {
    Simulation.record("got", ["id": String(decoding: data, as: UTF8.self)])
  }
  func session(_ session: WCSession, didReceiveMessageData data: Data, replyHandler: @escaping (Data) -> Void) {
    replyHandler(data)
    replyHandler(Data())
  }
  func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
    let id = check(context, "of a context")
    if session.receivedApplicationContext["id"] as? String != id { Simulation.record("older", ["id": id]) }
    Simulation.record("context", ["id": id])
  }
  func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
    arrive(check(userInfo, "of a user info"))
  }
  func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
    let content = userInfoTransfer.userInfo
    let id = content["id"] as? String ?? "none"
    if userInfoTransfer.isTransferring { wrong("a transfer that is over") }
    if content["no"] != nil || content["much"] != nil {
      if error == nil { wrong("what was sent of a refused transfer") }
      return settle("\(id)-refused-\(content["no"] != nil ? 0 : 1)")
    }
    settle(id, error.map { "\(code($0))" } ?? "done")
    if error != nil { arrive(id, "never") }
  }
  func session(_ session: WCSession, didReceive file: WCSessionFile) {
    let id = check(file.metadata ?? [:], "of a file's metadata")
    let isWhole = (try? Data(contentsOf: file.fileURL)) == Data(id.utf8)
    if !isWhole || file.fileURL.lastPathComponent != "\(id).bin" { wrong("a file that arrived") }
    // One whose file was deleted may have been read before.
    if !id.contains("-lost-") { arrive(id) }
  }
  func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
    let id = fileTransfer.file.metadata?["id"] as? String ?? "none"
    if error == nil, fileTransfer.progress.fractionCompleted != 1 { wrong("the progress of a file") }
    settle(id, error.map { "\(code($0))" } ?? "done")
    if error != nil, !id.contains("-lost-") { arrive(id, "never") }
    try? FileManager.default.removeItem(at: fileTransfer.file.fileURL)
  }
}
