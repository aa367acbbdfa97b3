import Console
import Link

/// `sim-runner events`: the reference pages of the events of a trace.
enum EventsCommand: Command {
  static let name = "events"
  static let about = "the events of a trace, a page for each"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each event. With it: which nodes write it, what it means, and its fields; a field with
    `?` is left out when it has no value. docs/trace.schema.json is the JSON Schema of a trace's lines.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      EventCatalog.all, named: "the event", arguments, name: { $0.name.text },
      row: { [$0.name.text, Markdown.plain($0.about)] }, page: page, printJSON: printJSON)
  }

  private static func page(_ kind: EventKindEntry) -> [String] {
    var lines = [Terminal.styled(kind.name.text, .bold)] + PlainText.wrapped(Markdown.plain(kind.about), indent: 2)
    lines += ["", Terminal.styled("Written by", .bold), "  " + EventReference.placeList(kind)]
    guard !kind.fields.isEmpty else { return lines }
    lines += ["", Terminal.styled("Fields", .bold)]
    let rows = kind.fields.map { field in
      [field.key + (field.isOptional ? "?" : ""), words(of: field), Markdown.plain(field.about)]
    }
    return lines + PlainText.columns(rows, indent: 2)
  }

  /// What the field's value can be, in a word or as a list of words.
  private static func words(of field: EventFieldDescription) -> String {
    let text =
      switch field.shape {
      case .integer: "whole number"
      case .number: "number"
      case .boolean: "true or false"
      case .text: "text"
      case .identifier: "UUID"
      case .digest: "digest"
      case .json: "array or object"
      case .anything: "any value"
      case .words(let words): words.joined(separator: ", ")
      }
    return field.isNullable ? text + ", or null" : text
  }

  private static func printJSON(_ kinds: [EventKindEntry]) {
    JSONOutput.print([
      "events": .objects(kinds) { kind in
        [
          "event": .string(kind.name.text), "about": .string(kind.about),
          "nodes": .texts(TraceEvent.Place.allCases.filter { kind.places.contains($0) }.map(\.text)),
          "isReserved": .bool(kind.isReserved),
          "fields": .objects(kind.fields) { field in
            [
              "key": .string(field.key), "values": .string(words(of: field)), "isOptional": .bool(field.isOptional),
              "about": .string(field.about),
            ]
          },
        ]
      }
    ])
  }
}
