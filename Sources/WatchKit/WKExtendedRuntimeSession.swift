public import Foundation
import WatchConnectivity

/// The states of an extended runtime session; the raw values are the framework's.
public enum WKExtendedRuntimeSessionState: Int, Sendable { case notStarted = 0, scheduled, running, invalid }

/// Why one is over; the raw values are the framework's.
public enum WKExtendedRuntimeSessionInvalidationReason: Int, Sendable {
  case error = -1, none, sessionInProgress, expired, resignedFrontmost, suppressedBySystem
}

/// What a session tells, on the main queue.
public protocol WKExtendedRuntimeSessionDelegate: AnyObject {
  func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession)
  func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession)
  func extendedRuntimeSession(
    _ extendedRuntimeSession: WKExtendedRuntimeSession,
    didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason, error: (any Error)?)
}

/// Time for an app that is not in front: an hour, one session at a time, started only while the app is active.
public final class WKExtendedRuntimeSession: NSObject, @unchecked Sendable {
  /// Of a session for mindfulness or physical therapy; which one an app has is in its property list, which is not read.
  private static let length: TimeInterval = 3_600
  private static let warning: TimeInterval = 30
  private static let running = RunningSession()

  private var shown = WKExtendedRuntimeSessionState.notStarted
  private var expires: Date?
  public weak var delegate: (any WKExtendedRuntimeSessionDelegate)?

  public var state: WKExtendedRuntimeSessionState { Self.running.lock.withLock { shown } }
  /// Nil until it has started.
  public var expirationDate: Date? { Self.running.lock.withLock { expires } }

  public override init() {}

  public func start() {
    let reason = Self.running.lock.withLock { () -> WKExtendedRuntimeSessionInvalidationReason? in
      guard shown == .notStarted else { return .error }
      guard Self.running.current == nil else { return .sessionInProgress }
      guard AppLife.shared.state == .active else { return .error }
      Self.running.current = ObjectIdentifier(self)
      shown = .running
      expires = Date(timeIntervalSinceNow: Self.length)
      return nil
    }
    if let reason { return finish(reason) }
    DispatchQueue.main.async { [self] in delegate?.extendedRuntimeSessionDidStart(self) }
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.length - Self.warning) { [self] in
      if state == .running { delegate?.extendedRuntimeSessionWillExpire(self) }
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.length) { [self] in
      if state == .running { finish(.expired) }
    }
  }

  public func start(at date: Date) {
    DeviceServices.report("watchKit", "the app calls WKExtendedRuntimeSession.start(at:), which is not simulated")
  }

  /// Plays a haptic until the user acts: a fact `haptic` of the run, once.
  public func notifyUser(
    hapticType: WKHapticType, repeatHandler: ((UnsafeMutablePointer<WKHapticType>) -> TimeInterval)? = nil
  ) { WKInterfaceDevice.current().play(hapticType) }

  public func invalidate() { if state == .running { finish(.none) } }

  private func finish(_ reason: WKExtendedRuntimeSessionInvalidationReason) {
    Self.running.lock.withLock {
      shown = .invalid
      if Self.running.current == ObjectIdentifier(self) { Self.running.current = nil }
    }
    DispatchQueue.main.async { [self] in
      delegate?.extendedRuntimeSession(self, didInvalidateWith: reason, error: nil)
    }
  }
}

/// Which session of the process runs; one at a time.
private final class RunningSession: @unchecked Sendable {
  let lock = NSLock()
  var current: ObjectIdentifier?
}
