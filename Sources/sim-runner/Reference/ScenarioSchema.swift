import Simulator
import Link

/// The JSON Schemas of the files that people write, for editors.
enum ScenarioSchema {
  /// `docs/scenario.schema.json`; it says which generator draws a key.
  static var document: String {
    text(JSONSchemaDocument.make(InputOrigin.described, title: "A scenario of sim-runner"))
  }

  /// `docs/script.schema.json`.
  static var scriptDocument: String { text(JSONSchemaDocument.make(ScriptSchema.script, title: "A coaching script")) }

  private static func text(_ node: JSONNode) -> String { JSONWriter.pretty(node, dialect: .json) }
}
