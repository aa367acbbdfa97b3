public import Link

/// Asks for the script of a run: the body of `/generate-script`.
public struct GenerateScriptRequest: Sendable, Equatable {
  /// What the runner wants, in words.
  public var goal: String
  /// What was planned, in kilometres; 0 where no distance is planned.
  public var distanceKm: Double
  /// The planned pace in seconds per kilometre; nil without one.
  public var targetPaceSecPerKm: Double?
  /// Which coach speaks, by name.
  public var personality: String
  /// How the run is run, and what was wrong with a script before.
  public var settings: CoachSettings
  /// What is known of the runner.
  public var userMemory: [MemoryFact]
  /// What was said about the runs before, the newest last.
  public var recentRunSummaries: [String]

  /// Creates a request.
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
    var members = EdgeMembers()
    members.add("goal", goal)
    members.add("distanceKm", distanceKm)
    members.add("targetPaceSecPerKm", targetPaceSecPerKm)
    members.add("personality", personality)
    members.add("settings", settings.json)
    members.add("userMemory", userMemory.map(\.json))
    members.add("recentRunSummaries", recentRunSummaries)
    return members.json
  }
}

/// How a run is run, and what was wrong with the script that came before.
public struct CoachSettings: Sendable, Equatable {
  /// Where the run takes place.
  public var runType: RunType
  /// What it is for.
  public var mode: RunMode
  /// Why the script before was refused, each with its path; empty the first time.
  public var refusals: [String]

  /// Refusals of one request, at most.
  public static let refusalCountMax = 100

  /// Creates settings.
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

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("runType", runType.rawValue)
    members.add("mode", mode.rawValue)
    members.add("refusals", refusals)
    return members.json
  }
}
