import Console
import Link
import Simulator

/// `sim-runner invariants`: the invariants by which every trace is judged.
enum InvariantsCommand: Command {
  static let name = "invariants"
  static let about = "the invariants by which every run is judged"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Every run and every checked trace is judged by all of them. docs/internals/checkers.md describes them,
    and docs/internals/trace-format.md how to judge a trace without this program.
    """

  /// All checkers, in the order of evaluation.
  static let all: [any Checker.Type] = Invariants.linked.all

  /// The checker of an invariant, by its name or an earlier one; nil for an unknown name.
  static func checker(named name: String) -> (any Checker.Type)? {
    all.first { $0.invariant == name || $0.aliases.contains(name) }
  }

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    var shown = all
    if !arguments.operands.isEmpty {
      let name = try arguments.onlyOperand("the invariant")
      guard let checker = checker(named: name) else {
        let hint = PlainText.hint(for: name, among: all.map { $0.invariant })
        throw .input("invariants: found \"\(TerminalText.escape(name))\"\(hint)")
      }
      shown = [checker]
    }
    if arguments.has("--json") {
      JSONOutput.print([
        "invariants": .objects(shown) { checker in
          [
            "invariant": .string(checker.invariant), "about": .string(checker.about),
            "events": .texts(checker.events.map(\.text)),
          ]
        }
      ])
    } else {
      for line in PlainText.columns(shown.map { [$0.invariant, $0.about] }) { Terminal.print(line) }
    }
    return 0
  }
}
