import Simulator
import Console
import Foundation
import Link

/// The results of a benchmark, as a table and as JSON.
struct BenchReport {
  /// The rows of one measurement.
  struct Part {
    var name: String
    var about: String
    var rows: [BenchRow]

    init(name: String, about: String, rows: [BenchRow]) {
      self.name = name
      self.about = about
      self.rows = rows
    }
  }

  let setting: BenchSetting
  var parts: [Part] = []

  init(setting: BenchSetting) { self.setting = setting }

  // MARK: Table

  /// The lines of the whole table.
  func table() -> [String] {
    var lines = [
      "\(MeasuredComputer.text), \(setting.length.rawValue): medians [least..most] of interleaved rounds", "",
    ]
    var rows = [["", "one processor", "", "goal", "", "free placement"]]
    for part in parts {
      rows.append([Terminal.styled(part.name, .bold)])
      rows += part.rows.map(cells)
    }
    lines += Self.columns(rows)
    let notes = parts.flatMap(\.rows).compactMap { row in row.note.map { "\(row.name): \($0)" } }
    if !notes.isEmpty { lines += [""] + notes.flatMap { PlainText.wrapped($0, width: 110) } }
    let missed = parts.flatMap(\.rows).filter { $0.isMet == false }
    lines.append("")
    let judged = parts.flatMap(\.rows).count { $0.isMet != nil }
    lines.append(
      missed.isEmpty
        ? "All \(judged) goals are met."
        : "\(judged - missed.count) of \(judged) goals are met. Not met: \(missed.map(\.name).joined(separator: "; "))."
    )
    return lines
  }

  private func cells(_ row: BenchRow) -> [String] {
    let goal = row.goal.map { goal in
      switch goal {
      case .atLeast(let least): "at least \(Self.text(least))"
      case .atMost(let most): "at most \(Self.text(most))"
      }
    }
    let aim = row.aim.map { " (aim \(Self.text($0)))" } ?? ""
    let verdict =
      switch row.isMet {
      case true?: "met"
      case false?: Terminal.styled("not met", .red)
      case nil: ""
      }
    return [
      "  " + row.name, row.figure.map(Self.text) ?? "not measured", row.unit, (goal ?? "") + aim, verdict,
      row.free.map(Self.text) ?? "",
    ]
  }

  /// Aligned columns of rows with different numbers of cells.
  private static func columns(_ rows: [[String]]) -> [String] {
    // A heading with a single cell does not widen its column.
    let wide = PlainText.columns(rows.filter { $0.count > 1 })
    var next = wide.makeIterator()
    return rows.map { row in row.count > 1 ? next.next() ?? "" : row[0] }
  }

  private static func text(_ spread: Spread) -> String {
    guard spread.rounds > 1 else { return text(spread.median) }
    return "\(text(spread.median)) [\(text(spread.least))..\(text(spread.most))]"
  }

  /// At least three digits, with separated thousands.
  static func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    if abs(value) < 10 { return String(format: "%.3f", value) }
    if abs(value) < 1_000 { return String(format: "%.1f", value) }
    var digits = String(Int64(value.rounded()))
    var groups: [Substring] = []
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits.removeFirst() }
    var rest = digits[...]
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    groups.insert(rest, at: 0)
    return (isNegative ? "-" : "") + groups.joined(separator: ",")
  }

  // MARK: JSON

  /// The one object of `--json`.
  func members() -> JSONFields {
    [
      "version": .string(Version.text), "length": .string(setting.length.rawValue),
      "machine": .string(MeasuredComputer.text),
      "measurements": .objects(parts) { part in
        ["name": .string(part.name), "about": .string(part.about), "rows": .objects(part.rows, Self.members)]
      },
    ]
  }

  private static func members(_ row: BenchRow) -> JSONFields {
    var (least, most): (Double?, Double?)
    switch row.goal {
    case .atLeast(let goal)?: least = goal
    case .atMost(let goal)?: most = goal
    case nil: break
    }
    return [
      "name": .string(row.name), "unit": .string(row.unit), "pinned": object(row.figure), "free": object(row.free),
      "atLeast": least.map { .decimal($0) }, "atMost": most.map { .decimal($0) }, "aim": row.aim.map { .decimal($0) },
      "met": row.isMet.map { .bool($0) } ?? .null, "note": row.note.map { .string($0) },
    ]
  }

  private static func object(_ spread: Spread?) -> JSONValue {
    guard let spread else { return .null }
    return .fields([
      "median": .decimal(spread.median), "least": .decimal(spread.least), "most": .decimal(spread.most),
      "rounds": .count(spread.rounds),
    ])
  }
}

/// The computer that was measured.
enum MeasuredComputer {
  /// Processor model and count.
  static var text: String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    let model = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    return "\(ProcessInfo.processInfo.processorCount) x \(model)"
  }
}
