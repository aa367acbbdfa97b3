import Link
import LinkStore

/// Counters and marks that every fresh snapshot updates, from the newest row.
struct HeardMarks: Equatable {
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

  /// Binds eight consecutive parameters.
  func bind(to statement: Statement, from first: Int32) {
    statement.bind(heardCount, at: first)
    statement.bind(Int64(mark.epoch.rawValue), at: first + 1)
    statement.bind(Int64(bitPattern: mark.seq.rawValue), at: first + 2)
    statement.bind(mark.arrivedAt.nanoseconds, at: first + 3)
    statement.bind(believedSentAt, at: first + 4)
    statement.bind(evaluations, at: first + 5)
    statement.bind(furthestDistance, at: first + 6)
    statement.bind(furthestElapsed, at: first + 7)
  }

  /// Reads eight consecutive columns.
  ///
  /// - Throws: `.corrupt` for numbers that no phone writes.
  init(_ row: Statement, from first: Int32) throws(StoreError) {
    heardCount = try row.count(first)
    mark = try Freshness.Mark(row, from: first + 1)
    believedSentAt = row.isNull(first + 4) ? nil : row.int64(first + 4)
    evaluations = try row.count(first + 5)
    // These are only compared, never added to, so any finite number of a watch may occur.
    let bounds = -1e18...1e18
    furthestDistance = row.isNull(first + 6) ? nil : try row.double(first + 6, in: bounds)
    furthestElapsed = row.isNull(first + 7) ? nil : try row.double(first + 7, in: bounds)
  }

  init() {}
}

extension Freshness.Mark {
  /// Reads three consecutive columns.
  ///
  /// - Throws: `.corrupt` for an epoch that no watch has.
  init(_ row: Statement, from first: Int32) throws(StoreError) {
    self.init(
      epoch: Epoch(UInt32(try row.int64(first, in: 0...Int64(UInt32.max)))),
      seq: SequenceNumber(UInt64(bitPattern: row.int64(first + 1))),
      arrivedAt: VirtualTime(nanoseconds: row.int64(first + 2)))
  }
}
