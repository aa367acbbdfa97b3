package import Link
import LinkCheckers

/// The invariants of the coach: about the watch's workout, and how the phone handles it.
package struct CoachCheckerCatalog: JudgingPart {
  package var run: CheckerRun<Checkers>

  package init(header: TraceHeader) { run = CheckerRun(Self.checkers(for: header)) }

  package mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool { run.observe(event, at: place) }

  @_specialize(where Kind == FrameSent)
  @_specialize(where Kind == FrameDelivered)
  @_specialize(where Kind == MessageReceived)
  @_specialize(where Kind == SnapshotPublished)
  @_specialize(where Kind == SnapshotFresh)
  package mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool {
    run.observe(value: event, at: place)
  }

  /// Every checker of this module, in the order of evaluation and of the reference page.
  @CheckerList
  package static func checkers(for header: TraceHeader) -> some CheckerGroup {
    ofDispatches(header)
    ofRuns(header)
    ofAnswers(header)
    ofDays(header)
    ofTraining(header)
  }

  @CheckerList
  private static func ofDispatches(_ header: TraceHeader) -> some CheckerGroup {
    DispatchWindowChecker(header: header)
    PlayOnceChecker(header: header)
    DispatchOnlyRunningChecker(header: header)
    DispatchJustifiedChecker(header: header)
    MissedDispatchChecker(header: header)
  }

  @CheckerList
  private static func ofRuns(_ header: TraceHeader) -> some CheckerGroup {
    RunSurvivesChecker(header: header)
    SentAtChecker(header: header)
    SpeedPossibleChecker(header: header)
    TimerAddsUpChecker(header: header)
    EndedIsFinalChecker(header: header)
    NewestMessageChecker(header: header)
    StartInTimeChecker(header: header)
    OneTrackerChecker(header: header)
    OrderEndsItsRunChecker(header: header)
    EndWasWantedChecker(header: header)
    EndFinishesRunChecker(header: header)
    RunHasRowChecker(header: header)
    FreshnessChecker(header: header)
    LivenessDeadlineChecker(header: header)
    LivenessClearsChecker(header: header)
  }

  @CheckerList
  private static func ofAnswers(_ header: TraceHeader) -> some CheckerGroup {
    VoiceNoteWholeChecker(header: header)
    AudioSerialChecker(header: header)
    DuckBalancedChecker(header: header)
    HapticInTimeChecker(header: header)
    AIAnswersChecker(header: header)
    ReplySpokenOnceChecker(header: header)
    MemoryUserWinsChecker(header: header)
    NoNetworkInRaceChecker(header: header)
    ScriptInForceChecker(header: header)
    TruthNotCopiedChecker(header: header)
  }

  @CheckerList
  private static func ofDays(_ header: TraceHeader) -> some CheckerGroup {
    IngestionPurgeChecker(header: header)
    IngestionUpsertChecker(header: header)
    IngestionFailureChecker(header: header)
    IngestionRefetchChecker(header: header)
    IngestionFlowChecker(header: header)
    IngestionObeysChecker(header: header)
    IngestionWholeNightsChecker(header: header)
    HealthAgreesChecker(header: header)
    AggregatesOnlyChecker(header: header)
    SyncIdempotentChecker(header: header)
    WipedServerChecker(header: header)
    DaySizeChecker(header: header)
    FewWritesChecker(header: header)
    SyncCompleteChecker(header: header)
    LocalDaysChecker(header: header)
    ServerRebuiltChecker(header: header)
    ProfileRebuiltChecker(header: header)
  }

  @CheckerList
  private static func ofTraining(_ header: TraceHeader) -> some CheckerGroup {
    SessionOnceChecker(header: header)
    ScoreFollowsSessionChecker(header: header)
    NoRouteIndoorsChecker(header: header)
    SessionAddsUpChecker(header: header)
    StoresConvergeChecker(header: header)
    RowOnceChecker(header: header)
    TruthRunsChecker(header: header)
    TruthDaysChecker(header: header)
    TruthTotalsChecker(header: header)
    TruthResultsChecker(header: header)
  }
}

/// What the target `Simulator` finds by its symbol: `Invariants.linked`.
@_silgen_name("wristwire_invariants")
package func linkedInvariants() -> Invariants {
  Invariants(ofLink: CheckerCatalog.self, ofCoach: CoachCheckerCatalog.self)
}
