@preconcurrency import WatchConnectivity

// An app in Swift 6 mode with handlers on the main actor, of which the session knows nothing:
//
//   IsolationProbe delegate|handler|hops
//
// `delegate` and `handler` compile without a warning and trap on the devices; `hops` is right.

/// A view's model that is the delegate, too.
@MainActor final class Model: NSObject, @preconcurrency WCSessionDelegate {
  private var messages = 0

  nonisolated func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}
  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { messages += 1 }
}

/// The same, with hops to the main actor.
@MainActor final class HoppingModel: NSObject, WCSessionDelegate {
  private var messages = 0

  nonisolated func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}
  nonisolated func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    Task { @MainActor in self.messages += 1 }
  }

  /// Asks without `@Sendable` on the handlers, which makes them the main actor's.
  func ask() {
    WCSession.default.sendMessage(["n": 1]) { _ in
      self.messages += 1
    } errorHandler: { _ in
      self.messages += 1
    }
  }
}

let words = CommandLine.arguments.dropFirst()
let delegate: any WCSessionDelegate = words.first == "delegate" ? Model() : HoppingModel()
WCSession.default.delegate = delegate
WCSession.default.activate()
if words.first == "handler" {
  DispatchQueue.main.asyncAfter(deadline: .now() + 2) {
    MainActor.assumeIsolated { (delegate as? HoppingModel)?.ask() }
  }
}
dispatchMain()
