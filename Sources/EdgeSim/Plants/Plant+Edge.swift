package import Link

extension Plant {
  /// The plants of the server.
  package static let edge: [Plant] = [
    addedUp,
    versionsKept,
    alwaysWritten,
    halfTrusted,
    fetchedSince,
  ]
}
