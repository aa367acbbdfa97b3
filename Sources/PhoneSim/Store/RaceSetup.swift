package import CoachProtocol
package import Link

/// A planned race: a row of the companion store's `RaceSetup`.
package struct RaceSetup: Sendable, Equatable {
  package var id: Identifier
  package var name: String
  /// Metres, above 0.
  package var distanceMeters: Double
  /// Seconds, above 0.
  package var targetTimeSeconds: Double
  /// The intended pacing, of the plan that the race brings.
  package var pacingStrategy: PacingStrategy = .even
  /// Where to eat, in the order of writing.
  package var fuelingPlan: [RaceCue] = []
  /// Where to drink, in the order of writing.
  package var hydrationPlan: [RaceCue] = []
  /// Notes about the course, if any.
  package var notes: String?
  /// Nil if the script has no id.
  package var scriptId: String?
  /// The run it became; nil before the race.
  package var runId: Identifier?

  package static let cueCountMax = 1_000
}

extension RaceSetup {
  /// How a scenario's `race` is read, written and described.
  package static let schema = ObjectSchema<Self>(
    "race", "A race: a row of the companion store, and lines of the script that are all local.",
    Self(id: id(of: ""), name: "", distanceMeters: 1, targetTimeSeconds: 1),
    [
      Field("name", \.name, .string(bytes: 0...200), "what the athlete calls it", .required),
      Field(
        "distanceMeters", \.distanceMeters, .number(1...1_000_000, unit: "metres"),
        "its length; the plan's distance, where there is no plan", .required),
      Field(
        "targetTimeSeconds", \.targetTimeSeconds, .number(1...172_800, unit: "seconds"),
        "the plan's time, where there is no plan", .required),
      Field("pacingStrategy", \.pacingStrategy, .word, "the plan's pacing, where there is no plan").omittedAtDefault,
      Field("fuelingPlan", \.fuelingPlan, cues, "where to eat").omittedAtDefault,
      Field("hydrationPlan", \.hydrationPlan, cues, "where to drink").omittedAtDefault,
      Field("notes", \.notes, .string(bytes: 0...10_000), "remarks on the course"),
    ]
  ) { race, _ in
    race.id = id(of: race.name)
    return true
  }

  private static let cues = ValueSchema<[RaceCue]>.array(of: .object(RaceCue.schema), count: 0...cueCountMax)

  private static func id(of name: String) -> Identifier {
    Identifier(RandomStream(seed: 0, name: "race.\(name)"), for: 1)
  }
}

/// A point of a race at which the athlete should eat or drink.
package struct RaceCue: Sendable, Equatable {
  /// A positional trigger, which needs nothing but the run itself.
  package enum Point: Sendable, Equatable {
    /// Once, this many metres from the start.
    case atMeters(Double)
    /// At each multiple of a number of metres.
    case everyMeters(Double)
    /// Once, at this elapsed time in seconds.
    case atSeconds(Double)
  }

  package var point: Point
  /// What is said; at least one word.
  package var text: String

  package init(_ point: Point, text: String) {
    self.point = point
    self.text = text
  }

  /// As in the store and in a scenario: `{ "atMeters": 5000, "text": "..." }`.
  package static let schema = ObjectSchema<Self>(
    "raceCue", "A cue of a race: its point, one of three, and its text. The watch taps, too.",
    Self(.atMeters(1), text: ""),
    [
      Field(
        "atMeters", \.atMeters, .number(1...1_000_000, unit: "metres"), "once, at this distance from the start",
        .otherwise("none")),
      Field(
        "everyMeters", \.everyMeters, .number(1...1_000_000, unit: "metres"),
        "repeatedly, at each multiple of this distance"),
      Field(
        "atSeconds", \.atSeconds, .number(1...172_800, unit: "seconds"), "once, at this time of the run"),
      Field("text", \.text, .string(bytes: 1 ... .max), "what is said; a word at least", .required),
    ]
  ) { cue, reader in
    let keys = ["atMeters", "everyMeters", "atSeconds"].filter { reader.has($0) }
    guard keys.count == 1 else {
      reader.error(
        "found \(keys.isEmpty ? "no place" : keys.joined(separator: " and ")), "
          + "expected one of atMeters, everyMeters, atSeconds")
      return false
    }
    if SpeechLength.wordCount(in: cue.text) > 0 { return true }
    reader.error("text: found no word, expected what is to be said")
    return false
  }

  private var atMeters: Double? {
    get { if case .atMeters(let meters) = point { meters } else { nil } }
    set { if let newValue { point = .atMeters(newValue) } }
  }

  private var everyMeters: Double? {
    get { if case .everyMeters(let meters) = point { meters } else { nil } }
    set { if let newValue { point = .everyMeters(newValue) } }
  }

  private var atSeconds: Double? {
    get { if case .atSeconds(let seconds) = point { seconds } else { nil } }
    set { if let newValue { point = .atSeconds(newValue) } }
  }
}

extension RaceSetup: StoredRow, PhoneRow {
  static let table = StoredTable(
    "RaceSetup", blank: RaceSetup(id: .blank, name: "", distanceMeters: 1, targetTimeSeconds: 1),
    [
      StoredColumn("id", \.id), StoredColumn("name", \.name),
      StoredColumn("distanceMeters", \.distanceMeters, in: 0...Trail.distanceMax, .positive),
      StoredColumn("targetTimeSeconds", \.targetTimeSeconds, in: 0...Trail.distanceMax, .positive),
      StoredColumn("pacingStrategy", \.pacingStrategy), StoredColumn("fuelingPlan", \.fuelingPlan),
      StoredColumn("hydrationPlan", \.hydrationPlan), StoredColumn("notes", \.notes),
      StoredColumn("scriptId", \.scriptId), StoredColumn("runId", \.runId, references: "Run"),
    ])
  static var inRecord: Place { \.races }
  var rowKey: Identifier { id }
}

/// A plan is stored as JSON.
extension [RaceCue]: ColumnValue {
  static var kind: StoredValue.Kind { .text }
  var cell: StoredValue {
    .text(JSONValue.array(map { JSONNode(.object(RaceCue.schema.members(of: $0))) }).compactText)
  }
  init?(cell: StoredValue) {
    guard case .text(let text) = cell, let node = try? JSONParser.parse(text, dialect: .json),
      case .array(let elements) = node.value
    else { return nil }
    let collector = DiagnosticsCollector(file: "plan")
    self = elements.compactMap { JSONObjectReader($0, into: collector).flatMap { RaceCue.schema.read($0) } }
    if collector.diagnostics.hasErrors { return nil }
  }
}
