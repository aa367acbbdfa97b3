import Simulator
import Console
import Link

/// `sim-runner faults`: the reference pages of the faults.
enum FaultsCommand: Command {
  static let name = "faults"
  static let about = "the kinds of faults, a page for each"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each kind. With it: what it does, how it is computed, where it occurs in
    reality, its parameters, and an example for the `faults` of a scenario.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      FaultCatalog.all, named: "the fault", arguments, name: { $0.kind }, row: { [$0.kind, $0.page.about] },
      page: page, printJSON: printJSON)
  }

  private static func page(_ kind: any FaultKind.Type) -> [String] {
    let page = kind.page
    var lines = [Terminal.styled(kind.kind, .bold)]
    func add(_ title: String, _ text: String) {
      lines += ["", Terminal.styled(title, .bold)] + PlainText.wrapped(text, indent: 2)
    }
    lines += PlainText.wrapped(page.about, indent: 2)
    add("Formula", page.formula)
    add("In reality", page.reality)
    add("Hits", FaultReference.reach(kind))
    lines += ["", Terminal.styled("Parameters", .bold)]
    let rows = FaultReference.parameters(kind).map { [$0.name, $0.value.range, $0.standard ?? "required", $0.about] }
    lines += PlainText.columns([["name", "range", "default", ""]] + rows, indent: 2)
    lines += ["", Terminal.styled("Example", .bold), "  " + FaultReference.example(kind)]
    return lines
  }

  private static func printJSON(_ kinds: [any FaultKind.Type]) {
    JSONOutput.print([
      "faults": .objects(kinds) { kind in
        [
          "kind": .string(kind.kind), "about": .string(kind.page.about), "formula": .string(kind.page.formula),
          "reality": .string(kind.page.reality), "selective": .bool(kind.isSelective),
          "parameters": .objects(FaultReference.parameters(kind)) { parameter in
            [
              "name": .string(parameter.name), "range": .string(parameter.value.range),
              "default": .text(parameter.standard), "about": .string(parameter.about),
            ]
          },
          "example": .object(FaultReference.exampleMembers(kind)),
        ]
      }
    ])
  }
}
