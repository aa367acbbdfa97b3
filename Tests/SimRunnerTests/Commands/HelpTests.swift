import Foundation
import Testing

@testable import Console
@testable import Commands

@Suite struct HelpTests {
  @Test(arguments: ["demo", "run", "test", "sweep"])
  func `help pages are as they were looked at`(command: String) throws {
    let kind = try #require(CommandCatalog.all.first { $0.name == command })
    try Golden.compare(HelpPage.text(of: kind) + "\n", with: "help-\(command).txt")
  }

  @Test func `every command has a page with all its options, within 120 columns`() {
    for command in CommandCatalog.all {
      let page = HelpPage.text(of: command)
      for option in command.options { #expect(page.contains(option.name), "\(command.name) \(option.name)") }
      for line in page.split(separator: "\n") where !command.isHidden {
        #expect(line.count <= 120, "\(command.name): \(line)")
      }
      #expect(command.isHidden || HelpPage.overview.contains("  \(command.name) "))
      #expect(Set(command.options.map(\.name)).count == command.options.count)
    }
    #expect(Set(CommandCatalog.all.map { $0.name }).count == CommandCatalog.all.count)
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func `the overview comes by all its names`(arguments: [String]) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 0)
    #expect(result.output == HelpPage.overview + "\n")
  }

  @Test(arguments: [
    (["help", "rnu"], "unknown command \"rnu\"; did you mean \"run\"?"),
    (["a b.json5"], "unknown command \"a b.json5\"; did you mean \"run 'a b.json5'\"?"),
    (["set"], "did you mean \"test set\"?"), (["t.jsonl"], "did you mean \"check t.jsonl\"?"),
    (["nowhere.json5"], "unknown command \"nowhere.json5\" (--help"),
  ])
  func `a word that is no command is refused, with what may have been meant`(words: [String], expected: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder.appending(path: "set"), withIntermediateDirectories: false)
    for name in ["a b.json5", "t.jsonl"] { try Data().write(to: folder.appending(path: name)) }
    let result = try Tool(words, in: folder).finish()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(expected), "\(result.errors)")
  }

  @Test(arguments: [["run", "--help"], ["help", "run"], ["run", "x.json5", "-h"]])
  func `a command's page comes by all its names`(arguments: [String]) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 0)
    #expect(result.output == HelpPage.text(of: RunCommand.self) + "\n")
  }

  @Test func `a misspelt command and a misspelt option get a hint`() throws {
    #expect(try Tool.run(["tset"]).errors.contains("did you mean \"test\"?"))
    #expect(try Tool.run(["run", "x", "--sede", "1"]).errors.contains("did you mean --seed?"))
  }
}

/// Output as it was looked at once, in `Golden/`.
enum Golden {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden")

  /// Compares line by line; with `WRISTWIRE_UPDATE_GOLDEN` set it writes the file instead.
  static func compare(_ text: String, with name: String) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["WRISTWIRE_UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
      return
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let (old, new) = (
      expected.split(separator: "\n", omittingEmptySubsequences: false),
      text.split(separator: "\n", omittingEmptySubsequences: false)
    )
    for (number, pair) in zip(old, new).enumerated() where pair.0 != pair.1 {
      Issue.record(
        """
        \(name):\(number + 1) differs (WRISTWIRE_UPDATE_GOLDEN=1 swift test --filter \
        SimRunnerTests writes it again):
        - \(pair.0)
        + \(pair.1)
        """)
      return
    }
    #expect(old.count == new.count, "\(name): \(old.count) lines became \(new.count)")
  }
}
