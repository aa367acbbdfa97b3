import Foundation
import Link
import Synchronization

/// Delivery of queued content: at least once, with marks before and after.
///
/// The mark before records in the trace that it was delivered; the mark after releases the next one. An app that dies
/// in between gets the same content at its next start, and the trace shows it.
extension SessionRuntime {
  /// Delivers an entry of the inbox to the app.
  ///
  /// - Parameter isExtra: Whether it was handled before, and is delivered once more without waiting for its handling.
  func deliver(_ entry: QueueEntry, isExtra: Bool = false) {
    let name = entry.lane == .file ? "session(_:didReceive:)" : "session(_:didReceiveUserInfo:)"
    enqueue(isContent: true, as: name) { [self] in
      begin(entry, isExtra: isExtra)
      if entry.lane == .file { handFile(entry) } else { handUserInfo(entry) }
      if !isExtra { end(entry) }
    }
  }

  private func begin(_ entry: QueueEntry, isExtra: Bool) {
    condition.withLock {
      // The session itself records what a quirk repeats.
      guard !isExtra else { return }
      let isAgain = interrupted.removeValue(forKey: entry.lane) == entry.seq.rawValue
      let role = role
      _ = act { (node: inout SessionNode, turn: inout Turn) in
        let details = node.details(entry.lane, entry.payload)
        node.appendChange(EarlierMarks.handing(entry), in: &turn)
        turn.items.append(.commit)
        guard !isAgain else {
          return turn.record(TransferRedelivered.self, on: role.place) {
            $0.describe(entry)
            $0.kind = details.kind
          }
        }
        turn.record(TransferDelivered.self, on: role.place) {
          $0.describe(entry)
          $0.details = details
        }
      }
    }
  }

  private func end(_ entry: QueueEntry) {
    condition.withLock {
      _ = act { (node: inout SessionNode, turn: inout Turn) in
        node.session.markHandled(entry, in: &turn)
        node.session.commitHandled(entry, in: &turn)
      }
    }
  }

  private func handUserInfo(_ entry: QueueEntry) {
    guard let session, let delegate = session.delegate else {
      return log("a user info arrived, but no delegate receives it")
    }
    let userInfo = Payload.dictionary(entry.payload) ?? [:]
    if MissingMethod.isMissing(of: delegate, in: { delegate.session(session, didReceiveUserInfo: userInfo) }) {
      log("the delegate has no session(_:didReceiveUserInfo:)")
    }
  }

  /// Lends the app the file under its own name; it is deleted when the delegate returns, unless it was moved.
  private func handFile(_ entry: QueueEntry) {
    guard let folder = setup?.folder, let offer = FileOffer(entry.payload) else { return }
    let place = "\(Self.inbox(in: folder))/\(entry.transfer.text)"
    let url = URL(fileURLWithPath: "\(place)/\(offer.name)")
    let files = FileManager.default
    defer { try? files.removeItem(atPath: place) }
    let source = "\(folder)/inbox/\(entry.transfer.text)"
    do {
      try files.createDirectory(atPath: place, withIntermediateDirectories: true)
      do { try files.linkItem(atPath: source, toPath: url.path) } catch {
        try files.copyItem(atPath: source, toPath: url.path)
      }
    } catch {
      return log("a received file cannot be handed over: \(error)")
    }
    guard let session, let delegate = session.delegate else {
      return log("a file arrived, but no delegate receives it")
    }
    let metadata = offer.metadata.isEmpty ? nil : Payload.dictionary(offer.metadata)
    let file = WCSessionFile(fileURL: url, metadata: metadata)
    if MissingMethod.isMissing(of: delegate, in: { delegate.session(session, didReceive: file) }) {
      log("the delegate has no session(_:didReceive:) for files")
    }
  }
}

/// The handlers of a message: exactly one of them is called, once.
struct MessageHandlers: @unchecked Sendable {
  /// Receives the reply; nil if none is wanted.
  enum Reply {
    case dictionary(([String: Any]) -> Void)
    case data((Data) -> Void)
  }

  var reply: Reply?
  var error: ((any Error) -> Void)?
}

/// Lets something happen once.
final class Once: Sendable {
  private let isDone = Mutex(false)

  /// Whether this is the first call.
  func isFirst() -> Bool {
    isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
  }
}

/// A value that the compiler cannot prove safe to send, and that this module sends once, to the app's queue, or never
/// changes.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
