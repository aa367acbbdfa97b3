@preconcurrency public import WatchConnectivity

// What apps write around a session with Apple's framework, where it compiles without an error or a warning in Swift 5 and in
// Swift 6 mode. The same file is compiled in both, with warnings as errors; most of the test is that it compiles.

/// A manager on the main actor whose callbacks hop to it.
@MainActor public final class MainManager: NSObject, WCSessionDelegate {
  public private(set) var isReachable = false
  public private(set) var notes: [String] = []
  private var session: WCSession { WCSession.default }
  private var transfers: [WCSessionUserInfoTransfer] = []
  private var files: [WCSessionFileTransfer] = []

  public func start() {
    session.delegate = self
    session.activate()
  }

  public func send(_ text: String) {
    session.sendMessage(["text": text], replyHandler: nil) { @Sendable error in
      let code = (error as? WCError)?.code
      Task { @MainActor in self.note("\(String(describing: code))") }
    }
    session.sendMessage(["text": text]) { @Sendable reply in
      let answer = reply["text"] as? String ?? ""
      Task { @MainActor in self.note(answer) }
    } errorHandler: { @Sendable error in
      Task { @MainActor in self.note(error.localizedDescription) }
    }
    transfers.append(session.transferUserInfo(["text": text]))
    try? session.updateApplicationContext(["text": text])
  }

  public func send(file: URL, metadata: [String: Any]) {
    files.append(session.transferFile(file, metadata: metadata))
  }

  private func note(_ text: String) { notes.append(text) }
  private func note(_ file: URL, _ metadata: [String: Any]?) { notes.append("\(file.path) \(metadata?.count ?? 0)") }

  nonisolated public func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {
    Task { @MainActor in self.note("\(activationState) \(String(describing: error))") }
  }
  nonisolated public func sessionDidBecomeInactive(_ session: WCSession) {}
  nonisolated public func sessionDidDeactivate(_ session: WCSession) { session.activate() }
  nonisolated public func sessionReachabilityDidChange(_ session: WCSession) {
    Task { @MainActor in self.isReachable = session.isReachable }
  }
  nonisolated public func session(_ session: WCSession, didReceive file: WCSessionFile) {
    let url = file.fileURL
    let metadata = file.metadata
    Task { @MainActor in self.note(url, metadata) }
    Task { @MainActor in self.note(file.fileURL.path) }
  }
  nonisolated public func session(
    _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
  ) {
    Task { @MainActor in self.files.removeAll { $0 === fileTransfer } }
  }
  nonisolated public func session(
    _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
  ) {
    let info = userInfoTransfer.userInfo
    Task { @MainActor in
      self.note(info["text"] as? String ?? "")
      self.transfers.removeAll { $0 === userInfoTransfer }
    }
  }
}

/// A delegate whose callbacks become elements of streams.
public final class Streams: NSObject, WCSessionDelegate, Sendable {
  public let (states, continuation) = AsyncStream<WCSessionActivationState>.makeStream()
  public let (files, fileContinuation) = AsyncStream<WCSessionFile>.makeStream()
  public let (sessions, sessionContinuation) = AsyncStream<WCSession>.makeStream()

  public func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {
    continuation.yield(activationState)
    sessionContinuation.yield(session)
  }
  public func session(_ session: WCSession, didReceive file: WCSessionFile) { fileContinuation.yield(file) }
}

/// An actor that owns the session.
public actor Asker {
  private let session: WCSession

  public init(session: WCSession = .default) { self.session = session }

  public func transfer(_ url: URL) -> WCSessionFileTransfer { session.transferFile(url, metadata: ["a": 1]) }

  public func ask() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      session.sendMessage(["question": 1]) { reply in
        continuation.resume(returning: reply["answer"] as? String ?? "")
      } errorHandler: {
        continuation.resume(throwing: $0)
      }
    }
  }
}

/// What another actor does with an object that the first one made.
@MainActor public func cancel(_ url: URL, of asker: Asker) async {
  let transfer = await asker.transfer(url)
  transfer.cancel()
}

/// A view's model that follows a transfer.
@MainActor public final class ProgressModel {
  public private(set) var fraction = 0.0
  private var observation: NSKeyValueObservation?

  public func follow(_ transfer: WCSessionFileTransfer) {
    observation = transfer.progress.observe(\.fractionCompleted) { @Sendable progress, _ in
      let value = progress.fractionCompleted
      Task { @MainActor in self.fraction = value }
    }
  }
}

/// Globals.
public let sharedSession = WCSession.default
public enum Constants {
  public static let session = WCSession.default
  public static let domain = WCErrorDomain
  public static let code = WCError.Code.notReachable
}
