public import Link

/// The body of a `/post-run-summary` request.
public struct PostRunSummaryRequest: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "PostRunSummaryRequest", "Asks for a summary.",
    Self(
      run: SummarisedRun(id: Identifier(high: 0, low: 0), runType: .outdoor, mode: .free),
      scriptUsed: UsedScript(id: nil, played: []), voiceNotes: [], personality: "", userMemory: []),
    [
      Field("run", \.run, .shape, "the finished run", .required),
      Field("scriptUsed", \.scriptUsed, .shape, "its script", .required),
      Field("voiceNotes", \.voiceNotes, .array(of: .shape, count: 0...1_000), "with the replies, in order", .required),
      Field("personality", \.personality, .string, "the coach's name", .required),
      Field(
        "userMemory", \.userMemory, .array(of: .shape, count: 0...MemoryFact.countMax), "facts about the athlete",
        .required),
    ])
}

/// A finished run as the phone knows it.
public struct SummarisedRun: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "SummarisedRun", "A finished run.", Self(id: Identifier(high: 0, low: 0), runType: .outdoor, mode: .free),
    [
      Field("id", \.id, .identifier, "its id", .required),
      Field("runType", \.runType, .word, "where it was run", .required),
      Field("mode", \.mode, .word, "what it was run for", .required),
      Field("distanceMeters", \.distanceMeters, .number(0...1e9), "of the last snapshot"),
      Field("durationSeconds", \.durationSeconds, .number(0...1e9), "of the last snapshot, without pauses"),
    ])
}

/// The script of a run.
public struct UsedScript: EdgeShape {
  /// Nil if it had no id, or there was no script.
  public var id: String?
  /// Ids of the spoken lines, in order.
  public var played: [String]

  public init(id: String?, played: [String]) {
    self.id = id
    self.played = played
  }

  public static let schema = ObjectSchema<Self>(
    "UsedScript", "The script of a run.", Self(id: nil, played: []),
    [
      Field("id", \.id, .string, "absent without a script"),
      Field("played", \.played, .strings(countMax: 100_000), "ids of the spoken lines, in order", .required),
    ])
}

/// A note of the athlete.
public struct SummarisedNote: EdgeShape {
  /// Nil if the transcription failed.
  public var transcript: String?
  /// The coach's reply, if any.
  public var reply: String?

  public init(transcript: String?, reply: String?) {
    self.transcript = transcript
    self.reply = reply
  }

  public static let schema = ObjectSchema<Self>(
    "SummarisedNote", "A note of the athlete.", Self(transcript: nil, reply: nil),
    [
      Field("transcript", \.transcript, .string, "absent if the transcription failed"),
      Field("reply", \.reply, .string, "the coach's reply"),
    ])
}

/// The body of a `/post-run-summary` response.
public struct PostRunSummaryResponse: EdgeShape {
  public var summaryText: String
  public var extractedFacts: [ExtractedFact]

  public init(summaryText: String, extractedFacts: [ExtractedFact]) {
    self.summaryText = summaryText
    self.extractedFacts = extractedFacts
  }

  public static let schema = ObjectSchema<Self>(
    "PostRunSummaryResponse", "A summary.", Self(summaryText: "", extractedFacts: []),
    [
      Field("summaryText", \.summaryText, .string, "the summary", .required),
      Field(
        "extractedFacts", \.extractedFacts, .array(of: .shape, count: 0...ExtractedFact.countMax),
        "what it says about the athlete", .required),
    ])
}
