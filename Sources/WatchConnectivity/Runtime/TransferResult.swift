import Link

/// A finished transfer whose end was not reported to the app yet.
struct TransferResult: Sendable {
  var lane: Lane
  /// The former entry of the outbox.
  var entry: QueueEntry
  /// Why it failed; nil if it did not.
  var error: SessionError?

  /// The name of its mark.
  var key: String { "\(Self.prefix)\(entry.transfer.text)" }
  static let prefix = "result."

  /// Stores it until the app was notified.
  var mark: KeyedChange {
    var bytes: [UInt8] = [lane.rawValue, entry.flags.rawValue]
    let error = Array((error?.rawValue ?? "").utf8)
    bytes.append(UInt8(error.count))
    bytes += error
    bytes += entry.seq.bytes + entry.payload
    return .set(key: key, bytes)
  }
}

extension TransferResult {
  /// Reads a mark; nil for an invalid one.
  init?(key: String, _ bytes: [UInt8]) {
    guard key.hasPrefix(Self.prefix), let transfer = Identifier(text: key.dropFirst(Self.prefix.count)),
      bytes.count >= 11, let lane = Lane(rawValue: bytes[0]), bytes.count >= 11 + Int(bytes[2])
    else { return nil }
    let end = 3 + Int(bytes[2])
    error = SessionError(rawValue: String(decoding: bytes[3..<end], as: UTF8.self))
    self.lane = lane
    entry = QueueEntry(
      transfer: transfer, lane: lane, seq: SequenceNumber(bytes.littleEndian(UInt64.self, at: end)),
      flags: Frame.Flags(rawValue: bytes[1]), payload: Array(bytes[(end + 8)...]))
  }
}
