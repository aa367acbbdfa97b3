import DeviceClient
public import Foundation

/// A position among those of ``CLLocationUpdate/liveUpdates(_:)``.
public struct CLLocationUpdate: Sendable {
  /// Nil while there is none.
  public let location: CLLocation?
  /// Whether the device has not moved, which ends the updates until it does.
  public var stationary: Bool { false }
  public var isStationary: Bool { false }
  public let authorizationDenied: Bool
  public let authorizationRequestInProgress: Bool

  /// What the updates are for.
  public enum LiveConfiguration: Int, Sendable {
    case `default`, automotiveNavigation, otherNavigation, fitness, airborne
  }

  /// Positions as they come, until the loop over them ends.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates { Updates() }

  /// Positions as they come.
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate

    public func makeAsyncIterator() -> Iterator { Iterator() }

    public struct Iterator: AsyncIteratorProtocol {
      private var base: AsyncStream<CLLocationUpdate>.Iterator

      init() {
        let (stream, continuation) = AsyncStream.makeStream(of: CLLocationUpdate.self)
        let follower = LiveFollower(continuation)
        continuation.onTermination = { _ in follower.stop() }
        follower.start()
        base = stream.makeAsyncIterator()
      }

      public mutating func next() async throws -> CLLocationUpdate? { await base.next() }
    }
  }
}

/// Hands a manager's positions to a stream.
private final class LiveFollower: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let continuation: AsyncStream<CLLocationUpdate>.Continuation
  private var manager: CLLocationManager?

  init(_ continuation: AsyncStream<CLLocationUpdate>.Continuation) { self.continuation = continuation }

  /// On the main queue: a task has no run loop.
  func start() {
    DispatchQueue.main.async { [self] in
      let manager = CLLocationManager()
      self.manager = manager
      manager.delegate = self
      manager.startUpdatingLocation()
    }
  }

  func stop() {
    DispatchQueue.main.async { [self] in
      manager?.stopUpdatingLocation()
      manager = nil
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations {
      continuation.yield(
        CLLocationUpdate(location: location, authorizationDenied: false, authorizationRequestInProgress: false))
    }
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    let status = manager.authorizationStatus
    guard status == .denied || status == .notDetermined else { return }
    continuation.yield(
      CLLocationUpdate(
        location: nil, authorizationDenied: status == .denied,
        authorizationRequestInProgress: status == .notDetermined))
  }
}

/// Keeps an app's use of positions going behind the foreground, for as long as it is held.
public final class CLBackgroundActivitySession: NSObject, @unchecked Sendable {
  public override init() {
    super.init()
    DeviceClient.record("backgroundActivity", json: "{\"begins\":true}")
  }
  public func invalidate() { DeviceClient.record("backgroundActivity", json: "{\"begins\":false}") }
}
