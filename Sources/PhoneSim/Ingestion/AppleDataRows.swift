import CoachProtocol
import Link

/// The rows of the staging table, by the upsert's key.
///
/// Sorted arrays, each of some weeks: with a row for every record there may be hundreds of thousands, and a dictionary
/// of them takes twice the memory, three times while it grows.
package struct AppleDataRows: Sendable, Equatable {
  /// Seconds of a chunk.
  private static let chunkSeconds: Int64 = 32 * 86_400

  /// By the number of the chunk in which rows start; each sorted by key, none empty.
  private var chunks: [Int64: [AppleDataRow]] = [:]
  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  /// All rows, in no particular order.
  package var values: FlattenSequence<Dictionary<Int64, [AppleDataRow]>.Values> {
    chunks.values.joined()
  }

  /// All keys, in no particular order.
  package var keys: [AppleDataKey] { values.map(\.key) }

  /// Nil for no row; setting nil removes it.
  package subscript(key: AppleDataKey) -> AppleDataRow? {
    get {
      guard let rows = chunks[Self.chunk(of: key)] else { return nil }
      let index = Self.place(of: key, in: rows)
      return index < rows.count && rows[index].key == key ? rows[index] : nil
    }
    set {
      let chunk = Self.chunk(of: key)
      let index = Self.place(of: key, in: chunks[chunk] ?? [])
      let isKnown = chunks[chunk].map { index < $0.count && $0[index].key == key } ?? false
      switch (newValue, isKnown) {
      case (let row?, true): chunks[chunk]?[index] = row
      case (let row?, false):
        chunks[chunk, default: []].insert(row, at: index)
        count += 1
      case (nil, true):
        chunks[chunk]?.remove(at: index)
        count -= 1
        if chunks[chunk]?.isEmpty == true { chunks[chunk] = nil }
      case (nil, false): break
      }
    }
  }

  /// The row of a day, the first one if there are several, if any.
  func row(_ type: AppleDataType, of day: LocalDay) -> AppleDataRow? {
    // Wherever the day was spent.
    let noon = day.number &* 86_400 &+ Int64(type.periodStart.seconds)
    let (first, last) = (AppleDataKey(type: type, start: noon - 86_400), noon + 86_400)
    for chunk in Self.chunk(of: first)...Self.chunk(of: AppleDataKey(type: type, start: last)) {
      guard let rows = chunks[chunk] else { continue }
      for row in rows[Self.place(of: first, in: rows)...] {
        if row.start > last { break }
        if row.type == type, row.day == day { return row }
      }
    }
    return nil
  }

  /// Changes every row; the key stays.
  mutating func change(_ body: (inout AppleDataRow) -> Void) {
    for chunk in Array(chunks.keys) {
      guard var rows = chunks.removeValue(forKey: chunk) else { continue }
      for index in rows.indices { body(&rows[index]) }
      chunks[chunk] = rows
    }
  }

  private static func chunk(of key: AppleDataKey) -> Int64 { key.start / chunkSeconds }

  /// The index of the first row that is not before a key.
  private static func place(of key: AppleDataKey, in rows: [AppleDataRow]) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
