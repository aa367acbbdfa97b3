package import Link

/// The invariants of the coach: of the watch's workout and of what the phone makes of it.
package enum CoachCheckerCatalog {
  /// Every checker of this module, in the order in which they are asked and listed.
  package static let all: [any Checker.Type] = [
    DispatchWindowChecker.self,
    PlayOnceChecker.self,
    DispatchOnlyRunningChecker.self,
    DispatchJustifiedChecker.self,
    MissedDispatchChecker.self,
    RunSurvivesChecker.self,
    SentAtChecker.self,
    SpeedPossibleChecker.self,
    EndedIsFinalChecker.self,
    NewestMessageChecker.self,
    StartInTimeChecker.self,
    OneTrackerChecker.self,
    FreshnessChecker.self,
    LivenessDeadlineChecker.self,
    LivenessClearsChecker.self,
    VoiceNoteWholeChecker.self,
    AudioSerialChecker.self,
    DuckBalancedChecker.self,
    HapticInTimeChecker.self,
    AIAnswersChecker.self,
    ReplySpokenOnceChecker.self,
    MemoryUserWinsChecker.self,
    NoNetworkInRaceChecker.self,
    ScriptInForceChecker.self,
    TruthNotCopiedChecker.self,
    IngestionPurgeChecker.self,
    IngestionUpsertChecker.self,
    IngestionFailureChecker.self,
    IngestionRefetchChecker.self,
    IngestionFlowChecker.self,
  ]
}
