import Console
import Link
import Simulator

/// The pages of a scenario's keys, faults and expectations.
enum ScenarioReference {
  /// A page that has sections of keys.
  private enum Page {
    case scenario
    case expectations
    case athlete

    /// The page of an object's keys, by the path of the object.
    static func of(_ path: String) -> Self {
      let first = path.prefix { $0.isLetter }
      if first == "checks" || first == "sometimes" { return .expectations }
      let isAthletes = ["race", "plan", "edge", "athlete", "health", "run"].contains(first)
      let isPhones = path.hasPrefix("phone.") && path != "phone.acts[]"
      return isAthletes || isPhones || path.hasPrefix("workout.source.model") || path == "workout.events[]"
        ? .athlete : .scenario
    }
  }

  /// `docs/scenarios.md`.
  static var page: String {
    var text = Markdown.head("Scenarios")
    text += introduction
    text += "\n" + Markdown.block(example) + "\n## Keys\n\n"
    text += sections(of: .scenario)
    text += faults
    text += FaultReference.tables
    return text
  }

  /// `docs/expectations.md`.
  static var expectationsPage: String {
    Markdown.head("Expectations and checks") + ExpectationReference.chapter + "\n## Keys\n\n"
      + sections(of: .expectations)
  }

  /// `docs/athlete.md`.
  static var athletePage: String {
    Markdown.head("Keys of the built-in athlete and apps") + athleteIntroduction + sections(of: .athlete)
  }

  /// `docs/internals/faults.md`.
  static var faultModels: String {
    Markdown.head("How faults are computed")
      + "\nTheir effects and keys are under [scenarios](../scenarios.md#faults).\n\n"
      + FaultCatalog.all.map { FaultReference.model($0) }.joined() + crashPoints
  }

  /// A section for each object of a page, behind the one that holds it; an object in several places has one.
  private static func sections(of page: Page) -> String {
    var found: [(object: ObjectDescription, paths: [String])] = []
    collect(Scenario.schema.description, at: "", into: &found)
    var shown: [ObjectDescription] = []
    return found.filter { Page.of($0.paths[0]) == page && !isRange($0.object) && !isOneKey($0.object) }
      .map { object, paths in
        let title = paths == [""] ? "The scenario" : Markdown.code(paths.joined(separator: " and "))
        defer { shown.append(object) }
        return "### \(title)\n\n\(object.about)\n\n" + table(object, after: shown) + "\n"
      }.joined()
  }

  /// A range of numbers, which the table with its key describes.
  private static func isRange(_ object: ObjectDescription) -> Bool {
    object.forms.isEmpty && object.fields.map(\.name) == ["least", "most"] && object.fields.allSatisfy(\.isRequired)
  }

  /// An object of one key, which the row of the object's own key describes.
  private static func isOneKey(_ object: ObjectDescription) -> Bool {
    object.forms.isEmpty && object.fields.count == 1
  }

  /// Objects that have a chapter or a page of their own.
  private static let elsewhere = ["faults[]", "expect[]", "script"]

  private static func collect(
    _ object: ObjectDescription, at path: String, into found: inout [(object: ObjectDescription, paths: [String])]
  ) {
    guard !elsewhere.contains(path), !object.allowsOthers else { return }
    if let index = found.firstIndex(where: { $0.object == object }) {
      if !found[index].paths.contains(path) { found[index].paths.append(path) }
      return
    }
    found.append((object, [path]))
    for field in object.fields + object.forms.flatMap(\.self) {
      let name = path.isEmpty ? field.name : "\(path).\(field.name)"
      let objects = field.value.objects
      for inner in objects where !inner.fields.isEmpty || !inner.forms.isEmpty {
        let isForm = objects.count > 1 && inner.name.contains(": ")
        collect(inner, at: isForm ? inner.name : name + (field.value.isArray ? "[]" : ""), into: &found)
      }
    }
  }

  /// The keys of an object; for events a row for each `do` that no object before has.
  private static func table(_ object: ObjectDescription, after shown: [ObjectDescription]) -> String {
    guard object.hasFormWords, let tag = object.forms.first?.first?.name else { return keyTable(object.allFields) }
    let known = shown.filter(\.hasFormWords)
    var rows: [[String]] = []
    var repeated: [String: [String]] = [:]
    for form in object.forms {
      let word = Markdown.code(form[0].value.range)
      if let owner = known.first(where: { $0.forms.contains(form) }) {
        repeated[owner.name, default: []].append(word)
      } else {
        rows.append([word, form[0].about, Markdown.keys(Array(form.dropFirst()))])
      }
    }
    let others = repeated.map { name, words in "\nAs in `\(name)`: \(words.joined(separator: ", ")).\n" }.sorted()
    return keyTable(object.fields) + "\n" + Markdown.table([Markdown.code(tag), "meaning", "its keys"], rows)
      + others.joined()
  }

  /// A table of keys; behind a key of an object of one key, that key.
  private static func keyTable(_ fields: [FieldDescription]) -> String {
    Markdown.table(
      of: fields.map { field in
        var field = field
        for inner in field.value.objects where isOneKey(inner) && !field.about.contains("`\(inner.fields[0].name)`") {
          field.about += "; " + Markdown.keys(inner.fields)
        }
        return field
      })
  }

  private static let introduction = """

    A scenario is one JSON5 file that says what happens in a run: the workout, the link, what goes wrong when, and what
    must be true in the end. `sim-runner validate FILE` reports every mistake in one; `sim-runner run FILE` runs it.
    This page has the keys of every scenario; `expect`, `checks` and `sometimes` are under [expectations](expectations.md),
    the keys of the built-in athlete and apps [on a page of their own](athlete.md).

    * JSON5: comments, bare keys, single quotes and trailing commas are allowed; `Infinity` and `NaN` are not, and each
      key occurs once. Objects and arrays nest at most 128 deep, and a file has at most 64 MiB.
    * A duration is a number of seconds, or a string of numbers with units from long to short (`h`, `m`, `s`, `ms`,
      `us`, `ns`): `"250ms"`, `"12m30s"`, `"1.5s"`.
    * An unknown key is an error, with the nearest known one as a hint.
    * Paths are relative to the scenario's folder.
    * [scenario.schema.json](scenario.schema.json) and [script.schema.json](script.schema.json) are JSON Schemas for
      editors: name one under `$schema`, or map it to `*.json5` in the editor's settings.
    * The run ends at `duration`, or 5 s after the workout's end if that is sooner. (If the phone may start the workout:
      a cancelled workout does not end the run; the end of the phone's own tracking does.) Then every fault ends, no app
      is restarted, and the queues drain: for at most 10 virtual minutes, or longer if a `delay` holds frames back by
      more than 5.

    """

  private static let athleteIntroduction = """

    Keys of a [scenario](scenarios.md) for the simulated athlete and [the built-in apps](built-in-apps.md). An app of your
    own needs none of them.

    ## Keys


    """

  /// A scenario with nearly every key; a test validates it.
  static let example = """
    {
      scenario: "tunnel-at-2k",
      about: "A tunnel swallows 45 s of metrics; the phone must say so at 10 s and recover at once.",
      seed: 42,
      startedAt: "2026-04-12T06:30:00Z",
      timeZone: "Europe/Berlin",
      duration: "40m",
      workout: {
        source: { model: { distance: 5000, pace: "5:30/km" } },
        mode: "race",
        personality: "roast_coach",
        events: [{ at: "5m", do: "pause" }, { at: "6m", do: "resume" }],
      },
      phone: { events: [{ at: "8m", do: "interrupt" }, { at: "9m", do: "interruptionEnd", shouldResume: true }] },
      plan: { distance: 5000, time: "27m30s" },
      memory: { "hr.max": 188 },
      link: { profile: "ble-running" },
      uplink: { profile: "lte" },
      edge: { failures: [{ call: "chatReply", at: "10m", for: "5m", do: "late", by: "10s" }] },
      faults: [
        { at: "11m", for: "45s", disconnect: {} },
        { at: "15m", for: "2m", loss: { probability: 0.3 }, direction: "watch-to-phone", channels: ["message"] },
        { at: "24m", for: "2m", uplink: { disconnect: {} } },
      ],
      nemesis: { kinds: ["loss", "delay", "duplicate"], meanInterval: "5m", meanDuration: "20s", from: "18m" },
      expect: [
        { event: "liveness.disconnected", between: ["11m9s", "11m12s"] },
        { event: "liveness.reconnected", within: "7s", after: { event: "link.up" } },
        { count: "script.dispatch", atLeast: 4, atMost: 12 },
        { never: "script.expired", where: { message: "finish" } },
      ],
    }
    """

  private static var faults: String {
    """
    ## Faults

    Each element of `faults` has one kind from the tables below, and these keys:

    \(Markdown.table(of: FaultTarget.description.fields + [uplinkField]))
    * A frame passes the link's stages in this order: the queue (`bandwidth`), `loss`, `corrupt`, `delay`, `reorder`,
      `duplicate`; within a stage the faults in the order of the plan.
    * What a fault draws depends on the seed, its `id` and what the draw is about: adding or removing another fault does
      not change it.
    * A fault of the uplink has its kind inside: `{ at: "24m", for: "2m", uplink: { disconnect: {} } }`. It may be
      \(FaultCatalog.ofUplink.map { Markdown.code($0.kind) }.joined(separator: ", ")), without `channels`.
    * `sim-runner faults NAME` explains a kind: its formula, what is known of it in reality, and an example
      ([all of them](internals/faults.md)).


    """
  }

  private static let uplinkField = FieldDescription(
    "uplink", .named("a kind with its parameters", .any), standard: "the watch-phone link",
    "puts the fault on the phone-edge link")

  private static var crashPoints: String {
    """
    ## Crash points

    The names that `point` of a `kill` accepts. A node passes one right behind a commit, or another step that outlives
    its process, and before anything that follows from it.

    \(Markdown.list(CrashPoint.all.map { (Markdown.code($0.name), $0.about) }))

    """
  }
}

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
