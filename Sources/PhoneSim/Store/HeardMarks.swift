import CoachProtocol
package import Link

/// Counters and marks that every fresh snapshot updates, from the newest row.
struct HeardMarks: Equatable, Sendable {
  /// Number of fresh snapshots in this store's life.
  var heardCount: Int64 = 0
  /// The last one; meaningless before the first.
  var mark = Freshness.Mark(epoch: Epoch(0), seq: SequenceNumber(0), arrivedAt: .start)
  /// The time of the newest ordinary update since the belief was last written, if any.
  var believedSentAt: Int64?
  var evaluations: Int64 = 0
  var furthestDistance: Double?
  var furthestElapsed: Double?

  /// Applies a snapshot as a record does.
  mutating func apply(_ snapshot: HeardSnapshot) {
    heardCount += 1
    mark = Freshness.Mark(epoch: snapshot.epoch, seq: snapshot.seq, arrivedAt: snapshot.arrivedAt)
    if snapshot.isBelieved { believedSentAt = snapshot.sentAt.nanoseconds }
    guard snapshot.isJudged else { return }
    evaluations += 1
    furthestDistance = max(furthestDistance ?? -.infinity, snapshot.distance)
    furthestElapsed = max(furthestElapsed ?? -.infinity, snapshot.elapsed)
  }

  /// Of two rows with the same fact, the one with the higher `heardCount` is newer.
  static let columns: [StoredColumn<HeardMarks>] = [
    StoredColumn("heardCount", \.heardCount, in: .counts),
    StoredColumn("epoch", \.mark.epoch), StoredColumn("seq", \.mark.seq), StoredColumn("arrivedAt", \.mark.arrivedAt),
    StoredColumn("believedSentAt", \.believedSentAt),
    StoredColumn("looks", \.evaluations, in: .counts),
    // These are only compared, never added to, so any finite number of a watch may occur.
    StoredColumn("furthestDistance", \.furthestDistance, in: -1e18...1e18),
    StoredColumn("furthestElapsed", \.furthestElapsed, in: -1e18...1e18),
  ]
}

/// A point of the trail: the one statement of an ordinary snapshot.
struct StoredPoint: TableRow, PhoneRow {
  var point: Trail.Point
  var marks: HeardMarks

  static let table = StoredTable(
    "Trail", blank: StoredPoint(point: Trail.Point(milliseconds: 0, distance: 0), marks: HeardMarks()),
    [
      StoredColumn(
        "milliseconds", \.point.milliseconds, in: -Double(Trail.millisecondsMax)...Double(Trail.millisecondsMax)),
      StoredColumn("distance", \.point.distance, in: -Trail.distanceMax...Trail.distanceMax),
    ] + HeardMarks.columns.map { $0.of(\.marks) })
  var rowKey: Int64 { point.milliseconds }
}

/// The marks of a snapshot that is no point of the trail.
struct StoredFreshness: TableRow, PhoneRow {
  var marks = HeardMarks()

  static let table = StoredTable.only(
    "Freshness", blank: StoredFreshness(), HeardMarks.columns.map { $0.of(\.marks) })
  var rowKey: OnlyKey { OnlyKey() }
}

/// Belief and liveness, as of a number of snapshots.
struct StoredBelief: TableRow, PhoneRow {
  var heardCount: Int64 = 0
  var belief = ""
  var isRaised = false
  var isRunning = false
  var countedFrom = VirtualTime.start
  var freshEpoch: Epoch?
  var freshSeq: SequenceNumber?
  var freshArrivedAt: VirtualTime?

  init() {}

  init(_ record: ConsumerRecord, heardCount: Int64) {
    self.heardCount = heardCount
    belief = record.beliefText
    isRaised = record.liveness.isRaised
    isRunning = record.liveness.isRunning
    countedFrom = record.liveness.countedFrom
    freshEpoch = record.freshness.last?.epoch
    freshSeq = record.freshness.last?.seq
    freshArrivedAt = record.freshness.last?.arrivedAt
  }

  static let table = StoredTable.only(
    "Belief", blank: StoredBelief(),
    [
      StoredColumn("heardCount", \.heardCount, in: .counts),
      StoredColumn("belief", \.belief), StoredColumn("isRaised", \.isRaised), StoredColumn("isRunning", \.isRunning),
      StoredColumn("countedFrom", \.countedFrom), StoredColumn("freshEpoch", \.freshEpoch),
      StoredColumn("freshSeq", \.freshSeq), StoredColumn("freshArrivedAt", \.freshArrivedAt),
    ])
  var rowKey: OnlyKey { OnlyKey() }

  /// As the consumer left it.
  func record() throws(StoreError) -> ConsumerRecord {
    var record = ConsumerRecord(startedAt: .start)
    do throws(Diagnostics) { try record.readBelief(belief) } catch {
      throw StoreError(.corrupt, "the belief in the store: \(error)")
    }
    record.liveness = LivenessMonitor(isRaised: isRaised, isRunning: isRunning, countedFrom: countedFrom)
    if let freshEpoch, let freshSeq, let freshArrivedAt {
      record.freshness.restore(Freshness.Mark(epoch: freshEpoch, seq: freshSeq, arrivedAt: freshArrivedAt))
    }
    return record
  }
}

/// The script position without its lines, as of a number of snapshots.
struct StoredPosition: TableRow, PhoneRow {
  var heardCount: Int64 = 0
  var position = ScriptPosition()

  static let table = StoredTable.only(
    "ScriptPosition", blank: StoredPosition(),
    [
      StoredColumn("heardCount", \.heardCount, in: .counts),
      StoredColumn("looks", \.position.evaluations, in: .counts),
      StoredColumn("furthestDistance", \.position.furthestDistance, in: -Trail.distanceMax...Trail.distanceMax),
      StoredColumn("furthestElapsed", \.position.furthestElapsed, in: -Trail.distanceMax...Trail.distanceMax),
      StoredColumn("branch", \.position.branch), StoredColumn("lastDispatch", \.position.lastDispatch),
    ])
  var rowKey: OnlyKey { OnlyKey() }
}

extension ScriptPosition.Entry: TableRow, PhoneRow {
  static let table = StoredTable(
    "LinePosition", blank: Self(message: "", record: .blank),
    [
      StoredColumn("message", \.message), StoredColumn("isSpoken", \.record.isSpoken),
      StoredColumn("isExpired", \.record.isExpired),
      StoredColumn("lastMultiple", \.record.lastMultiple, in: 0...Double(Int64.max / 4)),
      StoredColumn("lastDispatch", \.record.lastDispatch),
      StoredColumn("dueSince", \.record.dueSince, in: .counts),
      StoredColumn("dueMultiple", \.record.dueMultiple, in: 0...Double(Int64.max / 4)),
    ])
  var rowKey: String { message }
}

/// A dispatched line: a row of the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  /// Counts the lines from 1; 0 before it is stored.
  var place: Int64 = 0
  /// Its name in the script, or the reply's UUID; the table has the UUID under this name, and this under `message`.
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  package var runId: Identifier
  /// Whether it was cut off, never begun, or lost with the phone's process.
  package var wasInterrupted = false
}

extension PlayedMessage: StoredRow, PhoneRow {
  static let table = StoredTable(
    "PlayedMessage", blank: PlayedMessage(messageId: "", playedAt: .start, runId: .blank),
    [
      StoredColumn("place", \.place),
      .identifier("messageId") { ScriptMessage.identifier(of: $0.messageId, in: $0.runId) },
      StoredColumn("message", \.messageId), StoredColumn("playedAt", \.playedAt),
      StoredColumn("runId", \.runId, references: "Run"), StoredColumn("wasInterrupted", \.wasInterrupted),
    ])
  static var inRecord: Place { \.played }
  var rowKey: Int64 { place }
}

/// A line that is neither finished nor cut off.
package struct UnheardMessage: Sendable, Equatable {
  /// That of the ``PlayedMessage``.
  var place: Int64
}

extension UnheardMessage: StoredRow, PhoneRow {
  static let table = StoredTable(
    "UnheardMessage", blank: UnheardMessage(place: 0), [StoredColumn("place", \.place, references: "PlayedMessage")])
  static var inRecord: Place { \.unheard }
  var rowKey: Int64 { place }
}
