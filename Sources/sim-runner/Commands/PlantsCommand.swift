import Simulator
import Console
import Link

/// `sim-runner plants`: the known bugs that can be planted.
enum PlantsCommand: Command {
  static let name = "plants"
  static let about = "known bugs that can be planted, to verify that they are found"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each. With it: what happened in the field, what a planted node does wrong, what a
    correct one does, and which invariants break. `--plant NAME` of run, test, sweep and shrink plants one; the
    scenario of the same name in scenarios/field fails with it, and passes without. docs/internals/trust.md lists how
    soon each is found.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      PlantCatalog.all, named: "the plant", arguments, name: \.name, row: { [$0.name, $0.wrong] }, page: page,
      printJSON: printJSON)
  }

  private static func page(_ plant: Plant) -> [String] {
    var lines = [Terminal.styled(plant.name, .bold)]
    func add(_ title: String, _ text: String) {
      lines += ["", Terminal.styled(title, .bold)] + PlainText.wrapped(text, indent: 2)
    }
    add("What happened", plant.happened)
    add("Planted", plant.wrong)
    add("Right", plant.right)
    add("Where", plant.nodes.map(\.text).joined(separator: ", "))
    add("Invariants that break", plant.caughtBy.joined(separator: ", "))
    add("Scenario", scenario(plant))
    return lines
  }

  /// The scenario that fails with it.
  static func scenario(_ plant: Plant) -> String { "scenarios/field/\(plant.name).json5" }

  /// The scenario whose sweep finds it.
  static func sweep(_ plant: Plant) -> String { "scenarios/\(plant.sweptIn).json5" }

  private static func printJSON(_ plants: [Plant]) {
    JSONOutput.print([
      "plants": .objects(plants) { plant in
        [
          "plant": .string(plant.name), "nodes": .texts(plant.nodes.map(\.text)), "happened": .string(plant.happened),
          "planted": .string(plant.wrong), "right": .string(plant.right), "caughtBy": .texts(plant.caughtBy),
          "scenario": .string(scenario(plant)), "sweep": .string(sweep(plant)),
        ]
      }
    ])
  }
}
