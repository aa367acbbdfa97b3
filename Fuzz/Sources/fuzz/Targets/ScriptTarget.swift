@testable import Link
@testable import PhoneSim

enum ScriptTarget: FuzzTarget {
  static let name = "scripts"
  static let about = "coaching scripts: reading and validating"
  static var words: [String] { ["\"messages\":", "\"trigger\":", "\"type\":"] + TriggerCatalog.all.map { $0.type } }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    tree.files(in: "traces", suffix: "script.json") + tree.files(in: "scenarios", suffix: ".json")
      + tree.files(in: "scenarios", suffix: ".json5").compactMap { script(in: $0) }
  }

  /// The script inside a scenario.
  private static func script(in scenario: [UInt8]) -> [UInt8]? {
    guard case .object(let members)? = (try? JSONParser.parse(scenario, dialect: .json5))?.value,
      let script = members.first(where: { $0.key == "script" })
    else { return nil }
    return JSONWriter.compact(script.node)
  }

  static func run(_ bytes: [UInt8]) {
    _ = ScriptValidator.validate(bytes, file: "x", plan: Plan(distance: 5_000, time: 1_500), dialect: .json5).lines
  }
}
