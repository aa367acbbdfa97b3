public import Link

/// The body of a `/post-run-summary` request.
public struct PostRunSummaryRequest: Sendable, Equatable {
  public var run: SummarisedRun
  public var scriptUsed: UsedScript
  /// The athlete's notes with the coach's replies, in order.
  public var voiceNotes: [SummarisedNote]
  /// The coach's name.
  public var personality: String
  /// Facts about the athlete.
  public var userMemory: [MemoryFact]

  public init(
    run: SummarisedRun, scriptUsed: UsedScript, voiceNotes: [SummarisedNote], personality: String,
    userMemory: [MemoryFact]
  ) {
    self.run = run
    self.scriptUsed = scriptUsed
    self.voiceNotes = voiceNotes
    self.personality = personality
    self.userMemory = userMemory
  }
}

extension PostRunSummaryRequest: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let run = reader.object("run", required: true) { SummarisedRun($0) }
    let script = reader.object("scriptUsed", required: true) { UsedScript($0) }
    let notes = reader.list("voiceNotes", countMax: 1000, required: true) { SummarisedNote($0) }
    let personality = reader.string("personality", required: true)
    let userMemory = reader.list("userMemory", countMax: MemoryFact.countMax, required: true) { MemoryFact($0) }
    reader.finish()
    guard let run, let script, let notes, let personality, let userMemory else { return nil }
    self.init(run: run, scriptUsed: script, voiceNotes: notes, personality: personality, userMemory: userMemory)
  }

  public var json: JSONValue {
    .object(of: [
      "run": run, "scriptUsed": scriptUsed, "voiceNotes": voiceNotes, "personality": personality,
      "userMemory": userMemory,
    ])
  }
}

/// A finished run as the phone knows it.
public struct SummarisedRun: Sendable, Equatable, JSONConvertible {
  public var id: Identifier
  public var runType: RunType
  public var mode: RunMode
  /// Metres, two decimals, according to the last snapshot; nil without one.
  public var distanceMeters: Double?
  /// Seconds without pauses, three decimals, according to the last snapshot; nil without one.
  public var durationSeconds: Double?

  public init(
    id: Identifier, runType: RunType, mode: RunMode, distanceMeters: Double? = nil, durationSeconds: Double? = nil
  ) {
    self.id = id
    self.runType = runType
    self.mode = mode
    self.distanceMeters = distanceMeters
    self.durationSeconds = durationSeconds
  }

  init?(_ reader: JSONObjectReader) {
    let id = reader.identifier("id")
    let runType = reader.oneOf("runType", RunType.self, required: true)
    let mode = reader.oneOf("mode", RunMode.self, required: true)
    let distance = reader.number("distanceMeters", in: 0...1e9)
    let duration = reader.number("durationSeconds", in: 0...1e9)
    guard let id, let runType, let mode else { return nil }
    self.init(id: id, runType: runType, mode: mode, distanceMeters: distance, durationSeconds: duration)
  }

  package var json: JSONValue {
    .object(of: [
      "id": id.text, "runType": runType.rawValue, "mode": mode.rawValue, "distanceMeters": distanceMeters,
      "durationSeconds": durationSeconds,
    ])
  }
}

/// The script of a run.
public struct UsedScript: Sendable, Equatable, JSONConvertible {
  /// Nil if it had no id, or there was no script.
  public var id: String?
  /// Ids of the spoken lines, in order.
  public var played: [String]

  public init(id: String?, played: [String]) {
    self.id = id
    self.played = played
  }

  init?(_ reader: JSONObjectReader) {
    let id = reader.string("id")
    guard let played = reader.strings("played", countMax: 100_000, required: true) else { return nil }
    self.init(id: id, played: played)
  }

  package var json: JSONValue {
    .object(of: ["id": id, "played": played])
  }
}

/// A note of the athlete.
public struct SummarisedNote: Sendable, Equatable, JSONConvertible {
  /// Nil if the transcription failed.
  public var transcript: String?
  /// The coach's reply, if any.
  public var reply: String?

  public init(transcript: String?, reply: String?) {
    self.transcript = transcript
    self.reply = reply
  }

  init(_ reader: JSONObjectReader) {
    self.init(transcript: reader.string("transcript"), reply: reader.string("reply"))
  }

  package var json: JSONValue {
    .object(of: ["transcript": transcript, "reply": reply])
  }
}

/// The body of a `/post-run-summary` response.
public struct PostRunSummaryResponse: Sendable, Equatable {
  public var summaryText: String
  public var extractedFacts: [ExtractedFact]

  public init(summaryText: String, extractedFacts: [ExtractedFact]) {
    self.summaryText = summaryText
    self.extractedFacts = extractedFacts
  }
}

extension PostRunSummaryResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let text = reader.string("summaryText", required: true)
    let facts = reader.list("extractedFacts", countMax: ExtractedFact.countMax, required: true) { ExtractedFact($0) }
    reader.finish()
    guard let text, let facts else { return nil }
    self.init(summaryText: text, extractedFacts: facts)
  }

  public var json: JSONValue {
    .object(of: ["summaryText": summaryText, "extractedFacts": extractedFacts])
  }
}
