package import Link

/// What a race is to be: a row of the companion store's `RaceSetup`.
package struct RaceSetup: Sendable, Equatable {
  /// How the effort is spread.
  package enum PacingStrategy: String, Sendable, CaseIterable {
    case even, negative, positive, custom
  }

  /// Names the race.
  package var id: Identifier
  /// What the runner calls it.
  package var name: String
  /// Metres, above 0.
  package var distanceMeters: Double
  /// Seconds, above 0.
  package var targetTimeSeconds: Double
  /// How the effort is to be spread; kept for the runner, no rule goes by it.
  package var pacingStrategy: PacingStrategy
  /// Where to eat, in the order in which it was written.
  package var fuelingPlan: [RaceCue]
  /// Where to drink, in the order in which it was written.
  package var hydrationPlan: [RaceCue]
  /// What there is to know of the course; nil for nothing.
  package var notes: String?
  /// The script that was made for it; nil where it has no name.
  package var scriptId: String?
  /// The run it became; nil before the race.
  package var runId: Identifier?

  /// Cues of one plan, at most.
  package static let cueCountMax = 1_000

  /// Creates a race that was not run yet.
  package init(
    id: Identifier, name: String, distanceMeters: Double, targetTimeSeconds: Double,
    pacingStrategy: PacingStrategy = .even, fuelingPlan: [RaceCue] = [], hydrationPlan: [RaceCue] = [],
    notes: String? = nil, scriptId: String? = nil, runId: Identifier? = nil
  ) {
    self.id = id
    self.name = name
    self.distanceMeters = distanceMeters
    self.targetTimeSeconds = targetTimeSeconds
    self.pacingStrategy = pacingStrategy
    self.fuelingPlan = fuelingPlan
    self.hydrationPlan = hydrationPlan
    self.notes = notes
    self.scriptId = scriptId
    self.runId = runId
  }
}

/// A place of a race at which something is to be eaten or drunk.
package struct RaceCue: Sendable, Equatable {
  /// Where: one of the positional triggers, so that it needs nothing but the run itself.
  package enum Place: Sendable, Equatable {
    /// Once, so many metres from the start.
    case atMeters(Double)
    /// Again and again, after so many metres each.
    case everyMeters(Double)
    /// Once, so many seconds of the run's time from the start.
    case atSeconds(Double)
  }

  /// Where.
  package var place: Place
  /// What is said there; holds at least one word.
  package var text: String

  /// Creates a cue.
  package init(_ place: Place, text: String) {
    self.place = place
    self.text = text
  }

  /// As the store and a scenario have it: `{ "atMeters": 5000, "text": "..." }`.
  package var json: JSONValue {
    let (key, number) =
      switch place {
      case .atMeters(let meters): ("atMeters", meters)
      case .everyMeters(let meters): ("everyMeters", meters)
      case .atSeconds(let seconds): ("atSeconds", seconds)
      }
    let value: JSONValue = Int64(exactly: number).map { .integer($0) } ?? .number(number)
    return .object([JSONMember(key, value), JSONMember("text", .string(text))])
  }

  /// Reads a cue; nil after reporting what is wrong.
  package init?(_ reader: JSONObjectReader) {
    let keys = ["atMeters", "everyMeters", "atSeconds"].filter { reader.has($0) }
    let text = reader.string("text", required: true)
    // Each is read, so that no key of a cue is called unknown.
    let meters = reader.number("atMeters", in: 1...1_000_000)
    let every = reader.number("everyMeters", in: 1...1_000_000)
    let seconds = reader.number("atSeconds", in: 1...172_800)
    guard keys.count == 1 else {
      reader.error(
        "found \(keys.isEmpty ? "no place" : keys.joined(separator: " and ")), "
          + "expected one of atMeters, everyMeters, atSeconds")
      return nil
    }
    guard let text else { return nil }
    guard SpeechLength.words(in: text) > 0 else {
      reader.error("text: found no word, expected what is to be said")
      return nil
    }
    if let meters {
      place = .atMeters(meters)
    } else if let every {
      place = .everyMeters(every)
    } else if let seconds {
      place = .atSeconds(seconds)
    } else {
      return nil
    }
    self.text = text
  }

  /// A plan as the store has it.
  package static func text(_ plan: [RaceCue]) -> String {
    String(decoding: JSONWriter.compact(JSONNode(.array(plan.map { JSONNode($0.json) }))), as: UTF8.self)
  }

  /// Reads a plan of the store; nil for what is none.
  package static func plan(_ text: String) -> [RaceCue]? {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .array(let elements) = node.value else {
      return nil
    }
    let collector = DiagnosticsCollector(file: "plan")
    let plan = elements.compactMap { JSONObjectReader($0, into: collector).flatMap { RaceCue($0) } }
    return collector.diagnostics.hasErrors ? nil : plan
  }
}
