import Console
package import Link

/// Where the value of a scenario's key comes from in a sweep: which generator draws it, or why none does.
package enum InputOrigin: Sendable, Equatable {
  /// Drawn by a key's generator: `athlete.draw`, `acts.draw`, `nemesis`.
  case drawn(by: String)
  /// No input of the run: what judges it, names it or sets a generator.
  case noInput(String)
  /// An input that stays as the scenario says.
  case fixed(String)

  /// What it is, for `validate --explain` and the JSON Schema.
  package var text: String {
    switch self {
    case .drawn(let generator): "drawn by \(generator)"
    case .noInput(let why): "no input: \(why)"
    case .fixed(let why): "stays as written: \(why)"
    }
  }

  /// The origin of a key; nil for a key that the census lacks.
  ///
  /// - Parameter path: The keys from the scenario on, without the indices of arrays: `workout.events.pause`. A value of
  ///   `do` stands for itself. Elements of `workouts` count as `workout`.
  package static func of(_ path: String) -> InputOrigin? {
    if let own = keys[path] { return own }
    var parent = path
    while let dot = parent.lastIndex(of: ".") {
      parent = String(parent[..<dot])
      if let whole = wholes[parent] { return whole }
      // What an event has beside its `do` comes with it.
      if parent.contains(".events."), let event = keys[parent] { return event }
    }
    return wholes[path]
  }

  /// Every key of a scenario, with the objects in it.
  package static var everyKey: [String] {
    var found: [String] = []
    collect(Scenario.schema.description, at: "", into: &found)
    return found
  }

  /// The scenario's keys with what the census says of each, for a JSON Schema.
  package static var described: ObjectDescription { described(Scenario.schema.description, at: "") }

  /// The inputs that a scenario's file has, each key once, with the place of its first value.
  package static func inputs(of node: JSONNode) -> [(path: String, position: TextPosition, origin: InputOrigin)] {
    var found: [(path: String, position: TextPosition, origin: InputOrigin)] = []
    var seen: Set<String> = []
    visit(node, at: "") { path, position in
      guard let origin = of(path), seen.insert(path).inserted else { return }
      if case .noInput = origin { return }
      found.append((path, position, origin))
    }
    return found
  }

  private static func visit(_ node: JSONNode, at path: String, _ body: (String, TextPosition) -> Void) {
    switch node.value {
    case .array(let elements): for element in elements { visit(element, at: path, body) }
    case .object(let members):
      for member in members {
        body(path.isEmpty ? member.key : "\(path).\(member.key)", member.position)
        // What is in a fault is the fault's.
        if member.key != "faults" { visit(member.node, at: child(member.key, of: path), body) }
      }
    default: break
    }
  }

  // MARK: The census

  private static let athlete = InputOrigin.drawn(by: "athlete.draw")
  private static let hands = InputOrigin.drawn(by: "acts.draw")
  private static let nemesis = InputOrigin.drawn(by: "nemesis")
  private static let generator = InputOrigin.noInput("it says what is drawn")
  private static let judge = InputOrigin.noInput("it judges the run")
  private static let name = InputOrigin.noInput("it names or explains")
  private static let setting = InputOrigin.fixed("how the devices are built, which no day changes")
  private static let app = InputOrigin.fixed("what an app of one's own needs, which a draw would not know")
  private static let person = InputOrigin.fixed("who runs, and what was planned: another person is another scenario")
  private static let profile = InputOrigin.fixed("part of a profile, of which athlete.draw draws one")
  private static let rest = InputOrigin.fixed(
    "an act with no effect on what is stored of a day, or one that takes a run out of its athlete's hand")

  /// Objects with one origin for all of their keys.
  private static let wholes: [String: InputOrigin] = [
    "flights": athlete, "phone.acts": hands, "watch.acts": hands, "faults": nemesis, "nemesis": generator,
    "acts": generator, "athlete": generator, "expect": judge, "sometimes": judge, "checks": judge, "payload": name,
    "link": profile, "uplink": profile, "edge": athlete, "apps": app, "health": athlete, "healthKit": hands,
    "system": hands, "plan": athlete, "script": person, "run": person, "race": person, "memory": person,
    "phone.training.sync": athlete,
    "phone.ingestion.failures": athlete, "workout.source.model.stops": athlete, "phone.events.planWorkout": athlete,
    "workout.source.model.intervals": athlete, "workout.source.model: riding.intervals": athlete,
    "workout.source.model: riding.intervals[]": athlete,
    "phone.events.logDrill": athlete, "phone.daily.chat": athlete, "phone.voice": athlete,
  ]

  private static let keys: [String: InputOrigin] = {
    var keys: [String: InputOrigin] = [:]
    for (origin, parent, names) in listed {
      for name in names.split(separator: " ") { keys[parent.isEmpty ? String(name) : "\(parent).\(name)"] = origin }
    }
    return keys
  }()

  /// Keys by the object that has them.
  private static let listed: [(InputOrigin, String, String)] = [
    (.drawn(by: "the sweep's seeds"), "", "seed"),
    (name, "", "scenario about tags saved $schema"), (judge, "", "accepts truth"),
    (athlete, "", "startedAt timeZone flights duration workout workouts phone link uplink units"),
    (athlete, "link", "profile latency supervision toPhone toWatch"), (athlete, "link.toPhone", "latency"),
    (athlete, "link.toWatch", "latency"), (athlete, "uplink", "profile"), (setting, "edge.events", "file"),
    (rest, "edge.failures", "badScript"),
    (nemesis, "", "faults"), (setting, "", "watch replyTimeout plants"),
    (athlete, "workout", "discipline source preparing at startedBy events"),
    (person, "workout", "mode personality runType"),
    (athlete, "workout.source", "model"), (person, "workout.source", "import workout from to trace"),
    (athlete, "workout.source.model", "distance pace pacing hills stops intervals"),
    (person, "workout.source.model", "drift restingHeartRate maximumHeartRate noise"),
    (athlete, "workout.source.model: swimming", "location poolLength distance pace interval rest"),
    (person, "workout.source.model: swimming", "strokeRate restingHeartRate maximumHeartRate noise"),
    (athlete, "workout.source.model: riding", "duration canterShare intervals"),
    (person, "workout.source.model: riding", "walk trot canter noise"),
    (athlete, "workout.source.model: shooting", "ends shots interval scoring"),
    (person, "workout.source.model: shooting", "skill noise"),
    (athlete, "workout.events", "at do pause resume"), (rest, "workout.events", "end talk sendAgain ghost"),
    (rest, "workout.events", probes), (rest, "phone.events", probes),
    (athlete, "phone", "events ingestion daily training voice"), (hands, "phone", "acts"), (hands, "watch", "acts"),
    (setting, "phone", "launchedByMessages durability command"), (setting, "watch", "durability command"),
    (
      athlete, "phone.events",
      "at do endWorkout logMeal editMeal removeMeal syncNow refetchWeek purgeNow setIngestion syncDaily"
    ),
    (
      athlete, "phone.events",
      "backUp replacePhone correctShot scoreRide logDrill addPhoto scanTarget recordWeather removeSession history"
    ),
    (athlete, "phone.events", "mute unmute interrupt interruptionEnd findWatch planWorkout enterResult"),
    (rest, "phone.events", "record wipe startWorkout"), (rest, "phone.events.interruptionEnd", "shouldResume"),
    (rest, "phone.events", "switchWatch unpairWatch pairWatch disableComplication enableComplication"),
    (person, "phone.events.addPhoto", "digest"), (person, "phone.events.scanTarget", "digest groupSize"),
    (person, "phone.events.recordWeather", "windSpeed condition"),
    (athlete, "phone.events", "setRetention updateParser writeChat addTask completeTask chooseVoice"),
    (athlete, "phone.ingestion", "history every failures latency keep calendars samples"),
    (athlete, "phone.daily", "every history meals chat"),
    (athlete, "phone.training", "competition sync"), (person, "phone.training", "athlete horse"),
  ]

  private static let probes =
    "sendMessage updateApplicationContext transferUserInfo transferCurrentComplicationUserInfo transferFile cancelTransfers"

  // MARK: Descriptions

  /// Where the keys of an object in a field are.
  private static func path(of object: ObjectDescription, in parent: String) -> String {
    // The models of other disciplines are forms of one key.
    object.name.contains(": ") ? object.name : parent
  }

  private static func child(_ name: String, of parent: String) -> String {
    guard !parent.isEmpty else { return name == "workouts" ? "workout" : name }
    return "\(parent).\(name)"
  }

  private static func collect(_ object: ObjectDescription, at path: String, into found: inout [String]) {
    guard !object.allowsOthers else { return }
    for field in object.fields { add(field, at: path, into: &found) }
    for form in object.forms {
      if object.hasFormWords, let word = form.first?.value.range { found.append(child(word, of: path)) }
      for field in object.hasFormWords ? form.dropFirst() : form[...] {
        let parent = object.hasFormWords ? child(form[0].value.range, of: path) : path
        add(field, at: parent, into: &found)
      }
    }
  }

  private static func add(_ field: FieldDescription, at path: String, into found: inout [String]) {
    let own = path.isEmpty ? field.name : "\(path).\(field.name)"
    found.append(own)
    for inner in field.value.objects {
      collect(inner, at: Self.path(of: inner, in: child(field.name, of: path)), into: &found)
    }
  }

  private static func described(_ object: ObjectDescription, at path: String) -> ObjectDescription {
    var copy = object
    copy.fields = object.fields.map { described($0, at: path) }
    copy.forms = object.forms.map { form in
      let parent = object.hasFormWords && !form.isEmpty ? child(form[0].value.range, of: path) : path
      return form.enumerated().map { index, field in
        object.hasFormWords && index == 0 ? marked(field, parent) : described(field, at: parent)
      }
    }
    return copy
  }

  private static func described(_ field: FieldDescription, at path: String) -> FieldDescription {
    var copy = marked(field, path.isEmpty ? field.name : "\(path).\(field.name)")
    copy.value = described(field.value, at: child(field.name, of: path))
    return copy
  }

  private static func marked(_ field: FieldDescription, _ path: String) -> FieldDescription {
    var copy = field
    if case .drawn? = of(path), let origin = of(path) { copy.about += " (\(origin.text))" }
    return copy
  }

  private static func described(_ value: ValueDescription, at path: String) -> ValueDescription {
    switch value {
    case .object(let object) where !object.allowsOthers: .object(described(object, at: Self.path(of: object, in: path)))
    case .array(let element, let count): .array(of: described(element, at: path), count: count)
    case .either(let kinds): .either(kinds.map { described($0, at: path) })
    case .named(let name, let inner): .named(name, described(inner, at: path))
    default: value
    }
  }
}
