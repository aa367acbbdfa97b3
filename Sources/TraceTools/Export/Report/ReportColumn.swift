import Foundation
import Link

/// A column of whole numbers, encoded for a page: differences as zigzag varints, in Base64.
///
/// Times and counters change little from row to row, so a row of eight columns takes about ten bytes.
struct ReportColumn {
  private var bytes: [UInt8] = []
  private var last: Int64 = 0
  private(set) var count = 0

  /// Appends a number, clamped to the 53 bits that JavaScript can represent.
  mutating func append(_ value: Int64) {
    let value = min(max(value, -(1 << 52)), 1 << 52)
    let difference = value - last
    last = value
    count += 1
    var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The column as text.
  var text: String { Data(bytes).base64EncodedString() }
}

/// A table of numbers, stored by column.
struct ReportTable {
  let names: [String]
  private var columns: [ReportColumn]

  init(_ names: [String]) {
    self.names = names
    columns = names.map { _ in ReportColumn() }
  }

  var count: Int { columns.first?.count ?? 0 }

  /// Appends a row: a number for each column, in their order.
  mutating func append(_ row: Int64...) {
    precondition(row.count == columns.count, "a row of \(row.count) numbers for \(columns.count) columns")
    for index in row.indices { columns[index].append(row[index]) }
  }

  /// Appends the table as an object: the count of its rows, and each column by its name.
  func append(to bytes: inout [UInt8]) {
    bytes += "{\"n\":\(count)".utf8
    for (name, column) in zip(names, columns) { bytes += ",\"\(name)\":\"\(column.text)\"".utf8 }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// Words that are stored once and referred to by number.
struct ReportWords {
  private(set) var words: [String] = []
  /// For lookup only; its order has no effect.
  private var places: [String: Int] = [:]
  /// The limit of different words; further ones are replaced by the last.
  private static let wordsMax = 10_000

  mutating func index(of word: String) -> Int64 {
    if let place = places[word] { return Int64(place) }
    guard words.count < Self.wordsMax else { return Int64(words.count - 1) }
    places[word] = words.count
    words.append(TerminalText.escape(String(word.prefix(200))))
    return Int64(words.count - 1)
  }
}
