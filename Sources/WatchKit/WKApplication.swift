@_exported public import AppleFoundation
@_exported public import Combine
public import Foundation
public import HealthKit
import WatchConnectivity

/// What the system tells a watch's app, on the main queue.
@MainActor @preconcurrency
public protocol WKApplicationDelegate: AnyObject {
  func applicationDidFinishLaunching()
  func applicationWillEnterForeground()
  func applicationDidBecomeActive()
  func applicationWillResignActive()
  func applicationDidEnterBackground()
  /// The phone's app has called `startWatchApp(with:)`. It may come before any other call but the first.
  func handle(_ workoutConfiguration: HKWorkoutConfiguration)
  /// The app is started again after it died in a workout.
  func handleActiveWorkoutRecovery()
  func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

/// The methods that a delegate may leave out.
extension WKApplicationDelegate {
  public func applicationDidFinishLaunching() {}
  public func applicationWillEnterForeground() {}
  public func applicationDidBecomeActive() {}
  public func applicationWillResignActive() {}
  public func applicationDidEnterBackground() {}
  public func handle(_ workoutConfiguration: HKWorkoutConfiguration) {}
  public func handleActiveWorkoutRecovery() {}
  public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
    for task in backgroundTasks { task.setTaskCompletedWithSnapshot(false) }
  }
}

/// The older name of the delegate.
public typealias WKExtensionDelegate = WKApplicationDelegate
/// The older name of the application.
public typealias WKExtension = WKApplication

/// The state of a watch's app; the raw values are the framework's.
public enum WKApplicationState: Int, Sendable { case active = 0, inactive, background }

/// This process as the app of a watch.
@MainActor @preconcurrency
public final class WKApplication: NSObject {
  private static let only = WKApplication()
  public static func shared() -> WKApplication { only }

  public nonisolated static let didFinishLaunchingNotification = Notification.Name("WKApplicationDidFinishLaunching")
  public nonisolated static let didBecomeActiveNotification = Notification.Name("WKApplicationDidBecomeActive")
  public nonisolated static let willResignActiveNotification = Notification.Name("WKApplicationWillResignActive")
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("WKApplicationDidEnterBackground")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("WKApplicationWillEnterForeground")

  private var hasBegun = false
  private var refreshes = 0
  /// The task for content of the session that was handed last: the next one comes after its end.
  private weak var contentTask: WKWatchConnectivityRefreshBackgroundTask?

  /// A strong reference, as the system creates the delegate.
  ///
  /// With the first one the app's life begins.
  public var delegate: (any WKApplicationDelegate)? {
    didSet {
      guard delegate != nil, !hasBegun else { return }
      hasBegun = true
      DispatchQueue.main.async { MainActor.assumeIsolated { self.begin() } }
    }
  }

  public var applicationState: WKApplicationState {
    switch AppLife.shared.state {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    }
  }
  public var isApplicationRunningInDock: Bool { false }
  /// Keeps the app in front for longer after the wrist goes down: not simulated.
  public var isFrontmostTimeoutExtended: Bool {
    get { false }
    set {
      DeviceServices.report("watchKit", "the app sets WKApplication.isFrontmostTimeoutExtended, which is not simulated")
    }
  }
  public func enableWaterLock() { WKInterfaceDevice.current().enableWaterLock() }
  public func registerForRemoteNotifications() {
    DeviceServices.report(
      "watchKit", "the app calls WKApplication.registerForRemoteNotifications, which is not simulated")
  }
  public var isAutorotating: Bool {
    get { false }
    set { DeviceServices.report("watchKit", "the app sets WKApplication.isAutorotating, which is not simulated") }
  }

  private func begin() {
    delegate?.applicationDidFinishLaunching()
    NotificationCenter.default.post(name: Self.didFinishLaunchingNotification, object: self)
    AppLife.shared.followDevice { word in
      if case .taskExpires(let number) = word { OpenTasks.shared.expire(number) }
    }
    AppLife.shared.observeContent { MainActor.assumeIsolated { self.handOverContentTask() } }
    HealthClient.shared.setLaunchHandler { configuration in
      MainActor.assumeIsolated {
        if let configuration {
          self.delegate?.handle(configuration)
        } else {
          self.delegate?.handleActiveWorkoutRecovery()
        }
      }
    }
    HealthClient.shared.askLaunch { isBackground in
      MainActor.assumeIsolated {
        AppLife.shared.begin(inBackground: isBackground) { step in MainActor.assumeIsolated { self.tell(step) } }
      }
    }
  }

  private func tell(_ step: AppLife.Step) {
    switch step {
    case .willEnterForeground:
      delegate?.applicationWillEnterForeground()
      post(Self.willEnterForegroundNotification)
    case .didBecomeActive:
      delegate?.applicationDidBecomeActive()
      post(Self.didBecomeActiveNotification)
    case .willResignActive:
      delegate?.applicationWillResignActive()
      post(Self.willResignActiveNotification)
    case .didEnterBackground:
      delegate?.applicationDidEnterBackground()
      post(Self.didEnterBackgroundNotification)
    }
  }

  private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

  // MARK: Background refresh

  /// Content of the session comes next, and the app is behind the foreground.
  private func handOverContentTask() {
    guard contentTask?.isOpen != true else { return }
    let task = WKWatchConnectivityRefreshBackgroundTask()
    contentTask = task
    task.begin()
    delegate?.handle([task])
  }

  /// Asks for a wake in the background.
  ///
  /// The system grants at most one an hour.
  public func scheduleBackgroundRefresh(
    withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
    scheduledCompletion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    refreshes += 1
    let number = refreshes
    let wait = max(preferredFireDate.timeIntervalSinceNow, Self.refreshInterval)
    DispatchQueue.main.async { scheduledCompletion(nil) }
    DispatchQueue.main.asyncAfter(deadline: .now() + wait) {
      MainActor.assumeIsolated {
        // A later request replaces an earlier one.
        guard number == self.refreshes else { return }
        let task = WKApplicationRefreshBackgroundTask()
        task.begin()
        self.delegate?.handle([task])
      }
    }
  }

  /// Without a complication on the active face.
  private static let refreshInterval: TimeInterval = 3_600
}

/// What an app has found in the background.
public enum WKBackgroundFetchResult: UInt, Sendable { case newData = 0, noData, failed }
