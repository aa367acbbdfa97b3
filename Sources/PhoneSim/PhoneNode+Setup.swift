package import CoachProtocol
package import Link

extension PhoneNode {
  /// What a phone is set up with.
  package struct Setup: Sendable {
    /// The run's seed.
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// The distance of the scenario's time zone to UTC, from the start on.
    package var utcOffsets: [WallHour.Offset]
    /// What the runner has set out to do.
    package var plan: Plan
    /// What may be said.
    package var script: Script
    /// The ``Script/canonicalText`` of ``script``, where it is known.
    package var scriptText: String?
    /// Where the script comes from.
    package var scriptSource: ScriptSource
    /// The memory's `hr.max`; nil where nothing is known.
    package var maximumHeartRate: Int?
    /// What the runner said to be remembered, by key.
    package var memory: [JSONMember] = []
    /// Whether there is an edge to be asked.
    package var hasEdge = false
    /// Whether the app reads workouts from the health store.
    package var syncsHealth = false
    /// What the runner writes about the run.
    package var remarks = RunRemarks()
    /// The race that is run; nil for none.
    package var race: RaceSetup?
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span
    /// How long what goes in the background waits before it is sent.
    package var backgroundDelay = BackgroundDelay.none
    /// Where runs take place, as their rows have it.
    package var runType: RunType
    /// What runs are for, as their rows have it.
    package var mode: RunMode
    /// Which coach speaks, as the rows of runs have it.
    package var personality: String
    /// What it does wrong on purpose.
    package var plants: Plants

    /// Whether the script of a run is asked of the edge: where the scenario gives none, and never in a race.
    var asksForScript: Bool {
      hasEdge && (mode == .race ? plants.contains(.raceNoSignal) : scriptSource == .fallback)
    }

    /// Creates a set-up.
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
