import Foundation
import Observation
import WatchConnectivity
#if os(watchOS)
  import WatchKit
#else
  import PhoneOnlyModule
#endif

/// The watch's end.
///
/// A lap that is taken out of reach is lost: the mistake of this app.
@Observable
final class WatchLink: NSObject, WCSessionDelegate {
  private(set) var count = 0
  private(set) var isRunning = false

  func begin() {
    WCSession.default.delegate = self
    WCSession.default.activate()
  }

  func startRun() {
    isRunning = true
    #if targetEnvironment(simulator)
      count = 100
    #endif
  }

  func takeLap() { lapButtonTapped() }

  func lapButtonTapped() {
    count += 1
    WKInterfaceDevice.current().play(.click)
    WCSession.default.sendMessage(["kind": "lap", "number": count], replyHandler: nil, errorHandler: nil)
  }

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {}
}
