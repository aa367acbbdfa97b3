import Foundation
import Testing

/// What no compiler checks: which modules may be imported where, and what is not left behind in the sources.
@Suite struct `The sources` {
  /// A folder that decides, and what it may import; `exempt` are folders in it with rules of their own.
  struct Rule: Sendable, CustomTestStringConvertible {
    var folder: String
    var allowed: [String]
    var exempt: [String] = []
    var testDescription: String { folder }
  }

  static let rules = [
    Rule(folder: "Sources/Link", allowed: ["CSystem"], exempt: ["Sources/Link/Transport"]),
    Rule(folder: "Sources/CoachProtocol", allowed: ["Link"]),
    Rule(folder: "Sources/WatchSim", allowed: ["Link", "CoachProtocol"], exempt: ["Sources/WatchSim/Importers"]),
    Rule(folder: "Sources/WatchSim/Importers", allowed: ["Link", "CoachProtocol", "Foundation"]),
    Rule(folder: "Sources/PhoneSim", allowed: ["Link", "CoachProtocol"]),
  ]

  @Test(arguments: rules)
  func `a folder that decides imports no clock, file, socket or thread`(rule: Rule) throws {
    let files = try SourceFile.all(in: rule.folder).filter { file in
      !rule.exempt.contains { file.path.hasPrefix($0 + "/") }
    }
    #expect(!files.isEmpty)
    for file in files {
      for module in file.imports where !rule.allowed.contains(module) {
        Issue.record("\(file.path) imports \(module), expected only \(rule.allowed.joined(separator: ", "))")
      }
    }
  }

  @Test func `three files of the link call the C target`() throws {
    let callers = try SourceFile.all(in: "Sources/Link").filter {
      $0.imports.contains("CSystem") && !$0.path.hasPrefix("Sources/Link/Transport/")
    }
    #expect(callers.count <= 3, "\(callers.map(\.path)): digests and checksums, and nothing that decides")
  }

  @Test func `watch and phone do not know each other`() throws {
    for file in try SourceFile.all(in: "Sources/WatchSim") {
      #expect(!file.imports.contains("PhoneSim"), "\(file.path)")
    }
    for file in try SourceFile.all(in: "Sources/PhoneSim") {
      #expect(!file.imports.contains("WatchSim"), "\(file.path)")
    }
  }

  @Test func `nothing is left for later, and no file is too long to read`() throws {
    // Spelled in halves, so that this file does not find itself.
    let leftovers = ["TO" + "DO", "FIX" + "ME", "X" + "XX:", "try" + "! ", "unchecked " + "Sendable"]
    for file in try SourceFile.all(in: "Sources") {
      for word in leftovers where file.text.contains(word) {
        Issue.record("\(file.path) holds \"\(word)\"")
      }
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 401, "\(file.path) has \(lines - 1) lines: split it by concern")
    }
  }

  @Test func `imports are found where they stand`() {
    let file = SourceFile(
      path: "x.swift",
      text: "import A\npublic import B\n// import C\n@testable import D\n  import struct E.F\nimportant()")
    #expect(file.imports == ["A", "B", "D", "E"])
  }
}

/// One file of this package.
private struct SourceFile {
  /// Relative to the package's root.
  var path: String
  var text: String

  /// The modules it imports, in the order of its lines.
  var imports: [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy(Self.isModifier) else { return nil }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let rest = words[(index + 1)...].drop { kinds.contains($0) }
      return rest.first.map { String($0.prefix { $0 != "." }) }
    }
  }

  private static func isModifier(_ word: Substring) -> Bool {
    word.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(word)
  }

  /// Every Swift file below a folder, by path.
  static func all(in folder: String) throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let path = "\(folder)/\(name)"
      return SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}
