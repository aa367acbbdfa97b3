package import Link

/// A planned race: a row of the companion store's `RaceSetup`.
package struct RaceSetup: Sendable, Equatable {
  package enum PacingStrategy: String, Sendable, CaseIterable {
    case even, negative, positive, custom
  }

  package var id: Identifier
  package var name: String
  /// Metres, above 0.
  package var distanceMeters: Double
  /// Seconds, above 0.
  package var targetTimeSeconds: Double
  /// The intended pacing; stored for the runner, no rule depends on it.
  package var pacingStrategy: PacingStrategy
  /// Where to eat, in the order of writing.
  package var fuelingPlan: [RaceCue]
  /// Where to drink, in the order of writing.
  package var hydrationPlan: [RaceCue]
  /// Notes about the course; nil for none.
  package var notes: String?
  /// Nil if the script has no id.
  package var scriptId: String?
  /// The run it became; nil before the race.
  package var runId: Identifier?

  package static let cueCountMax = 1_000

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

/// A point of a race at which the runner should eat or drink.
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
  package var json: JSONValue {
    let (key, number) =
      switch point {
      case .atMeters(let meters): ("atMeters", meters)
      case .everyMeters(let meters): ("everyMeters", meters)
      case .atSeconds(let seconds): ("atSeconds", seconds)
      }
    let value: JSONValue = Int64(exactly: number).map { .integer($0) } ?? .number(number)
    return .object([JSONMember(key, value), JSONMember("text", .string(text))])
  }

  /// Reads a cue; nil after reporting errors.
  package init?(_ reader: JSONObjectReader) {
    let keys = ["atMeters", "everyMeters", "atSeconds"].filter { reader.has($0) }
    let text = reader.string("text", required: true)
    // All three are read, so that none is reported as unknown.
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
    guard SpeechLength.wordCount(in: text) > 0 else {
      reader.error("text: found no word, expected what is to be said")
      return nil
    }
    if let meters {
      point = .atMeters(meters)
    } else if let every {
      point = .everyMeters(every)
    } else if let seconds {
      point = .atSeconds(seconds)
    } else {
      return nil
    }
    self.text = text
  }

  /// A plan as stored text.
  package static func text(_ plan: [RaceCue]) -> String {
    String(decoding: JSONWriter.compact(JSONNode(.array(plan.map { JSONNode($0.json) }))), as: UTF8.self)
  }

  /// Reads a stored plan; nil if the text is not a plan.
  package static func plan(_ text: String) -> [RaceCue]? {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .array(let elements) = node.value else {
      return nil
    }
    let collector = DiagnosticsCollector(file: "plan")
    let plan = elements.compactMap { JSONObjectReader($0, into: collector).flatMap { RaceCue($0) } }
    return collector.diagnostics.hasErrors ? nil : plan
  }
}
