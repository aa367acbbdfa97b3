import Console
import Foundation
import Link
import Simulator

/// The page that says of each requirement of the documents what shows it and what holds it.
///
/// Its table is a file of its own, which a test runs row by row.
enum DocumentReference {
  /// A requirement.
  struct Row {
    var requirement: String
    /// What shows it; see the table's first lines.
    var evidence: String
    /// The invariant that holds it; empty for none.
    var invariant: String
  }

  /// The page made of a table.
  ///
  /// - Throws: For a table that cannot be read.
  static func page(of path: String) throws(Failure) -> String {
    let table: JSONNode
    let bytes = try FilePath.read(path)
    do { table = try JSONParser.parse(bytes, dialect: .json5) } catch { throw .input("\(path): error: \(error)") }
    guard case .object(let paths)? = table["scenarios"]?.value else {
      throw .input("\(path): error: found no scenarios, expected an object")
    }
    var number = 0
    var sections: [String] = []
    for document in table["documents"]?.elements ?? [] {
      var lines = ["## \(document["title"]?.text ?? "")\n"]
      for element in document["rows"]?.elements ?? [] {
        guard let row = Row(element.text ?? "") else {
          throw .input("\(path): error: found \"\(element.text ?? "")\", expected requirement | evidence | invariant")
        }
        number += 1
        let held = row.invariant.isEmpty ? "" : "; `\(row.invariant)`"
        lines.append("\(number). \(row.requirement): \(row.shown)\(held)")
      }
      sections.append(lines.joined(separator: "\n") + "\n")
    }
    let scenarios = paths.map { member in
      let path = member.node.text ?? ""
      return Markdown.code(member.key) + (member.key == path ? "" : " (\(Markdown.code(path)))")
    }
    return """
      # The documents, row by row

      <!-- Printed by `sim-runner docs` from documents.json5: change that table, not this page. -->

      What the five documents that Wristwire comes from ask for, what shows it, and behind a semicolon the
      [invariant](internals/checkers.md) that holds it. A test runs every row. To see one:
      `sim-runner run scenarios/NAME.json5 --trace t.jsonl --state-dir state`; an event is in the trace, a `Table.column` in
      `state/phone/store.sqlite`, a file in `state`; a screen is one of `sim-runner open`. Scenarios: \(scenarios.joined(separator: ", ")).

      \(sections.joined(separator: "\n"))
      """
  }
}

extension DocumentReference.Row {
  /// Reads `requirement | evidence | invariant`; nil for other parts.
  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard (2...3).contains(parts.count), !parts[0].isEmpty, parts[1].contains(" ") else { return nil }
    self.init(requirement: parts[0], evidence: parts[1], invariant: parts.count > 2 ? parts[2] : "")
  }

  /// The evidence as the page shows it.
  var shown: String {
    let (first, rest) = (evidence.prefix { $0 != " " }, evidence.drop { $0 != " " }.dropFirst())
    return switch first {
    case "-": "not possible: \(rest)"
    case "migrate": "`sim-runner migrate`: `\(rest)`"
    default: "\(first): `\(rest)`"
    }
  }
}

/// The reference page of the invariants.
enum CheckerReference {
  /// `docs/internals/checkers.md`.
  static var page: String {
    var text = Markdown.head("Invariants")
    text += """

      Every run is judged by all of these while it goes on, and every trace by `sim-runner check`. A checker reads the
      lines of the trace and nothing else, so a trace made by any program, in any language, is judged the same way.
      A checker implements the rules itself: the coach's checkers do not call the engine that
      they judge.

      * A violation has its invariant, the instant, what is wrong in words, and the numbers of the lines that show it.
        At most \(Judge.violationsMax) of each invariant are kept.
      * Safety is judged under faults. Liveness ("it finishes", "it converges") is judged after the `healed` line, when
        every fault has ended and the queues had 10 minutes to drain, or more where frames were still on their way that a
        fault had delayed by so much.
      * A trace without its `end` line is truncated: violations in it count, but events that may be missing are not
        held against it, and without a violation the verdict is *unknown*, which is not a pass.
      * The `expectation` and `violation` lines in a trace are an earlier judgement, and are not read.
      * Any other line that is earlier than one before it breaks `causality`, whatever its event.
      * `sim-runner invariants --json` lists the events that each one reads.


      """
    text += section("The link", "`Sources/Link/Checkers`", Invariants.linked.ofLink.all)
    text += "\n" + section("The coach", "`Sources/CoachCheckers`", Invariants.linked.ofCoach.all)
    return text
  }

  private static func section(_ title: String, _ folder: String, _ checkers: [any Checker.Type]) -> String {
    "## \(title)\n\nIn \(folder).\n\n"
      + Markdown.list(checkers.map { (Markdown.code($0.invariant), $0.about) })
  }
}

/// The list of decisions, made from the titles of their pages.
enum DecisionIndex {
  /// The page, in the order of the numbers.
  ///
  /// - Throws: For a folder that cannot be read, or a page without a title of the form `# 31. TITLE`.
  static func page(of folder: String) throws(Failure) -> String {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .environment("\(folder): error: cannot be read: \(error.systemText)")
    }
    var rows: [(number: Int, text: String)] = []
    for name in names where name.hasSuffix(".md") && name != "README.md" {
      let text = String(decoding: try FilePath.read("\(folder)/\(name)"), as: UTF8.self)
      guard let title = text.firstMatch(of: /^# ([0-9]+)\. ([^\n]+)\n/), let number = Int(title.1) else {
        throw .input("\(folder)/\(name):1: expected a title such as \"# 31. An app follows grants\"")
      }
      rows.append((number, "\(number). [\(title.2)](\(name))\n"))
    }
    return """
      # Decisions

      One page for each choice that had alternatives: what, why, and what was rejected. `sim-runner docs` makes this list.

      \(rows.sorted { $0.number < $1.number }.map(\.text).joined())
      """
  }
}

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

/// The page of the named links.
enum ProfileReference {
  /// `docs/internals/profiles.md`.
  static var page: String {
    var text = Markdown.head("Link profiles")
    text += """

      Where the numbers of the [profiles](../recordings.md#link-profiles) come from. Each is *grounded* in published
      measurements or *assumed*. `sim-runner profiles NAME` prints all values of one, and the trace's header has them.

      """
    var shown: Set<String> = []
    for profile in ProfileCatalog.all {
      text += "\n## `\(profile.name)`\n\n"
      text += profile.about.prefix(1).uppercased() + profile.about.dropFirst() + ".\n\n"
      let own = profile.sources.filter { shown.insert($0).inserted }
      text += own.map { "* \($0)\n" }.joined()
      if own.count < profile.sources.count { text += "* otherwise as the profile before\n" }
    }
    return text
  }
}

/// The table of quirks in `docs/internals/protocol.md`; the rest of the page is written by hand.
enum QuirkReference {
  private static let begin = "<!-- quirks: printed by `sim-runner docs` from Sources/Link/Medium/Quirks -->\n"
  private static let end = "<!-- end of quirks -->\n"

  /// The page with its table replaced.
  static func page(_ current: String) -> String {
    Markdown.replacingPart(of: current, begin, end, with: table)
  }

  private static var table: String {
    Markdown.table(
      ["number", "quirk", "what the session does while it is on"],
      FaultCatalog.quirks.flatMap { [(quirk: $0.quirk, effect: $0.effect)] + $0.choices }
        .sorted { $0.quirk.number < $1.quirk.number }.map {
          [String($0.quirk.number), Markdown.code($0.quirk.name), $0.effect]
        })
  }
}
