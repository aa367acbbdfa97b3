@_exported public import Foundation

/// The domain of every error of this module.
public let WCErrorDomain = "WCErrorDomain"

/// Why something was not sent, not delivered or not answered.
public struct WCError: Error, Hashable, Sendable {
  /// What went wrong; the raw values are those of the framework.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    case genericError = 7001
    case sessionNotSupported = 7002
    case sessionMissingDelegate = 7003
    case sessionNotActivated = 7004
    case deviceNotPaired = 7005
    case watchAppNotInstalled = 7006
    case notReachable = 7007
    case invalidParameter = 7008
    case payloadTooLarge = 7009
    case payloadUnsupportedTypes = 7010
    case messageReplyFailed = 7011
    case messageReplyTimedOut = 7012
    case fileAccessDenied = 7013
    case deliveryFailed = 7014
    case insufficientSpace = 7015
    case sessionInactive = 7016
    case transferTimedOut = 7017
    case companionAppNotInstalled = 7018
    case watchOnlyApp = 7019
  }

  /// What went wrong.
  public let code: Code

  /// Creates an error.
  public init(_ code: Code) { self.code = code }

  public static var genericError: Code { .genericError }
  public static var sessionNotSupported: Code { .sessionNotSupported }
  public static var sessionMissingDelegate: Code { .sessionMissingDelegate }
  public static var sessionNotActivated: Code { .sessionNotActivated }
  public static var deviceNotPaired: Code { .deviceNotPaired }
  public static var watchAppNotInstalled: Code { .watchAppNotInstalled }
  public static var notReachable: Code { .notReachable }
  public static var invalidParameter: Code { .invalidParameter }
  public static var payloadTooLarge: Code { .payloadTooLarge }
  public static var payloadUnsupportedTypes: Code { .payloadUnsupportedTypes }
  public static var messageReplyFailed: Code { .messageReplyFailed }
  public static var messageReplyTimedOut: Code { .messageReplyTimedOut }
  public static var fileAccessDenied: Code { .fileAccessDenied }
  public static var deliveryFailed: Code { .deliveryFailed }
  public static var insufficientSpace: Code { .insufficientSpace }
  public static var sessionInactive: Code { .sessionInactive }
  public static var transferTimedOut: Code { .transferTimedOut }
  public static var companionAppNotInstalled: Code { .companionAppNotInstalled }
  public static var watchOnlyApp: Code { .watchOnlyApp }
}

/// Lets `catch WCError.notReachable` catch the error of that code, in either of its forms.
public func ~= (code: WCError.Code, error: any Error) -> Bool {
  if let error = error as? WCError { return error.code == code }
  // A struct cast so has its own domain and code, an object has those it was made with.
  let object = error as NSError
  return object.domain == WCErrorDomain && object.code == code.rawValue
}

extension WCError: CustomNSError {
  public static var errorDomain: String { WCErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { code.userInfo }
}

extension WCError: LocalizedError {
  public var errorDescription: String? { code.text }
  public var failureReason: String? { code.reason }
  public var recoverySuggestion: String? { code.recovery }
}
