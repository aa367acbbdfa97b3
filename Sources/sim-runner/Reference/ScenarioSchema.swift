import Link
import PhoneSim

/// The JSON Schemas of the files that people write, for editors.
enum ScenarioSchema {
  /// `docs/scenario.schema.json`.
  static var document: String { text(JSONSchemaDocument.make(object(at: ""), title: "A scenario of sim-runner")) }

  /// `docs/script.schema.json`.
  static var scriptDocument: String { text(JSONSchemaDocument.make(ScriptSchema.script, title: "A coaching script")) }

  private static func text(_ node: JSONNode) -> String { JSONWriter.pretty(node, dialect: .json) }

  /// The object at a place of a scenario: the keys of all its sections.
  static func object(at path: String) -> ObjectDescription {
    let sections = ScenarioKeys.sections.filter { schemaPath(of: $0).contains(path) }
    var fields: [FieldDescription] = []
    for key in sections.flatMap(\.keys) {
      let field = FieldDescription(key.name, value(of: key, in: path), standard: key.standard, key.about)
      if let index = fields.firstIndex(where: { $0.name == key.name }) {
        fields[index].value = union(fields[index].value, field.value)
        fields[index].standard = fields[index].standard ?? field.standard
      } else {
        fields.append(field)
      }
    }
    // A key that only some of the forms have.
    if sections.count > 1 {
      for index in fields.indices where sections.contains(where: { !$0.keys.map(\.name).contains(fields[index].name) })
      {
        fields[index].standard = fields[index].standard ?? "depends on `do`"
      }
    }
    let name = path.filter { $0 != "[" && $0 != "]" }
    return ObjectDescription(name: name, about: sections.first?.about ?? "", fields: fields)
  }

  private static func schemaPath(of section: ScenarioKeys.Section) -> [String] {
    let path = section.path.prefix { $0 != ":" }
    guard !path.isEmpty else { return [""] }
    return path.split(separator: " ").filter { $0 != "and" }.map(String.init)
  }

  private static func value(of key: ScenarioKeys.Key, in path: String) -> ValueDescription {
    switch (path, key.name) {
    case ("", "faults"): return .array(of: .object(fault), count: 0...10_000)
    case ("", "expect"): return .array(of: .object(expectation), count: 0...10_000)
    case ("", "workouts"): return .array(of: .object(object(at: "workout")), count: 1...Scenario.workoutsMax)
    case ("", "script"): return .either([.string(), .object(ScriptSchema.script)])
    default: break
    }
    let child = path.isEmpty ? key.name : "\(path).\(key.name)"
    if ScenarioKeys.sections.contains(where: { schemaPath(of: $0).contains(child) }) {
      return .object(object(at: child))
    }
    if case .array(_, let count) = key.value,
      ScenarioKeys.sections.contains(where: { schemaPath(of: $0).contains(child + "[]") })
    {
      return .array(of: .object(object(at: child + "[]")), count: count)
    }
    return key.value
  }

  private static func union(_ one: ValueDescription, _ other: ValueDescription) -> ValueDescription {
    if one == other { return one }
    if case .named(_, let inner) = one { return union(inner, other) }
    if case .named(_, let inner) = other { return union(one, inner) }
    if case .words(let words) = one, case .words(let more) = other {
      return .words(words + more.filter { !words.contains($0) })
    }
    return .either([one, other])
  }

  private static var fault: ObjectDescription {
    func forms(_ kinds: [any FaultKind.Type]) -> [[FieldDescription]] {
      kinds.map { kind in
        var object = kind.description(points: CrashPoint.all)
        if object.fields.first?.name == kind.kind {
          object.fields[0].standard = nil
          return object.allFields
        }
        object.name = "fault.\(kind.kind)"
        return [FieldDescription(kind.kind, .object(object), standard: nil, kind.page.about)]
      }
    }
    let ofUplink = ObjectDescription(name: "fault.uplink", about: "", fields: [], forms: forms(FaultCatalog.ofUplink))
    let uplink = FieldDescription("uplink", .object(ofUplink), standard: nil, "a fault of the phone-edge link")
    return ObjectDescription(
      name: "fault", about: "Something that goes wrong.", fields: FaultTarget.description.fields,
      forms: forms(FaultCatalog.all) + [[uplink]])
  }

  private static var expectation: ObjectDescription {
    ObjectDescription(
      name: "expectation", about: "Something that must be true of the run.", fields: [],
      forms: ExpectationCatalog.all.map { kind in
        ([kind.key] + kind.keys.filter { $0 != kind.key } + (kind.keys.contains("where") ? [] : ["where"])).map { key in
          FieldDescription(key, .any, standard: key == kind.key ? nil : "none", key == kind.key ? kind.about : "")
        }
      })
  }
}
