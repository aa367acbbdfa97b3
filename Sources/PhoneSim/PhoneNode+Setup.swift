package import CoachProtocol
package import Link

extension PhoneNode {
  /// A phone's configuration.
  package struct Setup: Sendable {
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// The time zone's offsets from UTC, as far back as they are known.
    package var utcOffsets: [WallHour.Offset]
    package var plan: Plan
    package var script: Script
    /// The ``Script/canonicalText`` of ``script``, if already computed.
    package var scriptText: String?
    package var scriptSource: ScriptSource
    /// The memory's `hr.max`; nil if unknown.
    package var maximumHeartRate: Int?
    /// Facts stated by the athlete, by key.
    package var memory: [JSONMember] = []
    /// Whether the run has an edge.
    package var hasEdge = false
    /// Whether only runs have a script, since the scenario has workouts of other disciplines.
    package var coachesRunsOnly = false
    package var syncsHealth = false
    /// Nil if the coach has one voice, the standard one.
    package var voice: VoiceSetup?
    /// Nil if the app ingests no Apple data.
    package var ingestion: IngestionSetup?
    /// Nil if the app stores no meals.
    package var daily: DailySetup?
    /// Nil if the app stores no training sessions.
    package var training: TrainingSetup?
    /// The athlete's remarks about the run.
    package var remarks = RunRemarks()
    /// The race to be run, if any.
    package var race: RaceSetup?
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span
    /// How long background transfers wait before they are sent.
    package var backgroundDelay = BackgroundDelay.none
    package var runType: RunType
    package var mode: RunMode
    package var personality: String
    /// The planted bugs.
    package var plants: Plants

    /// Whether a part of the app asks the health store for more than workouts.
    package var asksHealthStore: Bool { ingestion != nil || daily != nil }

    /// Whether scripts are requested from the edge: if the scenario has none, and never in a race.
    var asksForScript: Bool {
      hasEdge && (mode == .race ? plants.contains(.raceNoSignal) : scriptSource == .fallback)
    }

    package init(
      seed: UInt64, startedAt: Int64, utcOffsets: [WallHour.Offset] = [], plan: Plan, script: Script,
      scriptSource: ScriptSource, maximumHeartRate: Int? = nil, replyTimeout: VirtualTime.Span = .seconds(10),
      runType: RunType = .outdoor, mode: RunMode = .training, personality: String = FallbackScript.personalityDefault,
      plants: Plants = []
    ) {
      self.seed = seed
      self.startedAt = startedAt
      self.utcOffsets = utcOffsets
      self.plan = plan
      self.script = script
      self.scriptSource = scriptSource
      self.maximumHeartRate = maximumHeartRate
      self.replyTimeout = replyTimeout
      self.runType = runType
      self.mode = mode
      self.personality = personality
      self.plants = plants
    }
  }
}
