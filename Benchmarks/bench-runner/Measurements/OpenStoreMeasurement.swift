import Console
import Foundation
import Link
import LinkStore

/// Opening a store with a long queue, compared with SQLite alone opening the same file.
enum OpenStoreMeasurement: BenchMeasurement {
  static let name = "open-store"
  static let about = "from opening a store with 100,000 queued events to the first delivery"
  static let hasFreeFigures = false

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let count = setting.pick(tiny: 1_000, quick: 100_000, full: 100_000)
    var rows: [BenchRow] = []
    for isKilled in [true, false] {
      let source = try BenchFolder.make()
      try fill(source.path, count: UInt64(count), isKilled: isKilled)
      let times = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
        let copy = try BenchFolder.make()
        try self.copy(source.path + "/left", to: copy.path + "/left")
        return try BareLoops.storing { () throws(StoreError) in
          variant == 0 ? try open(copy.path + "/left") : try openRaw(copy.path + "/left")
        }
      }
      let state = isKilled ? "after a kill" : "after a clean end"
      rows.append(BenchRow("first delivery \(state)", "ms", Spread(times[0])))
      rows.append(BenchRow("SQLite's own first row \(state)", "ms", Spread(times[1])))
      rows.append(
        BenchRow("first delivery / SQLite's first row, \(state)", "ratio", .ratio(times[0], to: times[1]), .atMost(2)))
    }
    return rows
  }

  /// Creates a store with this many queued events in the folder `left`.
  ///
  /// - Parameter isKilled: Whether to leave it as a killed process does, with its log.
  private static func fill(_ folder: String, count: UInt64, isKilled: Bool) throws(Failure) {
    let open = isKilled ? "\(folder)/open" : "\(folder)/left"
    let store = try BareLoops.storing { () throws(StoreError) in
      var store = try DeviceStore<KeyedTables>(folder: open)
      _ = try store.begin()
      var next: UInt64 = 1
      while next <= count {
        try store.commit((next..<min(next + 100, count + 1)).map(StoreMeasurement.entry), [])
        next += 100
      }
      return store
    }
    if isKilled { try copy(open, to: "\(folder)/left") }
    // It was open until now, and is closed properly.
    withExtendedLifetime(store) {}
  }

  private static func copy(_ folder: String, to other: String) throws(Failure) {
    do { try FileManager.default.copyItem(atPath: folder, toPath: other) } catch {
      throw .environment("bench: \(error.systemText)")
    }
  }

  /// Milliseconds from opening to the first page of the outbox.
  private static func open(_ folder: String) throws(StoreError) -> Double {
    let begin = ContinuousClock.now
    var store = try DeviceStore<KeyedTables>(folder: folder)
    let record = try store.begin().session
    let milliseconds = begin.secondsSince * 1e3
    precondition(record[.userInfo].outbox.count == LaneRecord.pageMax, "a queue that is too short")
    return milliseconds
  }

  private static func openRaw(_ folder: String) throws(StoreError) -> Double {
    let begin = ContinuousClock.now
    var milliseconds = 0.0
    let bytes = try RawLoops.readFirst(folder: folder) { milliseconds = begin.secondsSince * 1e3 }
    precondition(bytes == 256, "another row")
    return milliseconds
  }
}
