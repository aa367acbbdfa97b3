/// Why an item was not sent or not answered: WCError's cases under short names.
public enum SessionError: String, Error, Sendable, CaseIterable {
  /// WCError 7006 on the phone, 7018 on the watch: the counterpart's app is not installed.
  case peerNotInstalled
  /// WCError 7007.
  case notReachable
  /// WCError 7008: an impossible name or size of a file.
  case invalidParameter
  /// WCError 7009: the payload is larger than its channel allows.
  case payloadTooLarge
  /// WCError 7010: not a property list.
  case payloadUnsupportedTypes
  /// WCError 7011: the reply could not be sent.
  case messageReplyFailed
  /// WCError 7012: no reply within the deadline.
  case messageReplyTimedOut
  /// WCError 7013: the file can no longer be read.
  case fileAccessDenied
  /// WCError 7014: the receiver could not handle it.
  case deliveryFailed
  /// WCError 7017: only under a quirk.
  case transferTimedOut
  /// WCError 7015: no room on this device's disk or the receiver's.
  case insufficientSpace
  /// WCError 7014: the received bytes differed from the offer three times.
  case digestMismatch

  /// The error's name in the trace of one side, which depends on the side for a missing app.
  public func text(on role: NodeRole) -> String {
    guard self == .peerNotInstalled else { return rawValue }
    return role == .watch ? "companionAppNotInstalled" : "watchAppNotInstalled"
  }
}
