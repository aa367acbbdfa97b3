import Link

/// The marks of the app's previous start.
struct EarlierMarks: Sendable {
  /// Events of durable changes that no answer has reported yet.
  static let untold = "untold"
  /// Stored while the scenario has the phone's watch unpaired.
  static let unpaired = "watch.unpaired"
  /// Stored while the scenario has the app's complication off the active face.
  static let noComplication = "watch.noComplication"

  /// The number of the context that the app was last notified of.
  static let toldContext = "context.told"

  /// The number of the context that an earlier start notified the app of, if any.
  var contextTold: SequenceNumber?
  /// The number of the entry that each queue was delivering to the app.
  var handing: [Lane: UInt64] = [:]
  /// Finished transfers whose end was not reported to the app, by lane and number.
  var results: [TransferResult] = []
  /// The texts of the unreported events.
  var untoldLines: [[UInt8]] = []

  init(_ record: KeyedRecord) {
    for lane in Lane.allCases {
      guard let bytes = record.values[Self.handingKey(lane)], bytes.count == 8 else { continue }
      handing[lane] = bytes.littleEndian(UInt64.self, at: 0)
    }
    contextTold = record.values[Self.toldContext].flatMap {
      $0.count == 8 ? SequenceNumber($0.littleEndian(UInt64.self, at: 0)) : nil
    }
    results = record.values.compactMap { TransferResult(key: $0.key, $0.value) }.sorted {
      ($0.lane.rawValue, $0.entry.seq) < ($1.lane.rawValue, $1.entry.seq)
    }
    untoldLines = record.lists[Self.untold] ?? []
  }

  /// Records that the app was notified of a context.
  static func told(_ context: SequenceNumber) -> KeyedChange { .set(key: toldContext, context.bytes) }

  private static func handingKey(_ lane: Lane) -> String { "handing.\(lane.rawValue)" }

  /// Records that an entry is about to be delivered to the app.
  static func handing(_ entry: QueueEntry) -> KeyedChange {
    .set(key: handingKey(entry.lane), entry.seq.bytes)
  }
}
