public import Link

/// The body of a `/generate-script` request.
public struct GenerateScriptRequest: EdgeShape {
  /// The athlete's goal as text.
  public var goal: String
  /// Planned kilometres; 0 if no distance is planned.
  public var distanceKm: Double
  /// Planned pace in seconds per kilometre; nil without one.
  public var targetPaceSecPerKm: Double?
  /// The coach's name.
  public var personality: String
  public var settings: CoachSettings
  /// Facts about the athlete.
  public var userMemory: [MemoryFact]
  /// Summaries of earlier runs, oldest first.
  public var recentRunSummaries: [String]

  public init(
    goal: String, distanceKm: Double, targetPaceSecPerKm: Double? = nil, personality: String,
    settings: CoachSettings, userMemory: [MemoryFact] = [], recentRunSummaries: [String] = []
  ) {
    self.goal = goal
    self.distanceKm = distanceKm
    self.targetPaceSecPerKm = targetPaceSecPerKm
    self.personality = personality
    self.settings = settings
    self.userMemory = userMemory
    self.recentRunSummaries = recentRunSummaries
  }

  public static let schema = ObjectSchema<Self>(
    "GenerateScriptRequest", "Asks for a script.",
    Self(goal: "", distanceKm: 0, personality: "", settings: CoachSettings(runType: .outdoor, mode: .free)),
    [
      Field("goal", \.goal, .string, "as text", .required),
      Field("distanceKm", \.distanceKm, .number(0...1e6), "0 if no distance is planned", .required),
      Field("targetPaceSecPerKm", \.targetPaceSecPerKm, .number(0...1e9), "the planned pace"),
      Field("personality", \.personality, .string, "the coach's name", .required),
      Field("settings", \.settings, .shape, "the kind of run", .required),
      Field(
        "userMemory", \.userMemory, .array(of: .shape, count: 0...MemoryFact.countMax), "facts about the athlete",
        .required),
      Field("recentRunSummaries", \.recentRunSummaries, .strings(countMax: 100), "oldest first", .required),
    ])
}

/// The kind of run, and what was wrong with the previous script.
public struct CoachSettings: EdgeShape {
  public var runType: RunType
  public var mode: RunMode
  /// The validator's errors in the previous script, each with its path; empty the first time.
  public var refusals: [String]

  public static let refusalCountMax = 100

  public init(runType: RunType, mode: RunMode, refusals: [String] = []) {
    self.runType = runType
    self.mode = mode
    self.refusals = refusals
  }

  public static let schema = ObjectSchema<Self>(
    "CoachSettings", "The kind of run.", Self(runType: .outdoor, mode: .free),
    [
      Field("runType", \.runType, .word, "where it is run", .required),
      Field("mode", \.mode, .word, "what it is run for", .required),
      Field(
        "refusals", \.refusals, .strings(countMax: refusalCountMax), "what was wrong with the previous script",
        .required),
    ])
}

/// The body of a `/generate-script` response.
///
/// Lines have the shape of a script's lines; the receiver validates their triggers.
public struct GenerateScriptResponse: EdgeShape {
  public var scriptId: String
  public var messages: [Line]

  public static let countMax = 10_000

  public struct Line: EdgeShape {
    public var id: String
    /// A script's `triggerSpec`; not validated here.
    public var triggerSpec: JSONValue
    public var text: String
    /// The branch it belongs to; nil for all.
    public var branchKey: String?
    /// Among several due lines the highest priority goes first; nil for the default.
    public var priority: Int?

    public init(id: String, triggerSpec: JSONValue, text: String, branchKey: String? = nil, priority: Int? = nil) {
      self.id = id
      self.triggerSpec = triggerSpec
      self.text = text
      self.branchKey = branchKey
      self.priority = priority
    }

    public static let schema = ObjectSchema<Self>(
      "Line", "A line of a script.", Self(id: "", triggerSpec: .null, text: ""),
      [
        Field("id", \.id, .string, "its id", .required),
        Field("triggerSpec", \.triggerSpec, .any, "when to say it", .required),
        Field("text", \.text, .string, "what to say", .required),
        Field("branchKey", \.branchKey, .string, "the branch it belongs to"),
        Field("priority", \.priority, .integer(-1_000_000...1_000_000), "of several due lines the highest goes first"),
      ])
  }

  public init(scriptId: String, messages: [Line]) {
    self.scriptId = scriptId
    self.messages = messages
  }

  public static let schema = ObjectSchema<Self>(
    "GenerateScriptResponse", "A script.", Self(scriptId: "", messages: []),
    [
      Field("scriptId", \.scriptId, .string, "its id", .required),
      Field("messages", \.messages, .array(of: .shape, count: 0...countMax), "its lines", .required),
    ])
}
