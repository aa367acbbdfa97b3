@_exported public import Foundation

/// The domain of every error of this module.
public let WCErrorDomain = "WCErrorDomain"

/// Why something was not sent, not delivered or not answered.
public struct WCError: Error, Sendable {
  /// The raw values are the framework's.
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

  public let code: Code
  private let details: Unchecked<[String: Any]>

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - userInfo: Overrides the framework's own texts, under the keys of an `NSError`.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    details = Unchecked(userInfo)
  }

  /// The texts and the creator's own entries, under the keys of an `NSError`.
  public var userInfo: [String: Any] { code.userInfo.merging(details.value) { _, own in own } }

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

/// Lets `catch WCError.notReachable` catch errors with that code, also those that an app created as an `NSError`.
public func ~= (code: WCError.Code, error: any Error) -> Bool { (error as? WCError)?.code == code }

extension WCError: CustomNSError {
  public static var errorDomain: String { WCErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { userInfo }
}

/// Errors with the same code are equal.
extension WCError: Hashable {
  public static func == (lhs: WCError, rhs: WCError) -> Bool { lhs.code == rhs.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension WCError: LocalizedError {
  public var errorDescription: String? { text(NSLocalizedDescriptionKey) }
  public var failureReason: String? { text(NSLocalizedFailureReasonErrorKey) }
  public var recoverySuggestion: String? { text(NSLocalizedRecoverySuggestionErrorKey) }

  private func text(_ key: String) -> String? { userInfo[key] as? String }
}
