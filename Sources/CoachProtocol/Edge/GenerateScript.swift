public import Link

/// The body of a `/generate-script` request.
public struct GenerateScriptRequest: Sendable, Equatable {
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
}

extension GenerateScriptRequest: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let goal = reader.string("goal", required: true)
    let distanceKm = reader.number("distanceKm", in: 0...1e6, required: true)
    let targetPaceSecPerKm = reader.number("targetPaceSecPerKm", in: 0...1e9)
    let personality = reader.string("personality", required: true)
    let settings = reader.object("settings", required: true) { CoachSettings($0) }
    let userMemory = reader.list("userMemory", countMax: MemoryFact.countMax, required: true) { MemoryFact($0) }
    let summaries = reader.strings("recentRunSummaries", countMax: 100, required: true)
    reader.finish()
    guard let goal, let distanceKm, let personality, let settings, let userMemory, let summaries else { return nil }
    self.init(
      goal: goal, distanceKm: distanceKm, targetPaceSecPerKm: targetPaceSecPerKm, personality: personality,
      settings: settings, userMemory: userMemory, recentRunSummaries: summaries)
  }

  public var json: JSONValue {
    .object(of: [
      "goal": goal, "distanceKm": distanceKm, "targetPaceSecPerKm": targetPaceSecPerKm, "personality": personality,
      "settings": settings, "userMemory": userMemory, "recentRunSummaries": recentRunSummaries,
    ])
  }
}

/// The kind of run, and what was wrong with the previous script.
public struct CoachSettings: Sendable, Equatable, JSONConvertible {
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

  init?(_ reader: JSONObjectReader) {
    let runType = reader.oneOf("runType", RunType.self, required: true)
    let mode = reader.oneOf("mode", RunMode.self, required: true)
    let refusals = reader.strings("refusals", countMax: Self.refusalCountMax, required: true)
    guard let runType, let mode, let refusals else { return nil }
    self.init(runType: runType, mode: mode, refusals: refusals)
  }

  package var json: JSONValue {
    .object(of: ["runType": runType.rawValue, "mode": mode.rawValue, "refusals": refusals])
  }
}

/// The body of a `/generate-script` response.
///
/// Lines have the shape of a script's lines; the receiver validates their triggers.
public struct GenerateScriptResponse: Sendable, Equatable {
  public var scriptId: String
  public var messages: [Line]

  public static let countMax = 10_000

  public struct Line: Sendable, Equatable, JSONConvertible {
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

    init?(_ reader: JSONObjectReader) {
      let id = reader.string("id", required: true)
      let triggerSpec = reader.value("triggerSpec", required: true)?.node.value.withoutPositions
      let text = reader.string("text", required: true)
      let branchKey = reader.string("branchKey")
      let priority = reader.integer("priority", in: -1_000_000...1_000_000)
      guard let id, let triggerSpec, let text else { return nil }
      self.init(id: id, triggerSpec: triggerSpec, text: text, branchKey: branchKey, priority: priority.map { Int($0) })
    }

    package var json: JSONValue {
      .object(of: ["id": id, "triggerSpec": triggerSpec, "text": text, "branchKey": branchKey, "priority": priority])
    }
  }

  public init(scriptId: String, messages: [Line]) {
    self.scriptId = scriptId
    self.messages = messages
  }
}

extension GenerateScriptResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let scriptId = reader.string("scriptId", required: true)
    let messages = reader.list("messages", countMax: Self.countMax, required: true) { Line($0) }
    reader.finish()
    guard let scriptId, let messages else { return nil }
    self.init(scriptId: scriptId, messages: messages)
  }

  public var json: JSONValue {
    .object(of: ["scriptId": scriptId, "messages": messages])
  }
}
