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
  private var mirroredAt: Date?
  /// Whether the wake that comes next leaves the app behind the foreground.
  private var staysBehind = false
  private var contentObserver: (() -> Void)?

  package var state: State { lock.withLock { shown } }

  /// Whether users see the app: one without a delegate for its life is in front for as long as it runs.
  package var isInFront: Bool { lock.withLock { listener == nil || shown == .active } }

  /// A mirrored workout begins: for 10 s the app may do what otherwise needs the foreground.
  package func beginMirroring() { lock.withLock { mirroredAt = Date() } }

  package var mayShowActivity: Bool { lock.withLock { mirroredAt.map { Date().timeIntervalSince($0) < 10 } ?? false } }

  /// Begins the app's life: in the foreground if a user or the run started it, else behind.
  package func begin(inBackground: Bool, _ listener: @escaping (Step) -> Void) {
    lock.withLock {
      self.listener = listener
      shown = .background
    }
    if !inBackground { enterForeground() }
    DeviceServices.observeSleep { [self] isAsleep in
      DispatchQueue.main.async { [self] in if isAsleep { leaveForeground() } else { wakeUp() } }
    }
  }

  /// The wake that comes next was not caused by the user.
  package func stayBehind() { lock.withLock { staysBehind = true } }

  private func wakeUp() {
    let staysBehind = lock.withLock { () -> Bool in
      defer { self.staysBehind = false }
      return self.staysBehind
    }
    if !staysBehind { enterForeground() }
  }

  // MARK: Content

  /// Sets what is called, on the main queue, before the session hands content to an app behind the foreground.
  package func observeContent(_ observer: @escaping () -> Void) { lock.withLock { contentObserver = observer } }

  /// Whether content has to wait for the observer.
  var holdsContent: Bool { lock.withLock { contentObserver != nil && shown == .background } }

  /// Calls the observer, unless the app has come to the front by then, and then a closure.
  func announceContent(_ then: @escaping @Sendable () -> Void) {
    // Not in the queue's next turn: there a user who opens the app brings it to the front.
    DispatchQueue.main.async {
      DispatchQueue.main.async { [self] in
        let observer = lock.withLock { shown == .background ? contentObserver : nil }
        observer?()
        then()
      }
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
