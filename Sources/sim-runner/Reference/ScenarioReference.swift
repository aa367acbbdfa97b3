import Simulator
import Console
import Link

/// The page of the scenario's keys, faults and expectations.
enum ScenarioReference {
  /// `docs/scenario-reference.md`.
  static var page: String {
    var text = Markdown.head("Scenarios")
    text += introduction
    text += "\n" + Markdown.block(example) + "\n## Keys\n\n"
    text += sections
    text += faults
    for kind in FaultCatalog.all { text += FaultReference.section(kind) }
    text += crashPoints
    text += ExpectationReference.chapter
    return text
  }

  /// A section for each object, behind the one that holds it; an object in several places has one.
  private static var sections: String {
    var found: [(object: ObjectDescription, paths: [String])] = []
    collect(Scenario.schema.description, at: "", into: &found)
    return found.map { object, paths in
      let title = paths == [""] ? "The scenario" : Markdown.code(paths.joined(separator: " and "))
      return "### \(title)\n\n\(object.about)\n\n" + table(object) + "\n"
    }.joined()
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

  /// The keys of an object; for events a row for each `do`.
  private static func table(_ object: ObjectDescription) -> String {
    guard object.hasFormWords, let tag = object.forms.first?.first?.name else {
      return Markdown.table(of: object.allFields)
    }
    let rows = object.forms.map { form -> [String] in
      let keys = form.dropFirst().map { key in
        "`\(key.name)` (\(key.value.range); \(key.standard ?? "required")): \(key.about)"
      }
      return [Markdown.code(form[0].value.range), form[0].about, keys.joined(separator: "; ")]
    }
    return Markdown.table(of: object.fields) + "\n" + Markdown.table([Markdown.code(tag), "meaning", "its keys"], rows)
  }

  private static let introduction = """

    A scenario is one JSON5 file that says what happens in a run: the workout, the coaching script, the link, what
    goes wrong when, and what must be true of it in the end. `sim-runner validate FILE` finds everything that is wrong
    with one; `sim-runner run FILE` runs it.

    * JSON5: comments, bare keys, single quotes and trailing commas are allowed; `Infinity` and `NaN` are not, and each
      key occurs once. Objects and arrays nest at most 128 deep, and a file has at most 64 MiB.
    * A duration is a string of numbers with units from long to short (`h`, `m`, `s`, `ms`, `us`, `ns`), the last one
      perhaps with decimals (`"250ms"`, `"90s"`, `"12m30s"`, `"1h"`, `"1.5s"`), or a number of seconds; either is rounded
      to whole nanoseconds.
    * An unknown key is an error, with the nearest known one as a hint.
    * Paths are relative to the scenario's folder.
    * [scenario.schema.json](scenario.schema.json) and [script.schema.json](script.schema.json) are JSON Schemas for
      editors: name one under `$schema`, or map it to `*.json5` in the editor's settings. `validate` stays the judge.
    * At `duration`, or 5 s after the workout's end if that is sooner, the runner ends the workout and every fault and
      restarts no app; then the queues drain, for at most 10 virtual minutes (longer only behind frames that
      a `delay` holds back by more than 5). Where the phone may start a run, a workout
      that was taken back is no end, and the end of the phone's own tracker is one.

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
    let kinds = FaultCatalog.all.map { Markdown.code($0.kind) }.joined(separator: ", ")
    return """
      ## Faults

      Each element of `faults` has exactly one kind (\(kinds)) and these keys:

      \(Markdown.table(of: FaultTarget.description.fields + [uplinkField]))
      A frame passes the link's stages in this order: the queue (`bandwidth`), `loss`, `corrupt`, `delay`, `reorder`,
      `duplicate`; within a stage the faults in the order of the plan. What a fault draws depends on the seed, its `id`
      and what the draw is about, and on nothing drawn before: adding or removing one leaves the others' draws as they
      were. `sim-runner faults NAME` prints one of these pages.

      A fault of the uplink has its kind inside: `{ at: "24m", for: "2m", uplink: { disconnect: {} } }`. Every kind of a
      link can be there (\(FaultCatalog.ofUplink.map { Markdown.code($0.kind) }.joined(separator: ", "))), with the
      directions `phone-to-edge` and `edge-to-phone`, and without `channels`.


      """
  }

  private static let uplinkField = FieldDescription(
    "uplink", .named("a kind with its parameters", .any), standard: "the watch-phone link",
    "puts the fault on the phone-edge link")

  private static var crashPoints: String {
    """
    ### Crash points

    The places that `point` of a `kill` can name. A node passes one right behind a commit, or another step that outlives
    its process, and before anything that follows from it.

    \(Markdown.table(["point", "there"], CrashPoint.all.map { [Markdown.code($0.name), $0.about] }))

    """
  }
}
