package import Console
import Foundation
package import Link

/// The report of a running run: collected event by event, written at its end.
package final class RunReport {
  /// The option that asks for one.
  package static let option = Option.output("--report", "FILE", "write the run as a page here (HTML; see also export)")

  private let file: OutputFile
  private var exporter: HTMLExporter
  private var bytes: [UInt8] = []
  private var hasEnded = false

  /// - Parameter about: What the scenario says of itself.
  /// - Throws: For a path that cannot be written, before anything runs.
  package init(_ path: String, header: TraceHeader, about: String) throws(Failure) {
    file = try OutputFile(path, as: .report)
    exporter = HTMLExporter(ExportSubject(header: header, repeatCommand: "", about: about), into: &bytes)
  }

  /// Observes the next event of the run.
  package func observe(_ event: TraceEvent, line: Int) {
    exporter.observe(event, line: line, into: &bytes)
    if event.name == TraceEnd.name { hasEnded = true }
  }

  /// Writes the page; called once.
  ///
  /// - Parameter repeatCommand: The command that makes the same run again, which is known at its end.
  package func finish(digest: String?, repeatCommand: String) throws(Failure) {
    exporter.repeatCommand = repeatCommand
    _ = exporter.finish(ExportEnding(isTruncated: !hasEnded, digest: digest), into: &bytes)
    try file.finish(bytes)
  }
}

/// The page of a report: markup, style, data and script in one self-contained file.
///
/// The files in `Page` are compiled into the program, so that it needs no other files.
enum ReportPage {
  /// The script: its parts share one scope, in which the devices' drawing has one of its own.
  private static var script: [UInt8] {
    let drawing = "const devices = (() => {\n".utf8 + PairDrawing.script + PackageResources.stage_js
    return [
      PackageResources.data_js, PackageResources.layout_js, PackageResources.drawing_js, PackageResources.frames_js,
      PackageResources.navigation_js, PackageResources.why_js, drawing + "return { show };\n})();\n".utf8,
      PackageResources.pages_js,
    ].flatMap(\.self)
  }

  /// Appends the page.
  ///
  /// - Parameters:
  ///   - title: Plain text.
  ///   - data: JSON without a bare `<`.
  static func append(title: String, data: [UInt8], to bytes: inout [UInt8]) {
    bytes += PageTemplate.fill(PackageResources.report_html) { name in
      switch name {
      case "title": Array(Markup.escaped(title).utf8)
      case "style": PackageResources.report_css
      case "data": data
      case "devices": PairDrawing.style + PackageResources.stage_css
      case "script": script
      default: nil
      }
    }
  }
}

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
