import CoachProtocol

extension LiveMetrics {
  /// Reads a snapshot's payload; nil for any other message, and for what is none.
  init?(encoded bytes: [UInt8]) {
    self.init()
    var workout = IdentifierText.none
    guard read(encoded: bytes, workout: &workout) else { return nil }
  }
}
