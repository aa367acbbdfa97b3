public import Foundation

extension FileManager {
  /// The folder that the apps and extensions of one device share under a group's name; it is there when this returns.
  ///
  /// - Returns: nil for a name that no entitlement can have: one that does not begin with `group.`, or is no file's name.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    let isName = groupIdentifier.utf8.allSatisfy {
      (48...57).contains($0) || (97...122).contains($0 | 0x20) || $0 == 45 || $0 == 46 || $0 == 95
    }
    guard groupIdentifier.hasPrefix("group."), groupIdentifier.utf8.count <= 200, isName else { return nil }
    // In a run the home folder is the device's, in the run's state.
    let folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/Group Containers")
      .appendingPathComponent(groupIdentifier)
    try? createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// What a change of an observed value is described by.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// Seconds since 1 January 2001.
public typealias CFAbsoluteTime = Double
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Runs the closure: there is nothing to release here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension ProcessInfo {
  public enum ThermalState: Int, Sendable { case nominal = 0, fair, serious, critical }

  /// No device of a run gets warm.
  public var thermalState: ThermalState { .nominal }
  public var isLowPowerModeEnabled: Bool { false }
  public static let thermalStateDidChangeNotification = Notification.Name("NSProcessInfoThermalStateDidChange")
}

extension Notification.Name {
  public static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChange")
}

extension NotificationCenter {
  /// The notifications of a name, in the order in which they come; the sequence keeps those that were not read yet.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(self, name, object)
  }

  public struct Notifications: AsyncSequence, @unchecked Sendable {
    public typealias Element = Notification

    /// Ends the observation with the sequence.
    private final class Observation: @unchecked Sendable {
      let center: NotificationCenter
      var token: (any NSObjectProtocol)?
      init(_ center: NotificationCenter) { self.center = center }
      deinit { if let token { center.removeObserver(token) } }
    }

    private let stream: AsyncStream<UncheckedNotification>
    private let observation: Observation

    fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      let (stream, continuation) = AsyncStream.makeStream(of: UncheckedNotification.self)
      self.stream = stream
      observation = Observation(center)
      observation.token = center.addObserver(forName: name, object: object, queue: nil) {
        continuation.yield(UncheckedNotification(value: $0))
      }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private let observation: Observation
      private var iterator: AsyncStream<UncheckedNotification>.Iterator

      fileprivate init(_ sequence: Notifications) {
        (observation, iterator) = (sequence.observation, sequence.stream.makeAsyncIterator())
      }

      public mutating func next() async -> Notification? { await iterator.next()?.value }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
  }
}

private struct UncheckedNotification: @unchecked Sendable {
  let value: Notification
}
