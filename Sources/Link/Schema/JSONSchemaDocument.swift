/// A JSON Schema (draft 7) of an object that people write, for editors.
///
/// It accepts everything that the reader accepts. It cannot express rules between keys and bounds on texts, which only
/// the reader checks.
public struct JSONSchemaDocument {
  /// The schemas of the named objects, in the order in which they were met.
  private var definitions: [JSONMember] = []

  private init() {}

  /// Makes the document for a file that holds one such object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - title: What the file is.
  public static func make(_ object: ObjectDescription, title: String) -> JSONNode {
    var document = Self()
    let members = document.object(object)
    return JSONNode(
      .object(
        [
          JSONMember("$schema", .string("http://json-schema.org/draft-07/schema#")),
          JSONMember("title", .string(title)),
        ] + members + [JSONMember("definitions", .object(document.definitions))]))
  }

  private mutating func value(_ description: ValueDescription) -> [JSONMember] {
    switch description {
    case .any: return []
    case .event: return event()
    case .bool: return [JSONMember("type", .string("boolean"))]
    case .string(let bytes):
      // A character has up to four bytes, so only the shortest text is exact.
      let least = bytes.lowerBound > 0 ? [JSONMember("minLength", .integer(1))] : []
      let most = bytes.upperBound < .max ? [JSONMember("maxLength", .integer(Int64(bytes.upperBound)))] : []
      return [JSONMember("type", .string("string"))] + least + most
    case .integer(let range):
      return [JSONMember("type", .string("integer"))]
        + (range.lowerBound > .min ? [JSONMember("minimum", .integer(range.lowerBound))] : [])
        + (range.upperBound < .max ? [JSONMember("maximum", .integer(range.upperBound))] : [])
    case .number(let range, _): return number(range)
    case .duration(let range): return duration(range)
    case .words(let words):
      return words.count == 1
        ? [JSONMember("const", .string(words[0]))]
        : [JSONMember("enum", .array(words.map { JSONNode(.string($0)) }))]
    case .array(let element, let count):
      return [JSONMember("type", .string("array")), JSONMember("items", .object(value(element)))]
        + (count.lowerBound > 0 ? [JSONMember("minItems", .integer(Int64(count.lowerBound)))] : [])
        + (count.upperBound < .max ? [JSONMember("maxItems", .integer(Int64(count.upperBound)))] : [])
    case .object(let description): return reference(description)
    case .either(let kinds): return [JSONMember("anyOf", .array(kinds.map { JSONNode(.object(value($0))) }))]
    case .named(_, let description): return value(description)
    }
  }

  /// The name of an event: an editor offers those of the catalogue, and underlines a misspelt one of a closed family.
  private mutating func event() -> [JSONMember] {
    define("event") { _ in
      let known = TraceEvent.Name.known.map { JSONNode(.string($0.text)) }
      let others = "^(?!(\(EventPattern.closed.joined(separator: "|")))\\.)"
      return [
        JSONMember(
          "anyOf",
          .array([
            JSONNode(.object([JSONMember("enum", .array(known))])),
            JSONNode(.object([JSONMember("type", .string("string")), JSONMember("pattern", .string(others))])),
          ]))
      ]
    }
    return [JSONMember("$ref", .string("#/definitions/event"))]
  }

  /// What `where` may have beside an event of the catalogue: its fields, and those of every line.
  private static func rules(beside keys: [String]) -> [JSONNode] {
    TraceEvent.Name.known.map { name in
      let named = keys.map { key in
        JSONNode(
          .object([
            JSONMember("required", .array([JSONNode(.string(key))])),
            JSONMember("properties", .object([JSONMember(key, .object([JSONMember("const", .string(name.text))]))])),
          ]))
      }
      let allowed = (["t", "node"] + (name.keys ?? [])).map { JSONNode(.string($0)) }
      let fields = JSONValue.object([JSONMember("propertyNames", .object([JSONMember("enum", .array(allowed))]))])
      return JSONNode(
        .object([
          JSONMember("if", .object([JSONMember("anyOf", .array(named))])),
          JSONMember("then", .object([JSONMember("properties", .object([JSONMember("where", fields)]))])),
        ]))
    }
  }

  private func number(_ range: ClosedRange<Double>) -> [JSONMember] {
    [JSONMember("type", .string("number"))]
      + (range.lowerBound > -.infinity ? [JSONMember("minimum", .plain(range.lowerBound))] : [])
      + (range.upperBound < .infinity ? [JSONMember("maximum", .plain(range.upperBound))] : [])
  }

  private mutating func duration(_ range: ClosedRange<VirtualTime.Span>) -> [JSONMember] {
    let isNegative = range.lowerBound < .zero
    let name = isNegative ? "signedDuration" : "duration"
    define(name) { _ in
      [
        JSONMember("type", .string("string")),
        JSONMember("description", .string("numbers with units from long to short: 250ms, 90s, 12m30s, 1h")),
        JSONMember("pattern", .string("^\(isNegative ? "-?" : "")([0-9]*\\.?[0-9]+(h|ms|m|us|ns|s))+$")),
      ]
    }
    let seconds =
      range.lowerBound.seconds...(range == ValueDescription.anyDuration ? .infinity : range.upperBound.seconds)
    return [JSONMember("anyOf", .array([Self.reference(name), .object(number(seconds))].map { JSONNode($0) }))]
  }

  private mutating func reference(_ description: ObjectDescription) -> [JSONMember] {
    // A reference is a URI, in which brackets and blanks would have to be escaped.
    let name = description.name.filter { $0.isLetter || $0.isNumber || $0 == "." }
    guard !name.isEmpty else { return object(description) }
    define(name) { $0.object(description) }
    return [JSONMember("$ref", .string("#/definitions/\(name)"))]
  }

  /// Adds a definition, unless it exists.
  private mutating func define(_ name: String, _ make: (inout Self) -> [JSONMember]) {
    guard !definitions.contains(where: { $0.key == name }) else { return }
    let index = definitions.count
    definitions.append(JSONMember(name, .null))
    definitions[index].node = JSONNode(.object(make(&self)))
  }

  private static func reference(_ name: String) -> JSONValue {
    .object([JSONMember("$ref", .string("#/definitions/\(name)"))])
  }

  private mutating func object(_ description: ObjectDescription) -> [JSONMember] {
    let keys = description.allFields.filter { $0.value == .event }.map(\.name)
    let hasFields = !keys.isEmpty && description.allFields.contains { $0.name == "where" }
    let rules = hasFields ? [JSONMember("allOf", .array(Self.rules(beside: keys)))] : []
    return rules + forms(description)
  }

  private mutating func forms(_ description: ObjectDescription) -> [JSONMember] {
    let about = description.about.isEmpty ? [] : [JSONMember("description", .string(description.about))]
    guard !description.forms.isEmpty else { return about + form(description, description.fields) }
    var forms = description.forms.map { JSONNode(.object(form(description, description.fields + $0))) }
    if description.isFormOptional {
      forms.append(JSONNode(.object(form(description, description.fields))))
    }
    return about + [JSONMember("anyOf", .array(forms))]
  }

  private mutating func form(_ description: ObjectDescription, _ fields: [FieldDescription]) -> [JSONMember] {
    let required = fields.filter(\.isRequired).map { JSONNode(.string($0.name)) }
    return [
      JSONMember("type", .string("object")),
      JSONMember("properties", .object(fields.map { JSONMember($0.name, .object(property($0))) })),
    ] + (required.isEmpty ? [] : [JSONMember("required", .array(required))])
      + [JSONMember("additionalProperties", .bool(description.allowsOthers))]
  }

  private mutating func property(_ field: FieldDescription) -> [JSONMember] {
    var members = value(field.value)
    // Validators ignore keywords beside a reference.
    if members.first?.key == "$ref" { members = [JSONMember("allOf", .array([JSONNode(.object(members))]))] }
    let standard = field.standard.map { "; default: \($0)" } ?? ""
    return [JSONMember("description", .string(field.about + standard))] + members
  }
}
