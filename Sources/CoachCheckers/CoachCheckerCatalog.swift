package import Link
import LinkCheckers

/// The invariants of the coach: about the watch's workout, and how the phone handles it.
package enum CoachCheckerCatalog {
  /// Every checker of this module, in the order of evaluation and of the reference page.
  package static let all: [any Checker.Type] = [
    DispatchWindowChecker.self,
    PlayOnceChecker.self,
    DispatchOnlyRunningChecker.self,
    DispatchJustifiedChecker.self,
    MissedDispatchChecker.self,
    RunSurvivesChecker.self,
    SentAtChecker.self,
    SpeedPossibleChecker.self,
    TimerAddsUpChecker.self,
    EndedIsFinalChecker.self,
    NewestMessageChecker.self,
    StartInTimeChecker.self,
    OneTrackerChecker.self,
    OrderEndsItsRunChecker.self,
    EndWasWantedChecker.self,
    EndFinishesRunChecker.self,
    RunHasRowChecker.self,
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
    IngestionWholeNightsChecker.self,
    HealthAgreesChecker.self,
    AggregatesOnlyChecker.self,
    SyncIdempotentChecker.self,
    WipedServerChecker.self,
    DaySizeChecker.self,
    FewWritesChecker.self,
    SyncCompleteChecker.self,
    LocalDaysChecker.self,
    ServerRebuiltChecker.self,
    ProfileRebuiltChecker.self,
    SessionOnceChecker.self,
    ScoreFollowsSessionChecker.self,
    NoRouteIndoorsChecker.self,
    SessionAddsUpChecker.self,
    StoresConvergeChecker.self,
    RowOnceChecker.self,
    TruthRunsChecker.self,
  ]
}

/// What the target `Simulator` finds by its symbol: `Invariants.linked`.
@_silgen_name("wristwire_invariants")
package func linkedInvariants() -> Invariants {
  Invariants(ofLink: CheckerCatalog.all, ofCoach: CoachCheckerCatalog.all)
}
