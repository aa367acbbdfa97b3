import Console
import Link

/// The events of a trace, as pages and files show them.
///
/// Their names are in `docs/internals/trace-format.md`, whose text between marks is generated; a JSON Schema has their fields.
enum EventReference {
  /// A printed part of the page.
  private enum Part: String, CaseIterable {
    case events
    case reserved = "reserved events"

    var begin: String { "<!-- \(rawValue): printed by `sim-runner docs` from Sources/Link/Trace/Events -->\n" }
    var end: String { "<!-- end of \(rawValue) -->\n" }

    var text: String {
      switch self {
      case .events: EventReference.events
      case .reserved: EventReference.reserved
      }
    }
  }

  /// The page with its printed parts replaced.
  static func page(_ current: String) -> String {
    Part.allCases.reduce(current) { Markdown.replacingPart(of: $0, $1.begin, $1.end, with: $1.text) }
  }

  /// A paragraph for each section of the catalogue: what its events are called.
  private static var events: String {
    EventCatalog.sections.map { section in
      "### \(section.title)\n\n" + (section.about.isEmpty ? "" : section.about + "\n\n")
        + section.kinds.map { Markdown.code($0.name.text) }.joined(separator: ", ") + "\n"
    }.joined(separator: "\n")
  }

  /// A row for each set of places.
  private static var reserved: String {
    let kinds = EventCatalog.all.filter(\.isReserved)
    var places: [String] = []
    for kind in kinds where !places.contains(placeList(kind)) { places.append(placeList(kind)) }
    return Markdown.table(
      ["accepted from", "events"],
      places.map { place in
        [place, kinds.filter { placeList($0) == place }.map { Markdown.code($0.name.text) }.joined(separator: ", ")]
      })
  }

  /// The places that write an event, with commas.
  static func placeList(_ kind: EventKindEntry) -> String {
    TraceEvent.Place.allCases.filter { kind.places.contains($0) }.map(\.text).joined(separator: ", ")
  }

  /// `docs/trace.schema.json`: a JSON Schema of a line of a trace.
  ///
  /// Events that it does not know fit: a reader ignores them, too.
  static var schema: String {
    let line = JSONValue.object(
      .init([
        "$schema": .string("http://json-schema.org/draft-07/schema#"),
        "title": .string("A line of a trace of Wristwire"), "type": .string("object"),
        "anyOf": .array(
          [required(["trace", "version"]), required(["t", "node", "event"])].map { JSONNode(.object($0)) }),
        "allOf": .array(
          EventCatalog.all.map { kind in
            let isOne = [JSONMember]([
              "properties": .object(.init(["event": .object(.init(["const": .string(kind.name.text)]))]))
            ])
            return JSONNode(
              .object(.init(["if": .object(isOne + required(["event"])), "then": .object(schema(of: kind))])))
          }),
      ]))
    return JSONWriter.pretty(JSONNode(line), dialect: .json)
  }

  private static func required(_ keys: [String]) -> [JSONMember] {
    .init(["required": .array(keys.map { JSONNode(.string($0)) })])
  }

  private static func schema(of kind: EventKindEntry) -> [JSONMember] {
    let fields = kind.fields.map { field in
      var members: [JSONMember] = type(of: field)
      members.append(JSONMember("description", .string(field.about)))
      return JSONMember(field.key, .object(members))
    }
    return .init(["description": .string(kind.about), "properties": .object(fields)])
      + required(["t", "node"] + kind.fields.filter { !$0.isOptional }.map(\.key))
  }

  /// The type of a field's value.
  ///
  /// The words that it can be are not listed: a reader accepts those of a later release, too.
  private static func type(of field: EventFieldDescription) -> [JSONMember] {
    let name: String? =
      switch field.shape {
      case .integer: "integer"
      case .number: "number"
      case .boolean: "boolean"
      case .text, .identifier, .digest, .words: "string"
      case .json, .anything: nil
      }
    guard let name else { return [] }
    let type: JSONValue =
      field.isNullable ? .array([JSONNode(.string(name)), JSONNode(.string("null"))]) : .string(name)
    return [JSONMember("type", type)]
  }
}
