import Foundation
import LapAnalytics
import WatchConnectivity

/// The phone's end.
final class PhoneLink: NSObject, WCSessionDelegate {
  static let shared = PhoneLink()

  var onLap: ((Lap) -> Void)?

  private override init() {
    super.init()
    guard WCSession.isSupported() else { return }
    WCSession.default.delegate = self
    WCSession.default.activate()
  }

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
  ) {}

  #if os(iOS)
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
  #endif

  func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
    guard message["kind"] as? String == "lap", let number = message["number"] as? Int else { return }
    LapAnalytics.shared.track("lap", number: number)
    DispatchQueue.main.async { self.onLap?(Lap(number: number)) }
  }
}
