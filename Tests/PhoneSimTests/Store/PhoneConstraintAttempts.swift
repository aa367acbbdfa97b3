import CoachProtocol
import Foundation
import Link

@testable import PhoneSim

/// A change for each constraint of the phone's tables that a change can violate.
enum PhoneConstraintAttempts {
  struct Attempt {
    /// What is stored before.
    var before: [PhoneChange]
    var change: PhoneChange

    init(_ change: RareChange) { self.init([], change) }

    init(_ before: [RareChange], _ change: RareChange) {
      self.before = before.map { .rare($0) }
      self.change = .rare(change)
    }

    init(_ before: [RareChange], heard: HeardSnapshot) {
      self.before = before.map { .rare($0) }
      change = .heard(heard)
    }

    /// The same on the second phone.
    var onSecond: Self {
      var copy = self
      if case .rare(.training(let change)) = change { copy.change = .rare(.secondTraining(change)) }
      copy.before = before.map {
        if case .rare(.training(let change)) = $0 { .rare(.secondTraining(change)) } else { $0 }
      }
      return copy
    }
  }

  /// Tables whose rows are replaced, or numbered by the store.
  private static let replaced: Set<String> = [
    "Run", "PlayedMessage", "UnheardMessage", "AppState", "Belief", "Trail", "Freshness", "ScriptPosition",
    "LinePosition", "Script", "ScriptMessage", "AICache", "RaceSetup", "AppleDataFailure", "measures",
    "measuredActions", "IngestionState", "NutritionEntry", "DailyAggregate", "DailyState", "TrainingReport",
    "MealBackup", "RemovedSession", "SyncRow", "SyncQueue", "SyncState", "ChatMessage", "UserMemory",
  ]

  /// Columns that a statement takes from the row it refers to, or that it writes with it.
  private static let derived: Set<String> = [
    "UnheardMessage.place REFERENCES PlayedMessage", "ScriptMessage.script REFERENCES Script",
    "AppleDataFailure.id REFERENCES appledata", "measuredActions.measureId REFERENCES measures",
    "actions UNIQUE (title)",
    "appledata UNIQUE (sourceSDK, dataType, startDate)",
  ]

  /// Real columns that are required, and that a phone computes.
  private static let reals: Set<String> = [
    "Trail.distance", "Script.graceMeters", "Script.graceSeconds", "UserMemory.confidence",
    "RaceSetup.distanceMeters", "RaceSetup.targetTimeSeconds", "measuredActions.value",
  ]

  /// The name of a constraint without the second phone's prefix.
  static func plain(_ name: String) -> String {
    let other = " REFERENCES \(PhoneTables.secondPrefix)"
    let own = name.hasPrefix(PhoneTables.secondPrefix) ? String(name.dropFirst(PhoneTables.secondPrefix.count)) : name
    return own.replacingOccurrences(of: other, with: " REFERENCES ")
  }

  /// Whether the types, or the statements, rule out that a change violates a constraint.
  static func isImpossible(_ name: String) -> Bool {
    let plain = Self.plain(name)
    let table = String(plain.prefix { $0 != "." && $0 != " " })
    let isTraining = TrainingCatalog.all.contains { $0.name == table }
    if plain.hasSuffix(" NOT NULL") { return !reals.contains(String(plain.dropLast(9))) }
    // Words of an enum, flags, the one row, the two phones, and what the store counts.
    if plain.contains(" IN (") || plain.contains("CHECK (id = 1)") || plain.contains("CHECK (number > 0)") {
      return true
    }
    if plain.hasSuffix(" PRIMARY KEY") { return replaced.contains(table) || isTraining }
    return derived.contains(plain)
  }

  // MARK: Rows

  static func id(_ number: UInt64) -> Identifier { Identifier(high: 7, low: number) }

  private static func run(_ effort: Int? = nil) -> RunRow {
    var run = RunRow(
      id: id(1), startedAt: WatchTime(nanoseconds: 5), runType: .outdoor, mode: .free, personality: "calm")
    run.perceivedEffort = effort
    return run
  }

  private static func note(_ number: UInt64, reply: String? = nil) -> VoiceNote {
    VoiceNote(id: id(number), runId: nil, recordedAt: 0, transcript: nil, status: .pending, aiReplyId: reply)
  }

  private static func pending(_ number: UInt64) -> PendingTranscription {
    PendingTranscription(noteId: id(number), runId: nil, says: nil, outcome: .done)
  }

  private static func reply(_ number: UInt64, to note: UInt64 = 1) -> AIReply {
    AIReply(
      id: id(number), noteId: id(note), text: "", requestedAt: .start, respondedAt: nil, playedAt: nil, model: "m",
      costUSD: nil)
  }

  private static func waiting(_ number: UInt64) -> WaitingReply {
    WaitingReply(id: id(number), words: 1, arrivedAt: .start, dueSince: 0)
  }

  private static func request(_ number: UInt64) -> AIRequest {
    AIRequest(
      id: id(number), call: .chatReply, runId: id(1), noteId: nil, body: "", digest: "", requestedAt: .start,
      attempt: 1, retryAt: nil)
  }

  private static func fact(_ confidence: Double) -> UserMemory {
    let fact = MemoryFact(kind: .fact, key: "k", value: .null, confidence: confidence, source: .user)
    return UserMemory(id: id(1), fact: fact, updatedAt: 0)
  }

  private static func race(_ meters: Double = 5, _ seconds: Double = 5, run: Identifier? = nil) -> RaceSetup {
    var race = RaceSetup(id: id(1), name: "r", distanceMeters: meters, targetTimeSeconds: seconds)
    race.runId = run
    return race
  }

  private static func script(meters: Double = 0, seconds: Double = 0, run: String? = nil) -> Script {
    Script(runId: run, grace: Grace(meters: meters, seconds: seconds), messages: [])
  }

  private static func row(_ number: UInt64, day: Int64 = 3) -> AppleDataRow {
    AppleDataRow(
      id: id(number), day: LocalDay(day), offset: 0, endOffset: 0, fetchedAt: 0, rawJSON: "[]",
      digest: Digest.prefix(Array("[]".utf8)), byteCount: 2, logTime: 0, purgeAfter: nil, type: .calories)
  }

  private static func parsed(day: Int64 = 3, action: UInt64, _ value: Double = 1) -> RareChange {
    .ingestion(
      .parsed(
        row(1, day: day).key, at: 0, action: id(action),
        values: [MeasuredValue(measure: .caloriesBurned, value: value)]))
  }

  private static func meal(_ calories: Int, _ protein: Int, carbs: Int = 0, fat: Int = 0) -> NutritionEntry {
    NutritionEntry(
      id: id(1), date: 0, day: LocalDay(3), name: "m", calories: calories, protein: protein, carbs: carbs, fat: fat)
  }

  static let meal = meal(1, 1)

  private static func heard() -> HeardSnapshot {
    HeardSnapshot(
      epoch: Epoch(1), seq: SequenceNumber(1), arrivedAt: .start, sentAt: WatchTime(nanoseconds: 0), elapsed: 1,
      distance: .nan, isBelieved: true, isOfRun: true, isJudged: false)
  }

  /// A row of a table with required values, and a reference to a row that is missing.
  private static func row(of entity: TrainingEntity, referring column: String?) -> TrainingRow {
    var values: [String: StoredValue] = [:]
    for column in entity.columns where !column.isOptional {
      values[column.name] =
        switch column.kind {
        case .integer(let bounds): .integer(bounds.lowerBound)
        case .real(let bounds): .real(bounds.lowerBound)
        case .text: .text("")
        case .json: .text("null")
        case .word(let words): .text(words[0])
        case .date: .integer(0)
        case .identifier, .reference: .text(id(9).text)
        }
    }
    if let column { values[column] = .text(id(99).text) }
    return TrainingRow(entity.name, id(1), values)
  }

  // MARK: Attempts

  static let all: [String: Attempt] = {
    let noted = RareChange.noteStored(note(1), pending(1))
    let replied = RareChange.replyStored(reply(1), waiting(1))
    let staged = RareChange.ingestion(.staged(row(1)))
    var aggregate = DailyAggregate(day: LocalDay(3), revision: 0, syncedRevision: 0)
    aggregate.revision = 0
    var all: [String: Attempt] = [:]
    all["Run CHECK (perceivedEffort BETWEEN 1 AND 10)"] = Attempt(.runOpened(run(11)))
    all["Trail.distance NOT NULL"] = Attempt([.runOpened(run())], heard: heard())
    all["PlayedMessage.runId REFERENCES Run"] = Attempt(
      .played(PlayedMessage(messageId: "m", playedAt: .start, runId: id(1), wasInterrupted: false)))
    all["VoiceNote PRIMARY KEY"] = Attempt([noted], .noteStored(note(1), pending(2)))
    all["VoiceNote.aiReplyId REFERENCES AiReply"] = Attempt(.noteStored(note(1, reply: id(9).text), pending(1)))
    all["PendingTranscription PRIMARY KEY"] = Attempt([noted], .noteStored(note(2), pending(1)))
    all["PendingTranscription.noteId REFERENCES VoiceNote"] = Attempt(.noteStored(note(1), pending(2)))
    all["AIRequest PRIMARY KEY"] = Attempt(
      [.asked(request(1), replacing: nil), .asked(request(2), replacing: nil)], .asked(request(1), replacing: id(2)))
    all["AiReply PRIMARY KEY"] = Attempt([noted, replied], .replyStored(reply(1), nil))
    all["AiReply.voiceNoteId REFERENCES VoiceNote"] = Attempt(replied)
    all["WaitingReply PRIMARY KEY"] = Attempt([noted, replied], .replyStored(reply(2), waiting(1)))
    all["WaitingReply.replyId REFERENCES AiReply"] = Attempt([noted], .replyStored(reply(1), waiting(2)))
    all["Script.graceMeters NOT NULL"] = Attempt(.scriptStored(script(meters: .nan), source: .edge))
    all["Script.graceSeconds NOT NULL"] = Attempt(.scriptStored(script(seconds: .nan), source: .edge))
    all["Script.runId REFERENCES Run"] = Attempt(.scriptStored(script(run: id(1).text), source: .edge))
    all["UserMemory.confidence NOT NULL"] = Attempt(.remembered(fact(.nan)))
    all["UserMemory CHECK (confidence BETWEEN 0 AND 1)"] = Attempt(.remembered(fact(1.5)))
    all["RaceSetup.distanceMeters NOT NULL"] = Attempt(.raceStored(race(.nan)))
    all["RaceSetup.targetTimeSeconds NOT NULL"] = Attempt(.raceStored(race(5, .nan)))
    all["RaceSetup CHECK (distanceMeters > 0)"] = Attempt(.raceStored(race(0)))
    all["RaceSetup CHECK (targetTimeSeconds > 0)"] = Attempt(.raceStored(race(5, -1)))
    all["RaceSetup.runId REFERENCES Run"] = Attempt(.raceStored(race(run: id(1))))
    all["appledata PRIMARY KEY"] = Attempt([staged], .ingestion(.staged(row(1, day: 4))))
    all["actions PRIMARY KEY"] = Attempt(
      [staged, .ingestion(.staged(row(2, day: 4))), parsed(action: 1)], parsed(day: 4, action: 1))
    all["measuredActions.actionId REFERENCES actions"] = Attempt([staged, parsed(action: 1)], parsed(action: 2))
    all["measuredActions.value NOT NULL"] = Attempt([staged], parsed(action: 1, .nan))
    all["NutritionEntry CHECK (calories >= 0)"] = Attempt(.daily(.logged(meal(-1, 0))))
    all["NutritionEntry CHECK (protein >= 0)"] = Attempt(.daily(.logged(meal(0, -1))))
    all["NutritionEntry CHECK (carbs >= 0)"] = Attempt(.daily(.logged(meal(0, 0, carbs: -1))))
    all["NutritionEntry CHECK (fat >= 0)"] = Attempt(.daily(.logged(meal(0, 0, fat: -1))))
    all["DailyAggregate CHECK (revision > 0)"] = Attempt(.daily(.aggregated(aggregate)))
    for entity in TrainingCatalog.all {
      for column in entity.columns {
        guard case .reference(let table, _) = column.kind else { continue }
        all["\(entity.name).\(column.name) REFERENCES \(table)"] = Attempt(
          .training(.row(row(of: entity, referring: column.name))))
      }
    }
    let parents = ["ride", "runningSession", "swimmingSession"].map { "(\($0) IS NOT NULL)" }
    all["GPSPoint CHECK (\(parents.joined(separator: " + ")) = 1)"] = Attempt(
      .training(.row(row(of: .gpsPoint, referring: nil))))
    return all
  }()
}
