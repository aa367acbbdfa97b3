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
