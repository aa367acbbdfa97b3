public import Foundation
import HealthKit
import WatchConnectivity

/// A task in the background.
///
/// Each must be completed within 15 s, or the system ends the app.
public class WKRefreshBackgroundTask: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  /// Its number at the device; nil for one that was not handed over.
  private var number: Int64?
  private var isCompleted = false
  private var handler: (() -> Void)?

  /// Called a second before the time is over.
  public var expirationHandler: (() -> Void)? {
    get { lock.withLock { handler } }
    set { lock.withLock { handler = newValue } }
  }
  public var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }

  var isOpen: Bool { lock.withLock { number != nil && !isCompleted } }

  func begin() {
    let number = AppLife.shared.beginTask()
    lock.withLock { self.number = number }
    OpenTasks.shared.add(self, number)
  }

  public func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
    let number = lock.withLock { () -> Int64? in
      guard !isCompleted else { return nil }
      isCompleted = true
      return self.number
    }
    guard let number else { return }
    OpenTasks.shared.remove(number)
    AppLife.shared.endTask(number)
  }
}

/// The tasks that are not completed, which the system keeps.
final class OpenTasks: @unchecked Sendable {
  static let shared = OpenTasks()
  private let lock = NSLock()
  private var all: [Int64: WKRefreshBackgroundTask] = [:]

  func add(_ task: WKRefreshBackgroundTask, _ number: Int64) { lock.withLock { all[number] = task } }
  func remove(_ number: Int64) { lock.withLock { all[number] = nil } }
  func expire(_ number: Int64) { lock.withLock { all[number] }?.expirationHandler?() }
}

public final class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {}
/// Handed over before content of the session, to an app behind the foreground.
///
/// It is to be completed when the session has no content pending.
public final class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {}
public final class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {
  public func setTaskCompleted(
    restoredDefaultState: Bool, estimatedSnapshotExpiration: Date?, userInfo: (any NSSecureCoding & NSObjectProtocol)?
  ) { setTaskCompletedWithSnapshot(false) }
}
public final class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask, @unchecked Sendable {
  public var sessionIdentifier: String { "" }
}
