import Foundation

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
