import CoachProtocol
import Link
import PhoneSim

extension Scenario {
  /// Reads `run` and `race`.
  mutating func takeRun(_ reader: JSONObjectReader) {
    reader.object("run") { run in
      remarks.label = Self.text(run, "label", bytesMax: 200)
      remarks.userNotes = Self.text(run, "userNotes", bytesMax: 10_000)
      remarks.perceivedEffort = run.integer("perceivedEffort", in: 1...10).map { Int($0) }
      return ()
    }
    race = reader.object("race") { Self.race($0) }
    guard let race else { return }
    if workout.mode != .race {
      reader.error("race: a race is run in the mode \"race\", expected workout.mode: \"race\"")
    }
    if plan == Plan() { plan = Plan(distance: race.distanceMeters, time: race.targetTimeSeconds) }
  }

  /// Adds the race's lines to the script, once it is read.
  mutating func makeRaceScript(_ reader: JSONObjectReader) {
    guard let race else { return }
    let ids = Set(script.messages.map(\.id))
    if let taken = RaceScript.cues(of: race).first(where: { ids.contains($0.id) }) {
      return reader.error("script: the id \"\(taken.id)\" is one of the race's own, expected another beside a race")
    }
    script = RaceScript.make(script, race: race)
  }

  private static func race(_ reader: JSONObjectReader) -> RaceSetup? {
    let name = text(reader, "name", bytesMax: 200, required: true)
    let distance = reader.number("distanceMeters", in: 1...1_000_000, required: true)
    let time = reader.number("targetTimeSeconds", in: 1...172_800, required: true)
    let strategy = reader.oneOf("pacingStrategy", RaceSetup.PacingStrategy.self)
    let fueling = cues(reader, "fuelingPlan")
    let hydration = cues(reader, "hydrationPlan")
    let notes = text(reader, "notes", bytesMax: 10_000)
    guard let name, let distance, let time else { return nil }
    return RaceSetup(
      id: Identifier(RandomStream(seed: 0, name: "race.\(name)"), for: 1), name: name, distanceMeters: distance,
      targetTimeSeconds: time, pacingStrategy: strategy ?? .even, fuelingPlan: fueling, hydrationPlan: hydration,
      notes: notes)
  }

  private static func cues(_ reader: JSONObjectReader, _ key: String) -> [RaceCue] {
    (reader.array(key, countMax: RaceSetup.cueCountMax) ?? []).compactMap { element in
      guard let object = element.object() else { return nil }
      let cue = RaceCue(object)
      object.finish()
      return cue
    }
  }

  private static func text(
    _ reader: JSONObjectReader, _ key: String, bytesMax: Int, required: Bool = false
  ) -> String? {
    guard let text = reader.string(key, required: required) else { return nil }
    guard text.utf8.count <= bytesMax else {
      reader.error("\(key): found \(text.utf8.count) bytes, expected at most \(bytesMax)")
      return nil
    }
    return text
  }
}
