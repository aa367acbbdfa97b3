import Foundation
import Link

/// A finished transfer whose end was not reported to the app yet.
struct TransferResult: Sendable {
  var lane: Lane
  /// The former entry of the outbox.
  var entry: OutboxEntry
  /// Why it failed; nil if it did not.
  var error: SessionError?

  /// The name of its note.
  var key: String { "\(Self.prefix)\(entry.transfer.text)" }
  static let prefix = "result."

  /// Stores it until the app was notified.
  var note: KeyedChange {
    var bytes: [UInt8] = [lane.rawValue, entry.flags.rawValue]
    let error = Array((error?.rawValue ?? "").utf8)
    bytes.append(UInt8(error.count))
    bytes += error
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: entry.seq.rawValue >> UInt64(8 * shift))) }
    bytes += entry.payload
    return .set(key: key, bytes)
  }

  init(lane: Lane, entry: OutboxEntry, error: SessionError?) {
    self.lane = lane
    self.entry = entry
    self.error = error
  }

  /// Reads a note; nil for an invalid one.
  init?(key: String, _ bytes: [UInt8]) {
    guard key.hasPrefix(Self.prefix), let transfer = Identifier(text: key.dropFirst(Self.prefix.count)),
      bytes.count >= 11, let lane = Lane(rawValue: bytes[0]), bytes.count >= 11 + Int(bytes[2])
    else { return nil }
    let end = 3 + Int(bytes[2])
    error = SessionError(rawValue: String(decoding: bytes[3..<end], as: UTF8.self))
    var seq: UInt64 = 0
    for index in 0..<8 { seq |= UInt64(bytes[end + index]) << UInt64(8 * index) }
    self.lane = lane
    entry = OutboxEntry(
      transfer: transfer, lane: lane, seq: SequenceNumber(seq), flags: Frame.Flags(rawValue: bytes[1]),
      payload: Array(bytes[(end + 8)...]))
  }
}

/// The notes of the app's previous start.
struct EarlierNotes: Sendable {
  /// Events of durable changes that no answer has reported yet.
  static let untold = "untold"
  /// Stored while the scenario has the phone's watch unpaired.
  static let unpaired = "watch.unpaired"
  /// Stored while the scenario has the app's complication off the active face.
  static let noComplication = "watch.noComplication"

  /// The number of the entry that each queue was delivering to the app.
  var handing: [Lane: UInt64] = [:]
  /// Finished transfers whose end was not reported to the app, by lane and number.
  var results: [TransferResult] = []
  /// The texts of the unreported events.
  var untoldLines: [[UInt8]] = []

  init(_ record: KeyedRecord) {
    for lane in Lane.allCases {
      guard let bytes = record.values[Self.handingKey(lane)], bytes.count == 8 else { continue }
      var seq: UInt64 = 0
      for index in 0..<8 { seq |= UInt64(bytes[index]) << UInt64(8 * index) }
      handing[lane] = seq
    }
    results = record.values.compactMap { TransferResult(key: $0.key, $0.value) }.sorted {
      ($0.lane.rawValue, $0.entry.seq) < ($1.lane.rawValue, $1.entry.seq)
    }
    untoldLines = record.lists[Self.untold] ?? []
  }

  private static func handingKey(_ lane: Lane) -> String { "handing.\(lane.rawValue)" }

  /// Records that an entry is about to be delivered to the app.
  static func handing(_ entry: InboxEntry) -> KeyedChange {
    .set(
      key: handingKey(entry.lane),
      (0..<8).map { UInt8(truncatingIfNeeded: entry.seq.rawValue >> UInt64(8 * $0)) })
  }
}
