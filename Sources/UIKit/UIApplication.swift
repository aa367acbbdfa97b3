@_exported public import AppleFoundation
@_exported public import Combine
import DeviceClient
public import Foundation
import HealthKit
import HealthSim
import WatchConnectivity

/// What the system tells a phone's app, on the main queue.
@MainActor @preconcurrency
public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillEnterForeground(_ application: UIApplication)
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)
}

/// The methods that a delegate may leave out.
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
}

/// The number of a task in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = Self(rawValue: 0)
}

/// This process as the app of a phone.
@MainActor @preconcurrency
public final class UIApplication: NSObject {
  /// The state of an app; the raw values are the framework's.
  public enum State: Int, Sendable { case active = 0, inactive, background }
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  public static let shared = UIApplication()

  public nonisolated static let didFinishLaunchingNotification = Notification.Name("UIApplicationDidFinishLaunching")
  public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActive")
  public nonisolated static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActive")
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForeground")
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarning")

  private var hasBegun = false
  /// Whether the device has to learn that an app that it started behind is in front.
  private var isBehind = false
  /// A task in the background, with its handler.
  private struct BackgroundTask {
    var handler: (@MainActor @Sendable () -> Void)?
    /// Its number at the device, and when its time is over; nil in the foreground.
    var counted: (number: Int64, until: Date)?
  }
  private var tasks: [Int: BackgroundTask] = [:]
  private var lastTask = 0

  /// A strong reference, as the system creates the delegate.
  ///
  /// With the first one the app's life begins.
  public var delegate: (any UIApplicationDelegate)? {
    didSet {
      guard delegate != nil, !hasBegun else { return }
      hasBegun = true
      DispatchQueue.main.async { MainActor.assumeIsolated { self.begin() } }
    }
  }

  public var applicationState: State {
    switch AppLife.shared.state {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    }
  }
  public nonisolated static let openSettingsURLString = "app-settings:"
  /// Opens another app: a fact `opened` of the run.
  public func open(
    _ url: URL, options: [String: Any] = [:], completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    DeviceServices.record("opened", json: "{\"scheme\":\"\(url.scheme?.filter(\.isLetter) ?? "")\"}")
    DispatchQueue.main.async { completion?(true) }
  }
  public func canOpenURL(_ url: URL) -> Bool { true }
  public func registerForRemoteNotifications() {
    DeviceServices.report("uiKit", "the app calls UIApplication.registerForRemoteNotifications, which is not simulated")
  }
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
  /// Whether the screen stays on: a fact `idleTimer` of the run.
  public var isIdleTimerDisabled = false {
    didSet { DeviceServices.record("idleTimer", json: "{\"disabled\":\(isIdleTimerDisabled)}") }
  }

  private func begin() {
    _ = delegate?.application(self, didFinishLaunchingWithOptions: nil)
    post(Self.didFinishLaunchingNotification)
    AppLife.shared.followDevice { word in MainActor.assumeIsolated { self.hear(word) } }
    HealthClient.shared.askLaunch { isBackground in
      MainActor.assumeIsolated {
        self.isBehind = isBackground
        AppLife.shared.begin(inBackground: isBackground) { step in MainActor.assumeIsolated { self.tell(step) } }
      }
    }
  }

  private func tell(_ step: AppLife.Step) {
    switch step {
    case .willEnterForeground:
      for number in tasks.keys.sorted() { stopCounting(number) }
      delegate?.applicationWillEnterForeground(self)
      post(Self.willEnterForegroundNotification)
    case .didBecomeActive:
      if isBehind { DeviceClient.shared.send("life.front") }
      isBehind = false
      delegate?.applicationDidBecomeActive(self)
      post(Self.didBecomeActiveNotification)
    case .willResignActive:
      delegate?.applicationWillResignActive(self)
      post(Self.willResignActiveNotification)
    case .didEnterBackground:
      delegate?.applicationDidEnterBackground(self)
      post(Self.didEnterBackgroundNotification)
      for number in tasks.keys.sorted() { count(number) }
    }
  }

  private func hear(_ word: AppLife.Word) {
    switch word {
    case .taskExpires(let number): tasks.values.first { $0.counted?.number == number }?.handler?()
    case .memoryWarning:
      delegate?.applicationDidReceiveMemoryWarning(self)
      post(Self.didReceiveMemoryWarningNotification)
    }
  }

  private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

  // MARK: Background time

  /// How long a task may last in the background.
  private static let allowance: TimeInterval = 30

  /// In the foreground practically endless.
  public var backgroundTimeRemaining: TimeInterval {
    guard applicationState == .background else { return .greatestFiniteMagnitude }
    let first = tasks.values.compactMap { $0.counted?.until }.min()
    return max(0, first?.timeIntervalSinceNow ?? Self.allowance)
  }

  /// Asks not to be suspended at once; the handler is called when the time is nearly over.
  ///
  /// The time is counted in the background. The system ends an app that has not ended its task by then.
  public func beginBackgroundTask(
    withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    lastTask += 1
    let number = lastTask
    tasks[number] = BackgroundTask(handler: handler)
    if applicationState == .background { count(number) }
    return UIBackgroundTaskIdentifier(rawValue: number)
  }

  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    stopCounting(identifier.rawValue)
    tasks[identifier.rawValue] = nil
  }

  private func count(_ number: Int) {
    guard tasks[number]?.counted == nil else { return }
    tasks[number]?.counted = (AppLife.shared.beginTask(), Date(timeIntervalSinceNow: Self.allowance))
  }

  private func stopCounting(_ number: Int) {
    guard let counted = tasks[number]?.counted else { return }
    AppLife.shared.endTask(counted.number)
    tasks[number]?.counted = nil
  }
}

/// The phone.
public final class UIDevice: NSObject, @unchecked Sendable {
  public static let current = UIDevice()
  public var name: String { "iPhone" }
  public var model: String { "iPhone" }
  public var localizedModel: String { "iPhone" }
  public var systemName: String { "iOS" }
  public var systemVersion: String { "18.0" }
  /// A name of this app on this device, which an installation keeps.
  public var identifierForVendor: UUID? { UUID(uuidString: "0F0A1B2C-0000-4000-8000-000000000001") }
  public var isBatteryMonitoringEnabled = false
  /// Not simulated: the value of a phone that does not monitor its battery.
  public var batteryLevel: Float {
    DeviceServices.report("uiKit", "the app reads UIDevice.batteryLevel, which is not simulated")
    return -1
  }
  public enum BatteryState: Int, Sendable { case unknown = 0, unplugged, charging, full }
  /// Not simulated: the value of a phone that does not monitor its battery.
  public var batteryState: BatteryState {
    DeviceServices.report("uiKit", "the app reads UIDevice.batteryState, which is not simulated")
    return .unknown
  }
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  public nonisolated static let batteryLevelDidChangeNotification = Notification.Name("UIDeviceBatteryLevelDidChange")
  public nonisolated static let batteryStateDidChangeNotification = Notification.Name("UIDeviceBatteryStateDidChange")
}

public enum UIBackgroundRefreshStatus: Int, Sendable { case restricted = 0, denied, available }

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone = 0, pad, tv, carPlay
}
