import Console
import Link

/// The tables of events in `docs/internals/trace-format.md`: the text between marks is generated.
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

  /// A table for each section of the catalogue.
  private static var events: String {
    EventCatalog.sections.map { section in
      "### \(section.title)\n\n" + (section.about.isEmpty ? "" : section.about + "\n\n")
        + Markdown.table(
          ["event", "node", "meaning and fields"],
          section.kinds.map { [Markdown.code($0.name.text), placeList($0), "\($0.about) \(fields($0))"] })
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

  private static func placeList(_ kind: EventKindEntry) -> String {
    TraceEvent.Place.allCases.filter { kind.places.contains($0) }.map(\.text).joined(separator: ", ")
  }

  private static func fields(_ kind: EventKindEntry) -> String {
    guard !kind.fields.isEmpty else { return "No fields." }
    return kind.fields.map { field in
      var text = Markdown.code(field.key) + (field.isOptional ? "?" : "") + ": " + field.about
      if case .words(let words) = field.shape { text += " (" + words.joined(separator: ", ") + ")" }
      return text
    }.joined(separator: "; ") + "."
  }
}
