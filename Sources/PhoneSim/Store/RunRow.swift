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
  /// What there is to say about it; nil until it was summarised.
  package var summaryText: String?

  /// Creates the row of a run that was just opened.
  package init(
    id: Identifier, startedAt: WatchTime, endedAt: WatchTime? = nil, runType: RunType, mode: RunMode,
    personality: String, healthKitWorkoutUUID: Identifier? = nil, summaryText: String? = nil
  ) {
    self.id = id
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.runType = runType
    self.mode = mode
    self.personality = personality
    self.healthKitWorkoutUUID = healthKitWorkoutUUID
    self.summaryText = summaryText
  }
}
