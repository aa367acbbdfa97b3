import Console
import Link

/// A scenario that is part of the program: one file and one line in ``DemoCatalog``.
struct Demo: Sendable {
  /// Its name on the command line, and that of its file in `scenarios`.
  var name: String
  /// A short description, for completions.
  var about: String
  /// The content of the file, embedded so that the demo needs none.
  var text: String
  /// Which seed to try next.
  var otherSeed: UInt64
  /// What to look for in its trace: a word for `grep`, and what it finds.
  var searched: (word: String, about: String)
  /// A scenario of a file to run next.
  var nextScenario: String

  /// The trace file, unless an option names another.
  var trace: String { "wristwire-\(name).jsonl" }
  /// The report, unless an option names another.
  var report: String { "wristwire-\(name).html" }
}

/// All demos.
enum DemoCatalog {
  /// The one that runs without a name.
  static let standard = Demo.run

  static let all = [standard, Demo.day]

  /// The demo of a name.
  ///
  /// - Throws: For an unknown name.
  static func demo(named name: String) throws(Failure) -> Demo {
    if let demo = all.first(where: { $0.name == name }) { return demo }
    throw .input("demo: found \"\(TerminalText.escape(name))\"\(PlainText.hint(for: name, among: all.map(\.name)))")
  }
}
