@_exported public import AppleFoundation
public import Foundation

/// What a notification may do; the raw values are the framework's.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1 << 0)
  public static let sound = Self(rawValue: 1 << 1)
  public static let alert = Self(rawValue: 1 << 2)
  public static let carPlay = Self(rawValue: 1 << 3)
  public static let criticalAlert = Self(rawValue: 1 << 4)
  public static let providesAppNotificationSettings = Self(rawValue: 1 << 5)
  public static let provisional = Self(rawValue: 1 << 6)
}

/// How a notification is shown while its app is in front; the raw values are the framework's.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1 << 0)
  public static let sound = Self(rawValue: 1 << 1)
  public static let alert = Self(rawValue: 1 << 2)
  public static let list = Self(rawValue: 1 << 3)
  public static let banner = Self(rawValue: 1 << 4)
}

/// The raw values are the framework's.
public enum UNAuthorizationStatus: Int, Sendable { case notDetermined = 0, denied, authorized, provisional, ephemeral }
public enum UNNotificationSetting: Int, Sendable { case notSupported = 0, disabled, enabled }
public enum UNNotificationInterruptionLevel: UInt, Sendable { case passive = 0, active, timeSensitive, critical }

/// What the user has set for this app.
public final class UNNotificationSettings: NSObject, @unchecked Sendable {
  public let authorizationStatus: UNAuthorizationStatus
  public var alertSetting: UNNotificationSetting { authorizationStatus == .authorized ? .enabled : .disabled }
  public var soundSetting: UNNotificationSetting { alertSetting }
  public var badgeSetting: UNNotificationSetting { alertSetting }
  public var notificationCenterSetting: UNNotificationSetting { alertSetting }
  public var lockScreenSetting: UNNotificationSetting { alertSetting }

  init(_ permission: Int64) {
    authorizationStatus = permission == 0 ? .notDetermined : permission == 1 ? .denied : .authorized
  }
}

/// A sound; not played here.
public final class UNNotificationSound: NSObject, @unchecked Sendable {
  public class var `default`: UNNotificationSound { UNNotificationSound() }
  public class var defaultCritical: UNNotificationSound { UNNotificationSound() }
  public convenience init(named name: UNNotificationSoundName) { self.init() }
}

public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What a notification says.
public class UNNotificationContent: NSObject, @unchecked Sendable {
  fileprivate(set) var values = Values()

  /// What outlives the app's process.
  struct Values: Codable {
    var title = ""
    var subtitle = ""
    var body = ""
    var badge: Int?
    var category = ""
    var thread = ""
    /// A property list.
    var userInfo = Data()
    var level: UInt = 1
  }

  public var title: String { values.title }
  public var subtitle: String { values.subtitle }
  public var body: String { values.body }
  public var badge: NSNumber? { values.badge.map { NSNumber(value: $0) } }
  public var categoryIdentifier: String { values.category }
  public var threadIdentifier: String { values.thread }
  public var sound: UNNotificationSound? { nil }
  public var interruptionLevel: UNNotificationInterruptionLevel { .init(rawValue: values.level) ?? .active }
  /// What is no property list is lost.
  public var userInfo: [AnyHashable: Any] {
    let list = try? PropertyListSerialization.propertyList(from: values.userInfo, format: nil)
    return list as? [String: Any] ?? [:]
  }

  func take(_ values: Values) { self.values = values }
}

/// A content that is being made.
public final class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  private var ownSound: UNNotificationSound?

  public override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  public override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }
  public override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  public override var badge: NSNumber? {
    get { super.badge }
    set { values.badge = newValue?.intValue }
  }
  public override var categoryIdentifier: String {
    get { values.category }
    set { values.category = newValue }
  }
  public override var threadIdentifier: String {
    get { values.thread }
    set { values.thread = newValue }
  }
  public override var sound: UNNotificationSound? {
    get { ownSound }
    set { ownSound = newValue }
  }
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { super.interruptionLevel }
    set { values.level = newValue.rawValue }
  }
  public override var userInfo: [AnyHashable: Any] {
    get { super.userInfo }
    set {
      let list = Dictionary(uniqueKeysWithValues: newValue.map { ("\($0.key)", $0.value) })
      let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      values.userInfo = data ?? Data()
    }
  }
}

/// When a notification is shown; nil for at once.
public class UNNotificationTrigger: NSObject, @unchecked Sendable {
  public let repeats: Bool
  init(repeats: Bool) { self.repeats = repeats }

  /// Seconds from now; nil for never.
  func wait() -> TimeInterval? { nil }
  /// Seconds from one to the next.
  func interval() -> TimeInterval? { nil }
}

/// After a time.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  public let timeInterval: TimeInterval

  /// A time of 0, or a repeated one below a minute, raises an exception, which ends the app.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    guard timeInterval > 0 else { fatalError("time interval must be greater than 0") }
    guard !repeats || timeInterval >= 60 else { fatalError("time interval must be at least 60 if repeating") }
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  public func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }
  override func wait() -> TimeInterval? { timeInterval }
  override func interval() -> TimeInterval? { repeats ? timeInterval : nil }
}

/// At the dates that match components.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  public let dateComponents: DateComponents

  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  private func next(after date: Date) -> Date? {
    (dateComponents.calendar ?? .current).nextDate(after: date, matching: dateComponents, matchingPolicy: .nextTime)
  }

  public func nextTriggerDate() -> Date? { next(after: Date()) }
  override func wait() -> TimeInterval? { nextTriggerDate()?.timeIntervalSinceNow }
  /// The time between the next two: where clocks change, a later one is off by that.
  override func interval() -> TimeInterval? {
    guard repeats, let first = nextTriggerDate(), let second = next(after: first) else { return nil }
    return second.timeIntervalSince(first)
  }
}

/// A notification that is wanted.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
  public let identifier: String
  public let content: UNNotificationContent
  /// Nil for at once, and in a list of what is pending or was delivered.
  public let trigger: UNNotificationTrigger?

  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }
}

/// A notification that was shown, or is about to be.
public final class UNNotification: NSObject, @unchecked Sendable {
  public let request: UNNotificationRequest
  public let date: Date

  init(_ request: UNNotificationRequest, _ date: Date) {
    self.request = request
    self.date = date
  }
}

/// What a user has done with a notification; the simulated user does nothing with one.
public class UNNotificationResponse: NSObject, @unchecked Sendable {
  public let notification: UNNotification
  public let actionIdentifier: String
  init(_ notification: UNNotification, _ action: String) {
    self.notification = notification
    actionIdentifier = action
  }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let authenticationRequired = Self(rawValue: 1)
  public static let destructive = Self(rawValue: 2)
  public static let foreground = Self(rawValue: 4)
}

/// A button of a notification, which the simulated user never presses.
public class UNNotificationAction: NSObject, @unchecked Sendable {
  public let identifier: String
  public let title: String
  public let options: UNNotificationActionOptions
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
  }
}

/// Notifications with the same buttons.
public final class UNNotificationCategory: NSObject, @unchecked Sendable {
  public let identifier: String
  public let actions: [UNNotificationAction]
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
  }
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let customDismissAction = Self(rawValue: 1)
}
