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
      let common = commonFields(section.kinds)
      let list = common.isEmpty ? "" : "Fields of several events: \(common.joined(separator: "; ")).\n\n"
      return "### \(section.title)\n\n" + (section.about.isEmpty ? "" : section.about + "\n\n") + list
        + Markdown.table(
          ["event", "node", "meaning and fields"],
          section.kinds.map { [Markdown.code($0.name.text), placeList($0), "\($0.about) \(fields($0, common))"] })
    }.joined(separator: "\n")
  }

  /// What three or more events of a section say of a field.
  private static func commonFields(_ kinds: [EventKindEntry]) -> [String] {
    var counts: [String: Int] = [:]
    var texts: [String] = []
    for field in kinds.flatMap(\.fields) {
      counts[text(of: field), default: 0] += 1
      if counts[text(of: field)] == 3 { texts.append(text(of: field)) }
    }
    return texts
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

  /// An event's fields; of those that its section describes, the keys.
  private static func fields(_ kind: EventKindEntry, _ common: [String]) -> String {
    guard !kind.fields.isEmpty else { return "No fields." }
    return kind.fields.map { field in
      let key = Markdown.code(field.key) + (field.isOptional ? "?" : "")
      let text = text(of: field)
      return common.contains(text) ? key : key + text.dropFirst(Markdown.code(field.key).count)
    }.joined(separator: "; ") + "."
  }

  private static func text(of field: EventFieldDescription) -> String {
    var text = Markdown.code(field.key) + ": " + field.about
    if case .words(let words) = field.shape { text += " (" + words.joined(separator: ", ") + ")" }
    return text
  }
}
