import Console
import Link
import LinkStore

/// Durable enqueueing, compared with SQLite alone inserting the same rows into the same table.
enum StoreMeasurement: BenchMeasurement {
  static let name = "store"
  static let about = "events of 256 bytes queued durably a second"
  // A single thread in one process: placement does not matter.
  static let hasFreeFigures = false

  private static let payload = [UInt8](repeating: 7, count: 256)

  /// One way to commit.
  private struct Way {
    var durability: StoreFile.Durability
    /// Events in a commit.
    var batch: Int
    /// Events in a round.
    var events: Int
    var name: String {
      let outlives = durability == .full ? "outliving the computer" : "outliving the process"
      return batch == 1 ? "a commit each, \(outlives)" : "\(batch) a commit, \(outlives)"
    }
  }

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let ways = [
      Way(durability: .normal, batch: 1, events: setting.pick(tiny: 10, quick: 10_000, full: 20_000)),
      Way(durability: .normal, batch: 100, events: setting.pick(tiny: 100, quick: 50_000, full: 100_000)),
      Way(durability: .full, batch: 1, events: setting.pick(tiny: 10, quick: 50, full: 300)),
      Way(durability: .full, batch: 100, events: setting.pick(tiny: 100, quick: 3_000, full: 20_000)),
    ]
    var rows: [BenchRow] = []
    for way in ways {
      // The duration of a disk flush varies: many short rounds.
      let rounds = way.durability == .full ? 3 * setting.rounds : setting.rounds
      let rates = try BenchRounds.run(rounds, variants: 2) { (variant) throws(Failure) in
        let folder = try BenchFolder.make()
        let seconds = try BareLoops.storing { () throws(StoreError) in
          variant == 0 ? try queue(way, in: folder.path) : try queueRaw(way, in: folder.path)
        }
        return Double(way.events) / seconds
      }
      rows.append(BenchRow(way.name, "a second", Spread(rates[0])))
      rows.append(BenchRow("SQLite alone, the same", "a second", Spread(rates[1])))
      rows.append(BenchRow("\(way.name) / SQLite alone", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.8)))
    }
    return rows
  }

  private static func queue(_ way: Way, in folder: String) throws(StoreError) -> Double {
    var store = try DeviceStore<KeyedTables>(folder: folder, durability: way.durability)
    _ = try store.begin()
    // A session creates the entries in any case.
    let commits = (0..<way.events / way.batch).map { commit in
      (0..<way.batch).map { entry(UInt64(commit * way.batch + $0 + 1)) }
    }
    let begin = ContinuousClock.now
    for changes in commits { try store.commit(changes, []) }
    return begin.secondsSince
  }

  private static func queueRaw(_ way: Way, in folder: String) throws(StoreError) -> Double {
    let queue = try RawLoops.Queue(folder: folder, durability: way.durability)
    let begin = ContinuousClock.now
    try queue.insertRows(way.events, batch: way.batch, payload: payload)
    return begin.secondsSince
  }

  /// The change that queues an event.
  static func entry(_ number: UInt64) -> SessionChange {
    .enqueued(
      QueueEntry(
        transfer: Identifier(high: number &* 0x1E37_79B9_7F4A_7C15, low: ~number), seq: SequenceNumber(number),
        flags: .dictionary, payload: payload))
  }
}

extension BareLoops {
  /// Converts a store's failure to an environment failure.
  static func storing<Result>(_ body: () throws(StoreError) -> Result) throws(Failure) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw .environment("bench: \(error)")
    }
  }
}
