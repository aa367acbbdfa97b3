import Dispatch
import Foundation

/// How the simulated system treats the app of this process: in the foreground, behind it, or suspended.
///
/// WatchKit and UIKit tell the app's delegate what happens here. Everything is called on the main queue.
package final class AppLife: @unchecked Sendable {
  package enum State: Sendable { case inactive, active, background }
  /// What happens to an app, in the order of the calls of its delegate.
  package enum Step: Sendable { case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground }

  package static let shared = AppLife()
  private let lock = NSLock()
  private var shown = State.inactive
  private var listener: ((Step) -> Void)?

  package var state: State { lock.withLock { shown } }

  /// Begins the app's life: in the foreground if a user or the run started it, else behind.
  package func begin(inBackground: Bool, _ listener: @escaping (Step) -> Void) {
    lock.withLock {
      self.listener = listener
      shown = .background
    }
    if !inBackground { enterForeground() }
    DeviceServices.observeSleep { [self] isAsleep in
      DispatchQueue.main.async { [self] in if isAsleep { leaveForeground() } else { enterForeground() } }
    }
  }

  /// The app comes to the front.
  package func enterForeground() {
    guard state != .active else { return }
    step(.willEnterForeground, to: .inactive)
    step(.didBecomeActive, to: .active)
  }

  /// The app is no longer in front.
  package func leaveForeground() {
    guard state == .active else { return }
    step(.willResignActive, to: .inactive)
    step(.didEnterBackground, to: .background)
  }

  private func step(_ step: Step, to state: State) {
    let listener = lock.withLock { () -> ((Step) -> Void)? in
      shown = state
      return self.listener
    }
    listener?(step)
  }
}
