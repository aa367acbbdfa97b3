import Console
import Link
import Simulator

/// `sim-runner faults`: the reference pages of the faults.
enum FaultsCommand: Command {
  static let name = "faults"
  static let about = "the kinds of faults, a page for each"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each kind. With it: what it does, how it is computed, where it occurs in
    reality, its parameters, and an example for the `faults` of a scenario.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      FaultCatalog.all, named: "the fault", arguments, name: { $0.kind }, row: { [$0.kind, $0.page.about] },
      page: page, printJSON: printJSON)
  }

  private static func page(_ kind: any FaultKind.Type) -> [String] {
    let page = kind.page
    var lines = [Terminal.styled(kind.kind, .bold)]
    func add(_ title: String, _ text: String) {
      lines += ["", Terminal.styled(title, .bold)] + PlainText.wrapped(text, indent: 2)
    }
    lines += PlainText.wrapped(page.about, indent: 2)
    add("Formula", page.formula)
    add("In reality", page.reality)
    add("Hits", FaultReference.reach(kind))
    lines += ["", Terminal.styled("Parameters", .bold)]
    let rows = FaultReference.parameters(kind).map { [$0.name, $0.value.range, $0.standard ?? "required", $0.about] }
    lines += PlainText.columns([["name", "range", "default", ""]] + rows, indent: 2)
    lines += ["", Terminal.styled("Example", .bold), "  " + FaultReference.example(kind)]
    return lines
  }

  private static func printJSON(_ kinds: [any FaultKind.Type]) {
    JSONOutput.print([
      "faults": .objects(kinds) { kind in
        [
          "kind": .string(kind.kind), "about": .string(kind.page.about), "formula": .string(kind.page.formula),
          "reality": .string(kind.page.reality), "selective": .bool(kind.isSelective),
          "parameters": .objects(FaultReference.parameters(kind)) { parameter in
            [
              "name": .string(parameter.name), "range": .string(parameter.value.range),
              "default": .text(parameter.standard), "about": .string(parameter.about),
            ]
          },
          "example": .object(FaultReference.exampleMembers(kind)),
        ]
      }
    ])
  }
}

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

/// `sim-runner invariants`: the invariants by which every trace is judged.
enum InvariantsCommand: Command {
  static let name = "invariants"
  static let about = "the invariants by which every run is judged"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Every run and every checked trace is judged by all of them. docs/internals/checkers.md describes them,
    and docs/internals/trace-format.md how to judge a trace without this program.
    """

  /// All checkers, in the order of evaluation.
  static let all: [any Checker.Type] = Invariants.linked.all

  /// The checker of an invariant, by its name or an earlier one; nil for an unknown name.
  static func checker(named name: String) -> (any Checker.Type)? {
    all.first { $0.invariant == name || $0.aliases.contains(name) }
  }

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    var shown = all
    if !arguments.operands.isEmpty {
      let name = try arguments.onlyOperand("the invariant")
      guard let checker = checker(named: name) else {
        let hint = PlainText.hint(for: name, among: all.map { $0.invariant })
        throw .input("invariants: found \"\(TerminalText.escape(name))\"\(hint)")
      }
      shown = [checker]
    }
    if arguments.has("--json") {
      JSONOutput.print([
        "invariants": .objects(shown) { checker in
          [
            "invariant": .string(checker.invariant), "about": .string(checker.about),
            "events": .texts(checker.events.map(\.text)),
          ]
        }
      ])
    } else {
      for line in PlainText.columns(shown.map { [$0.invariant, $0.about] }) { Terminal.print(line) }
    }
    return 0
  }
}

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

/// `sim-runner profiles`: the named links with their sources.
enum ProfilesCommand: Command {
  static let name = "profiles"
  static let about = "the named links, and the sources of their numbers"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each profile. With it: its members as in a scenario's `link` or `uplink`,
    and for each number whether it is grounded in published measurements or assumed.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      ProfileCatalog.all, named: "the profile", arguments, name: \.name,
      row: { [$0.name, $0.isUplink ? "uplink" : "link", $0.about] }, page: page, printJSON: printJSON)
  }

  private static func page(_ profile: NamedProfile) -> [String] {
    var lines = [Terminal.styled(profile.name, .bold), "  \(profile.about)", "", Terminal.styled("Sources", .bold)]
    lines += profile.sources.map { "  \($0)" }
    lines += ["", Terminal.styled("Spelled out", .bold)]
    let text = JSONWriter.pretty(JSONNode(profile.profile.params))
    lines += text.split(separator: "\n").map { "  \($0)" }
    return lines
  }

  private static func printJSON(_ profiles: [NamedProfile]) {
    JSONOutput.print([
      "profiles": .objects(profiles) { profile in
        [
          "name": .string(profile.name), "about": .string(profile.about),
          "for": .string(profile.isUplink ? "uplink" : "link"), "sources": .texts(profile.sources),
          "parts": profile.profile.params,
        ]
      }
    ])
  }
}
