public import Foundation

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

/// The framework's texts for its errors.
extension WCError.Code {
  /// The localized description.
  var text: String {
    switch self {
    case .genericError: "Unknown WatchConnectivity error."
    case .sessionNotSupported: "WatchConnectivity session is not available on this device."
    case .sessionMissingDelegate: "WatchConnectivity session has no delegate."
    case .sessionNotActivated: "WatchConnectivity session has not been activated."
    case .deviceNotPaired: "Device is not paired."
    case .watchAppNotInstalled: "Watch app is not installed."
    case .notReachable: "WatchConnectivity session on paired device is not reachable."
    case .invalidParameter: "Invalid parameter passed to WatchConnectivity API."
    case .payloadTooLarge: "Payload is too large."
    case .payloadUnsupportedTypes: "Payload contains unsupported type."
    case .messageReplyFailed: "Message reply failed."
    case .messageReplyTimedOut: "Message reply took too long."
    case .fileAccessDenied: "WatchConnectivity session cannot access the file."
    case .deliveryFailed: "Payload could not be delivered."
    case .insufficientSpace: "WatchConnectivity payload could not be sent because there isn't enough space."
    case .sessionInactive: "WatchConnectivity session is inactive."
    case .transferTimedOut: "Transfer timed out."
    case .companionAppNotInstalled: "Companion app is not installed."
    case .watchOnlyApp: "Watch app doesn't have a Companion app."
    }
  }

  /// The failure reason; nil if the framework gives none.
  var reason: String? {
    switch self {
    case .sessionNotSupported: "Device does not support pairing to a Watch."
    case .sessionMissingDelegate: "Delegate is nil."
    case .sessionNotActivated: "activateSession has not been called."
    case .messageReplyTimedOut: "Reply timeout occurred."
    case .fileAccessDenied: "Invalid path or insufficient permissions."
    case .insufficientSpace: "There is not enough space on the receiving side."
    case .sessionInactive: "The session is still transitioning to deactivated."
    default: nil
    }
  }

  /// The recovery suggestion; nil if the framework gives none.
  var recovery: String? {
    switch self {
    case .sessionNotSupported: "Check that sessions are supported first."
    case .sessionMissingDelegate: "Set a delegate."
    case .sessionNotActivated: "Activate the session."
    case .deviceNotPaired: "Pair the device."
    case .watchAppNotInstalled: "Install the watch app."
    case .payloadTooLarge: "Send a smaller payload."
    case .insufficientSpace: "Clear space on the receiving device."
    case .sessionInactive: "Wait for the session to become deactivated."
    default: nil
    }
  }

  /// The texts under the keys of an `NSError`.
  var userInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
    if let recovery { info[NSLocalizedRecoverySuggestionErrorKey] = recovery }
    return info
  }
}

extension WCError: CustomStringConvertible {
  /// The text that `print(error)` and a log show for the framework's own error objects.
  public var description: String {
    let entries = userInfo.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return
      "Error Domain=\(WCErrorDomain) Code=\(code.rawValue) \"\(localizedDescription)\""
      + " UserInfo={\(entries.joined(separator: ", "))}"
  }
}

/// Makes `error as? NSError` and `catch let error as NSError` work on a `WCError`, and `as? WCError` on an `NSError`.
///
/// Without this conformance the first gives nil on Linux, and the second, as the only clause, crashes the program. The
/// protocol is the standard library's own for `Data`, `Date` and the like: public, but underscored.
extension WCError: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError {
    NSError(domain: WCErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout WCError?) {
    precondition(
      _conditionallyBridgeFromObjectiveC(source, result: &result), "\(source.domain) \(source.code) is no WCError")
  }

  /// Nil for an error of another domain, or with an unknown code.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout WCError?) -> Bool {
    guard source.domain == WCErrorDomain, let code = Code(rawValue: source.code) else {
      result = nil
      return false
    }
    result = WCError(code, userInfo: source.userInfo)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> WCError {
    var result: WCError?
    if let source { _conditionallyBridgeFromObjectiveC(source, result: &result) }
    return result ?? WCError(.genericError)
  }
}
