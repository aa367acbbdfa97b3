@_exported public import AppleFoundation
public import Foundation
import Link

/// The domain of every error of this module.
public let HKErrorDomain = "com.apple.healthkit"

/// Why HealthKit refused something.
///
/// Codes outside the enumeration, such as 300, come as a plain `NSError`.
public struct HKError: Error, Sendable {
  /// The raw values are the framework's.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    case unknownError = 0
    case errorHealthDataUnavailable
    case errorHealthDataRestricted
    case errorInvalidArgument
    case errorAuthorizationDenied
    case errorAuthorizationNotDetermined
    case errorDatabaseInaccessible
    case errorUserCanceled
    case errorAnotherWorkoutSessionStarted
    case errorUserExitedWorkoutSession
    case errorRequiredAuthorizationDenied
    case errorNoData
    case errorWorkoutActivityNotAllowed
    case errorDataSizeExceeded
    case errorBackgroundWorkoutSessionNotAllowed
    case errorNotPermissibleForGuestUserMode
  }

  public let code: Code
  private let text: String

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    text = userInfo[NSLocalizedDescriptionKey] as? String ?? "The operation couldn't be completed."
  }

  public var userInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }

  public static var unknownError: Code { .unknownError }
  public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }
  public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }
  public static var errorInvalidArgument: Code { .errorInvalidArgument }
  public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }
  public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }
  public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }
  public static var errorUserCanceled: Code { .errorUserCanceled }
  public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }
  public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }
  public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }
  public static var errorNoData: Code { .errorNoData }
  public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }
  public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }
  public static var errorBackgroundWorkoutSessionNotAllowed: Code { .errorBackgroundWorkoutSessionNotAllowed }
  public static var errorNotPermissibleForGuestUserMode: Code { .errorNotPermissibleForGuestUserMode }
}

/// Lets `catch HKError.errorAuthorizationDenied` catch errors with that code.
public func ~= (code: HKError.Code, error: any Error) -> Bool { (error as? HKError)?.code == code }

extension HKError: CustomNSError {
  public static var errorDomain: String { HKErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { userInfo }
}

/// Errors with the same code are equal.
extension HKError: Hashable {
  public static func == (lhs: HKError, rhs: HKError) -> Bool { lhs.code == rhs.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HKError: LocalizedError {
  public var errorDescription: String? { text }
}

/// Makes `error as? NSError` and `as? HKError` work in both directions; the protocol is the standard library's own.
extension HKError: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError {
    NSError(domain: HKErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout HKError?) {
    precondition(
      _conditionallyBridgeFromObjectiveC(source, result: &result), "\(source.domain) \(source.code) is no HKError")
  }

  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout HKError?) -> Bool {
    guard source.domain == HKErrorDomain, let code = Code(rawValue: source.code) else {
      result = nil
      return false
    }
    result = HKError(code, userInfo: source.userInfo)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> HKError {
    var result: HKError?
    if let source { _conditionallyBridgeFromObjectiveC(source, result: &result) }
    return result ?? HKError(.unknownError)
  }
}

/// An error by its number: an ``HKError``, or for numbers outside the enumeration a plain `NSError`.
func healthError(_ code: Int64, _ text: String) -> any Error {
  let userInfo = [NSLocalizedDescriptionKey: text]
  guard let known = HKError.Code(rawValue: Int(code)) else {
    return NSError(domain: HKErrorDomain, code: Int(code), userInfo: userInfo)
  }
  return HKError(known, userInfo: userInfo)
}

/// Ends the app, as an uncaught exception of the framework does.
func raise(_ reason: String) -> Never {
  let text = "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(reason)'"
  FileHandle.standardError.write(Data("\(TerminalText.escape(text))\n".utf8))
  abort()
}
