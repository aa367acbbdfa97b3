package import CoachProtocol
package import Link

/// A run that the phone has heard of: a row of the companion store's `Run`.
///
/// Its times are the watch's: the run took place there. Those of a run that the phone tracked itself are its own clock's.
package struct RunRow: Sendable, Equatable {
  /// The workout's name.
  package var id: Identifier
  /// When it began; until the workout's start is known, when its first word was said.
  package var startedAt: WatchTime
  /// When the word was said that ended it; nil while it is on.
  package var endedAt: WatchTime?
  /// Where it takes place.
  package var runType: RunType
  /// What it is for.
  package var mode: RunMode
  /// Which coach speaks.
  package var personality: String
  /// The name under which the health store keeps it; nil until it is finished.
  package var healthKitWorkoutUUID: Identifier?
  /// What the runner wrote about it afterwards; nil for nothing.
  package var userNotes: String?
  /// How hard it felt, from 1 to 10; nil where the runner did not say.
  package var perceivedEffort: Int?
  /// What the runner calls it: "Long run"; nil for nothing.
  package var label: String?
  /// What there is to say about it; nil until it was summarised.
  package var summaryText: String?
  /// What the list of runs shows; nil until the health store was read: the row is a stub so far.
  package var cached: CachedTruth?
  /// Whether the phone tracked it itself: no watch has saved a workout of it.
  package var isTrackedHere = false

  /// Creates the row of a run that was just opened.
  package init(
    id: Identifier, startedAt: WatchTime, endedAt: WatchTime? = nil, runType: RunType, mode: RunMode,
    personality: String, healthKitWorkoutUUID: Identifier? = nil, userNotes: String? = nil,
    perceivedEffort: Int? = nil, label: String? = nil, summaryText: String? = nil, cached: CachedTruth? = nil
  ) {
    self.id = id
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.runType = runType
    self.mode = mode
    self.personality = personality
    self.healthKitWorkoutUUID = healthKitWorkoutUUID
    self.userNotes = userNotes
    self.perceivedEffort = perceivedEffort
    self.label = label
    self.summaryText = summaryText
    self.cached = cached
  }
}

/// The three figures of a workout that its run's row keeps, so that the list of runs need not wait for the health store:
/// the columns `cachedDistanceMeters`, `cachedDurationSeconds` and `cachedAvgPaceSecPerKm`.
package struct CachedTruth: Sendable, Equatable {
  /// Metres.
  package var distanceMeters: Double
  /// Seconds without pauses.
  package var durationSeconds: Double
  /// Seconds per kilometre, two decimals; nil under a metre.
  package var avgPaceSecPerKm: Double?

  /// Creates the figures.
  package init(distanceMeters: Double, durationSeconds: Double, avgPaceSecPerKm: Double?) {
    self.distanceMeters = distanceMeters
    self.durationSeconds = durationSeconds
    self.avgPaceSecPerKm = avgPaceSecPerKm
  }

  /// The figures of a workout that the health store told of.
  package init(_ workout: HealthWorkout) {
    distanceMeters = workout.distance
    durationSeconds = workout.duration
    avgPaceSecPerKm =
      workout.distance >= 1 ? (workout.duration / workout.distance * 100_000).rounded() / 100 : nil
  }
}

/// What a runner writes about a run when it is over.
package struct RunRemarks: Sendable, Equatable {
  /// What the runner calls the run; written when it is opened.
  package var label: String?
  /// Free text; nil for nothing.
  package var userNotes: String?
  /// How hard it felt, from 1 to 10; nil where the runner does not say.
  package var perceivedEffort: Int?

  /// Creates remarks.
  package init(label: String? = nil, userNotes: String? = nil, perceivedEffort: Int? = nil) {
    self.label = label
    self.userNotes = userNotes
    self.perceivedEffort = perceivedEffort
  }
}
