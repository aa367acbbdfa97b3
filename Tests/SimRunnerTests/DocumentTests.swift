import Foundation
import Link
import LinkCheckers
import LinkStore
import LinkTransport
import PhoneSim
import Simulator
import Testing

@testable import Commands

/// The table of what the documents ask for: each scenario runs once, and each row's evidence is looked for.
@Suite struct DocumentTests {
  private struct Table {
    var scenarios: [String: String] = [:]
    var rows: [(number: Int, row: DocumentReference.Row)] = []

    init() throws {
      let text = try String(contentsOf: Tool.root.appending(path: "docs/documents.json5"), encoding: .utf8)
      let node = try JSONParser.parse(text, dialect: .json5)
      guard case .object(let paths)? = node["scenarios"]?.value else { return }
      for path in paths { scenarios[path.key] = path.node.text }
      for document in node["documents"]?.elements ?? [] {
        for element in document["rows"]?.elements ?? [] {
          let row = try #require(DocumentReference.Row(element.text ?? ""), "\(element)")
          rows.append((rows.count + 1, row))
        }
      }
    }
  }

  /// What a run left: its trace's lines by event, and its state folder.
  private final class Outcome {
    let folder: URL
    private(set) var lines: [Substring: [Substring]] = [:]
    private var printed: [String: String] = [:]
    private lazy var screens = Result {
      try ScreenTexts.read([UInt8](Data(contentsOf: folder.appending(path: "t.jsonl"))))
    }

    init(of scenario: String, in folder: URL) throws {
      self.folder = folder
      let run = try Tool.run(
        [
          "run", scenario, "--mode", "in-process", "--trace", folder.appending(path: "t.jsonl").path(), "--state-dir",
          folder.appending(path: "state").path(), "--quiet",
        ])
      try #require(run.status == 0, "\(scenario): \(run.output) \(run.errors)")
      let text = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let mark = line.firstRange(of: "\"event\":\"") else { continue }
        lines[line[mark.upperBound...].prefix { $0 != "\"" }, default: []].append(line)
      }
    }

    init(migratedIn folder: URL) throws {
      self.folder = folder
      let store = folder.appending(path: "state/phone")
      try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
      try OldStoreMaker.make(in: store.path(), .init(points: 90, others: 13, sessions: 6))
      let run = try Tool.run(["migrate", folder.appending(path: "state").path()])
      try #require(run.status == 0, "\(run.output) \(run.errors)")
    }

    /// Whether there is a line of an event that has every key, with its value where there is one.
    func has(_ words: some Collection<Substring>) -> Bool {
      (lines[words.first ?? ""] ?? []).contains { line in
        words.dropFirst().allSatisfy { word in
          let parts = word.split(separator: "=", maxSplits: 1)
          let key = "\"\(parts[0])\":"
          guard parts.count > 1 else { return line.contains(key) }
          return line.contains("\(key)\"\(parts[1])\"") || line.contains("\(key)\(parts[1]),")
            || line.contains("\(key)\(parts[1])}")
        }
      }
    }

    /// Whether a row of the phone's store has a value in a column, which contains a text.
    func hasValue(_ word: Substring) throws -> Bool {
      let parts = word.split(separator: "=", maxSplits: 1)
      let names = parts[0].split(separator: ".")
      guard names.count == 2, names.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber } }) else { return false }
      let database = try StoreFile.open(
        folder: folder.appending(path: "state/phone").path(), DeviceStore<PhoneTables>.components)
      let statement = Statement(
        database, "SELECT count(*) FROM \(names[0]) WHERE \(names[1]) IS NOT NULL AND instr(\(names[1]), ?1) > 0")
      if parts.count > 1 { statement.bind(String(parts[1]), at: 1) } else { statement.bind("", at: 1) }
      return try statement.step() && statement.int64(0) > 0
    }

    /// Whether a screen of the page shows a text at the run's end; true without Node.js, which draws it.
    func shows(_ text: Substring, on screen: Substring) throws -> Bool {
      guard let screens = try screens.get() else { return true }
      return screens[String(screen)]?.contains(text) == true
    }

    func prints(_ text: Substring, _ options: [String]) throws -> Bool {
      let key = options.joined(separator: " ")
      if printed[key] == nil {
        let run = try Tool.run(["inspect", folder.appending(path: "state").path()] + options)
        try #require(run.status == 0, "\(run.errors)")
        printed[key] = run.output
      }
      return printed[key]?.contains(text) == true
    }
  }

  private static let events = Set(EventCatalog.sections.flatMap(\.kinds).map { $0.name.text })

  /// Whether the evidence of a row is there.
  private static func holds(_ words: [Substring], _ outcome: Outcome) throws -> Bool {
    let rest = words.dropFirst()
    let text = rest.dropFirst().joined(separator: " ")[...]
    switch rest.first {
    case "never": return !outcome.has(rest.dropFirst())
    case "file":
      let parts = text.split(separator: ":", maxSplits: 1)
      let path = outcome.folder.appending(path: "state/\(parts[0])")
      return try String(contentsOf: path, encoding: .utf8).contains(parts[1])
    case "inspect": return try outcome.prints(text, ["--from", "2026-01-01", "--json"])
    case "screen":
      let words = text.split(separator: " ", maxSplits: 1)
      return words.count == 2 ? try outcome.shows(words[1], on: words[0]) : false
    case "state": return try outcome.prints(text, ["--json"])
    case "artifact": return try outcome.prints(text, ["--artifact", "all"])
    case let word?:
      let isEvent = outcome.lines[word] != nil || Self.events.contains(String(word))
      return try isEvent ? outcome.has(rest) : outcome.hasValue(word)
    case nil: return false
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `every requirement of the documents is shown as the table says`() throws {
    let table = try Table()
    #expect(table.rows.count == 332)
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let checkers = try String(contentsOf: Tool.root.appending(path: "docs/internals/checkers.md"), encoding: .utf8)
    var byScenario: [String: [(Int, DocumentReference.Row, [Substring])]] = [:]
    for (number, row) in table.rows {
      if !row.invariant.isEmpty {
        #expect(checkers.contains("* `\(row.invariant)`: "), "row \(number): no invariant \(row.invariant)")
      }
      let words = row.evidence.split(separator: " ")
      switch words[0] {
      case "-": #expect(words.count > 3, "row \(number) says why it cannot be")
      default: byScenario[String(words[0]), default: []].append((number, row, words))
      }
    }
    for (name, rows) in byScenario.sorted(by: { $0.key < $1.key }) {
      let own = folder.appending(path: name)
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      let outcome: Outcome
      if name == "migrate" {
        outcome = try Outcome(migratedIn: own)
      } else {
        let path = try #require(table.scenarios[name], "row \(rows[0].0): no scenario \(name)")
        outcome = try Outcome(of: Tool.scenario(path), in: own)
      }
      for (number, row, words) in rows {
        let isShown = (try? Self.holds(words, outcome)) ?? false
        #expect(isShown, "row \(number): \(row.requirement): \(row.evidence)")
      }
      try FileManager.default.removeItem(at: own)
    }
  }
}
