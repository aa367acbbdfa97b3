public import Foundation
import WatchConnectivity

/// The phone's haptic engine: each pattern that is played is a fact `haptic` of the run.
///
/// Documented: it stops when the app leaves the foreground, and an app that comes back starts it again. A watch has none.
public final class CHHapticEngine: @unchecked Sendable {
  public typealias CompletionHandler = ((any Error)?) -> Void
  public typealias FinishedHandler = ((any Error)?) -> FinishedAction
  public typealias StoppedHandler = (StoppedReason) -> Void
  public typealias ResetHandler = () -> Void

  public enum FinishedAction: Int, Sendable { case stopEngine = 1, leaveEngineRunning }
  public enum StoppedReason: Int, Sendable {
    case audioSessionInterrupt = 1
    case applicationSuspended, idleTimeout, notifyWhenFinished, engineDestroyed, gameControllerDisconnect
    case systemError = -1
  }

  /// What the device can play: a phone plays haptics, as iPhones since the eighth do.
  public static func capabilitiesForHardware() -> any CHHapticDeviceCapability { Capability() }

  public var stoppedHandler: StoppedHandler = { _ in }
  public var resetHandler: ResetHandler = {}
  public var isAutoShutdownEnabled = false
  public var isMutedForAudio = false
  public var playsHapticsOnly = false

  private let lock = NSLock()
  private var isRunning = false
  private var observer: (any NSObjectProtocol)?

  public init() throws {
    // The name that UIKit has for it: this module needs nothing else of UIKit.
    let background = Notification.Name("UIApplicationDidEnterBackground")
    observer = NotificationCenter.default.addObserver(forName: background, object: nil, queue: nil) { [weak self] _ in
      self?.leaveForeground()
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  private func leaveForeground() {
    let wasRunning = lock.withLock { () -> Bool in
      defer { isRunning = false }
      return isRunning
    }
    if wasRunning { stoppedHandler(.applicationSuspended) }
  }

  /// Starts the engine; behind the foreground it fails, as it stops there.
  public func start() throws {
    guard AppLife.shared.isInFront else { throw CHHapticError(.engineStartTimeout) }
    lock.withLock { isRunning = true }
  }

  public func start(completionHandler: CompletionHandler?) {
    do {
      try start()
      completionHandler?(nil)
    } catch { completionHandler?(error) }
  }

  public func stop(completionHandler: CompletionHandler? = nil) {
    lock.withLock { isRunning = false }
    completionHandler?(nil)
  }

  public func notifyWhenPlayersFinished(finishedHandler: @escaping FinishedHandler) {
    if finishedHandler(nil) == .stopEngine { stop() }
  }

  public func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer {
    Player(engine: self, pattern: pattern)
  }

  /// Whether it plays now: started, and its app in front.
  fileprivate var plays: Bool { lock.withLock { isRunning } && AppLife.shared.isInFront }

  private struct Capability: CHHapticDeviceCapability {
    let supportsHaptics = true
    let supportsAudio = true
  }

  private final class Player: CHHapticPatternPlayer {
    let engine: CHHapticEngine
    let pattern: CHHapticPattern
    var isMuted = false

    init(engine: CHHapticEngine, pattern: CHHapticPattern) { (self.engine, self.pattern) = (engine, pattern) }

    func start(atTime time: TimeInterval) throws {
      guard engine.plays else { throw CHHapticError(.engineNotRunning) }
      guard !isMuted else { return }
      let kinds = pattern.events.map { "\"\($0.type.rawValue)\"" }.joined(separator: ",")
      DeviceServices.record("haptic", json: "{\"pattern\":[\(kinds)]}")
    }

    func stop(atTime time: TimeInterval) throws {}
    func cancel() throws {}
  }
}

/// What a device can play.
public protocol CHHapticDeviceCapability {
  var supportsHaptics: Bool { get }
  var supportsAudio: Bool { get }
}

/// Plays a pattern.
public protocol CHHapticPatternPlayer: AnyObject {
  var isMuted: Bool { get set }
  /// - Parameter time: In seconds from now where it is `CHHapticTimeImmediate`; later ones are played at once, too.
  func start(atTime time: TimeInterval) throws
  func stop(atTime time: TimeInterval) throws
  func cancel() throws
}

public let CHHapticTimeImmediate: TimeInterval = 0

/// An error of the engine, by the framework's codes.
public struct CHHapticError: Error, Sendable {
  public enum Code: Int, Sendable {
    case engineNotRunning = -4805
    case operationNotPermitted = -4806
    case engineStartTimeout = -4808
    case notSupported = -4809
    case invalidPatternData = -4813
  }

  public let code: Code

  init(_ code: Code) { self.code = code }
}
