public import Link

/// Asks what there is to say about a run that is over: the body of `/post-run-summary`.
public struct PostRunSummaryRequest: Sendable, Equatable {
  /// The run.
  public var run: SummarisedRun
  /// The script it was run with.
  public var scriptUsed: UsedScript
  /// What the runner said, and what was answered, in order.
  public var voiceNotes: [SummarisedNote]
  /// Which coach speaks, by name.
  public var personality: String
  /// What is known of the runner.
  public var userMemory: [MemoryFact]

  /// Creates a request.
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
    var members = EdgeMembers()
    members.add("run", run.json)
    members.add("scriptUsed", scriptUsed.json)
    members.add("voiceNotes", voiceNotes.map(\.json))
    members.add("personality", personality)
    members.add("userMemory", userMemory.map(\.json))
    return members.json
  }
}

/// A run that is over, as the phone knows it.
public struct SummarisedRun: Sendable, Equatable {
  /// The run's name.
  public var id: Identifier
  /// Where it took place.
  public var runType: RunType
  /// What it was for.
  public var mode: RunMode
  /// Metres, two decimals, as far as the phone heard; nil where it heard nothing.
  public var distanceMeters: Double?
  /// Seconds without pauses, three decimals, as far as the phone heard; nil where it heard nothing.
  public var durationSeconds: Double?

  /// Creates a run.
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

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("id", id.text)
    members.add("runType", runType.rawValue)
    members.add("mode", mode.rawValue)
    members.add("distanceMeters", distanceMeters)
    members.add("durationSeconds", durationSeconds)
    return members.json
  }
}

/// The script that a run was run with.
public struct UsedScript: Sendable, Equatable {
  /// The script's name; nil where it had none, or there was none.
  public var id: String?
  /// The lines that were spoken, by id, in order.
  public var played: [String]

  /// Creates a script.
  public init(id: String?, played: [String]) {
    self.id = id
    self.played = played
  }

  init?(_ reader: JSONObjectReader) {
    let id = reader.string("id")
    guard let played = reader.strings("played", countMax: 100_000, required: true) else { return nil }
    self.init(id: id, played: played)
  }

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("id", id)
    members.add("played", played)
    return members.json
  }
}

/// What the runner said during a run.
public struct SummarisedNote: Sendable, Equatable {
  /// What was said; nil where it was not understood.
  public var transcript: String?
  /// What was answered; nil for nothing.
  public var reply: String?

  /// Creates a note.
  public init(transcript: String?, reply: String?) {
    self.transcript = transcript
    self.reply = reply
  }

  init(_ reader: JSONObjectReader) {
    self.init(transcript: reader.string("transcript"), reply: reader.string("reply"))
  }

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("transcript", transcript)
    members.add("reply", reply)
    return members.json
  }
}

/// What there is to say about a run.
public struct PostRunSummaryResponse: Sendable, Equatable {
  /// What is kept with the run.
  public var summaryText: String
  /// What was learnt of the runner.
  public var extractedFacts: [ExtractedFact]

  /// Creates a response.
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
    var members = EdgeMembers()
    members.add("summaryText", summaryText)
    members.add("extractedFacts", extractedFacts.map(\.json))
    return members.json
  }
}
