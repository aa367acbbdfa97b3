/// The fields of an event, typed: one case for each kind of event that code switches over, one for the other kinds.
public indirect enum EventBody: Sendable, Equatable {
  case frameSent(FrameSent)
  case frameDuplicated(FrameDuplicated)
  case frameDelivered(FrameDelivered)
  case frameDropped(FrameDropped)
  case linkDown(LinkWentDown)
  case linkUp(LinkCameUp)
  case reachability(ReachabilityChanged)
  case sessionDeactivated(SessionDeactivated)
  case sessionActivated(SessionReactivated)
  case faultBegin(FaultBegan)
  case faultEnd(FaultEnded)
  case nodeStarted(NodeStarted)
  case nodeKilled(NodeKilled)
  case nodeSuspended(NodeSuspended)
  case nodeResumed(NodeResumed)
  case nodeFailed(NodeFailed)
  case appFinding(AppFindingMade)
  case control(ControlGiven)
  case stopped(RunStopped)
  case expectation(ExpectationJudged)
  case violation(ViolationFound)
  case healed(FaultsHealed)
  case end(TraceEnd)
  case transferQueued(TransferQueued)
  case transferDelivered(TransferDelivered)
  case transferFinished(TransferFinished)
  case transferFailed(TransferFailed)
  case transferCancelled(TransferCancelled)
  case transferProgress(TransferProgressed)
  case transferRedelivered(TransferRedelivered)
  case transferSetAside(TransferSetAside)
  case messageReceived(MessageReceived)
  case messageRefused(MessageRefused)
  case messageFailed(MessageFailed)
  case payloadForeign(PayloadForeign)
  case payloadUndecodable(PayloadUndecodable)
  case contextSet(ContextSet)
  case contextReceived(ContextReceived)
  case workoutState(WorkoutStateChanged)
  case snapshot(SnapshotPublished)
  case ghostSnapshot(GhostSnapshotPublished)
  case healthSaved(HealthSaved)
  case voiceRecorded(VoiceRecorded)
  case voiceReceived(VoiceReceived)
  case voiceTranscribed(VoiceTranscribed)
  case haptic(HapticPlayed)
  case hapticVoid(HapticVoid)
  case startAsked(StartAsked)
  case startAcked(StartAcked)
  case startDeclined(StartRejected)
  case startFailed(StartFailed)
  case startCancelled(StartCancelled)
  case startLate(StartLate)
  case endAsked(EndAsked)
  case trackerStarted(TrackerStarted)
  case trackerEnded(TrackerEnded)
  case snapshotFresh(SnapshotFresh)
  case snapshotStale(SnapshotStale)
  case livenessDisconnected(LivenessLost)
  case livenessReconnected(LivenessRegained)
  case runOpened(RunOpened)
  case runNamed(RunNamed)
  case runState(RunStateChanged)
  case runFinished(RunFinished)
  case runRecorded(RunRecorded)
  case scriptLoaded(ScriptLoaded)
  case scriptDispatch(ScriptDispatched)
  case scriptExpired(ScriptExpired)
  case scriptSkipped(ScriptSkipped)
  case audioStart(AudioStarted)
  case audioEnd(AudioEnded)
  case audioInterrupted(AudioInterrupted)
  case audioDuck(AudioDucked)
  case audioUnduck(AudioUnducked)
  case aiRequested(AIRequested)
  case aiReply(AIReplied)
  case aiCached(AIAnsweredFromCache)
  case aiFallback(AIFellBack)
  case aiLate(AIAnsweredLate)
  case aiFailed(AIFailed)
  case memoryUpdated(MemoryUpdated)
  case healthKept(HealthKept)
  case healthSlept(HealthSlept)
  case ingestionBegan(IngestionBegan)
  case ingestionRequested(IngestionRequested)
  case ingestionRefused(IngestionRefused)
  case ingestionStaged(IngestionStaged)
  case ingestionParsed(IngestionParsed)
  case ingestionFailed(IngestionFailed)
  case ingestionPurged(IngestionPurged)
  case ingestionUpdated(IngestionUpdated)
  case mealLogged(MealLogged)
  case chatWritten(ChatWritten)
  case mealRemoved(MealRemoved)
  case dayAggregated(DayAggregated)
  case daysPosted(DaysPosted)
  case daysSynced(DaysSynced)
  case syncFailed(SyncFailed)
  case serverRestarted(ServerRestarted)
  case fileDamaged(FileDamaged)
  case dayUpserted(DayUpserted)
  case profileExtracted(ProfileExtracted)
  case fileStored(FileStored)
  case workoutsStored(WorkoutsStored)
  case workoutsFetched(WorkoutsFetched)
  case fetchFailed(FetchFailed)
  case trainingStored(TrainingStored)
  case trainingEdited(TrainingEdited)
  case trainingDrill(TrainingDrill)
  case competitionUpdated(CompetitionUpdated)
  case trainingRowChanged(TrainingRowChanged)
  case trainingRemoved(TrainingRemoved)
  case trainingShown(TrainingShown)
  case trainingSettled(TrainingSettled)
  case edgeRequest(EdgeRequest)
  case trueWorkoutBegan(TrueWorkoutBegan)
  case trueWorkoutEnded(TrueWorkoutEnded)
  /// An event of a kind without a case of its own.
  case other(OtherEvent)
  /// An event of another program, or a line whose fields are not those of its kind.
  case foreign(ForeignEvent)

  /// The event as its kind; nil for a foreign one.
  public var kind: (any TraceEventKind)? {
    switch self {
    case .frameSent(let event): event
    case .frameDuplicated(let event): event
    case .frameDelivered(let event): event
    case .frameDropped(let event): event
    case .linkDown(let event): event
    case .linkUp(let event): event
    case .reachability(let event): event
    case .sessionDeactivated(let event): event
    case .sessionActivated(let event): event
    case .faultBegin(let event): event
    case .faultEnd(let event): event
    case .nodeStarted(let event): event
    case .nodeKilled(let event): event
    case .nodeSuspended(let event): event
    case .nodeResumed(let event): event
    case .nodeFailed(let event): event
    case .appFinding(let event): event
    case .control(let event): event
    case .stopped(let event): event
    case .expectation(let event): event
    case .violation(let event): event
    case .healed(let event): event
    case .end(let event): event
    case .transferQueued(let event): event
    case .transferDelivered(let event): event
    case .transferFinished(let event): event
    case .transferFailed(let event): event
    case .transferCancelled(let event): event
    case .transferProgress(let event): event
    case .transferRedelivered(let event): event
    case .transferSetAside(let event): event
    case .messageReceived(let event): event
    case .messageRefused(let event): event
    case .messageFailed(let event): event
    case .payloadForeign(let event): event
    case .payloadUndecodable(let event): event
    case .contextSet(let event): event
    case .contextReceived(let event): event
    case .workoutState(let event): event
    case .snapshot(let event): event
    case .ghostSnapshot(let event): event
    case .healthSaved(let event): event
    case .voiceRecorded(let event): event
    case .voiceReceived(let event): event
    case .voiceTranscribed(let event): event
    case .haptic(let event): event
    case .hapticVoid(let event): event
    case .startAsked(let event): event
    case .startAcked(let event): event
    case .startDeclined(let event): event
    case .startFailed(let event): event
    case .startCancelled(let event): event
    case .startLate(let event): event
    case .endAsked(let event): event
    case .trackerStarted(let event): event
    case .trackerEnded(let event): event
    case .snapshotFresh(let event): event
    case .snapshotStale(let event): event
    case .livenessDisconnected(let event): event
    case .livenessReconnected(let event): event
    case .runOpened(let event): event
    case .runNamed(let event): event
    case .runState(let event): event
    case .runFinished(let event): event
    case .runRecorded(let event): event
    case .scriptLoaded(let event): event
    case .scriptDispatch(let event): event
    case .scriptExpired(let event): event
    case .scriptSkipped(let event): event
    case .audioStart(let event): event
    case .audioEnd(let event): event
    case .audioInterrupted(let event): event
    case .audioDuck(let event): event
    case .audioUnduck(let event): event
    case .aiRequested(let event): event
    case .aiReply(let event): event
    case .aiCached(let event): event
    case .aiFallback(let event): event
    case .aiLate(let event): event
    case .aiFailed(let event): event
    case .memoryUpdated(let event): event
    case .healthKept(let event): event
    case .healthSlept(let event): event
    case .ingestionBegan(let event): event
    case .ingestionRequested(let event): event
    case .ingestionRefused(let event): event
    case .ingestionStaged(let event): event
    case .ingestionParsed(let event): event
    case .ingestionFailed(let event): event
    case .ingestionPurged(let event): event
    case .ingestionUpdated(let event): event
    case .mealLogged(let event): event
    case .chatWritten(let event): event
    case .mealRemoved(let event): event
    case .dayAggregated(let event): event
    case .daysPosted(let event): event
    case .daysSynced(let event): event
    case .syncFailed(let event): event
    case .serverRestarted(let event): event
    case .fileDamaged(let event): event
    case .dayUpserted(let event): event
    case .profileExtracted(let event): event
    case .fileStored(let event): event
    case .workoutsStored(let event): event
    case .workoutsFetched(let event): event
    case .fetchFailed(let event): event
    case .trainingStored(let event): event
    case .trainingEdited(let event): event
    case .trainingDrill(let event): event
    case .competitionUpdated(let event): event
    case .trainingRowChanged(let event): event
    case .trainingRemoved(let event): event
    case .trainingShown(let event): event
    case .trainingSettled(let event): event
    case .edgeRequest(let event): event
    case .trueWorkoutBegan(let event): event
    case .trueWorkoutEnded(let event): event
    case .other(let event): event.kind
    case .foreign: nil
    }
  }
}

extension EventBody {
  /// The fields in the form that a line has, in order.
  public var fields: [TraceEvent.Field] {
    if case .foreign(let event) = self { event.fields } else { kind?.fields ?? [] }
  }

  /// Visits the fields in the order of the trace; those of a foreign event have no types, and are not visited.
  func visit(_ fields: inout some EventFieldVisitor) {
    switch self {
    // The kinds of every second of a run, without the box of an existential.
    case .frameSent(var event): event.visit(&fields)
    case .frameDelivered(var event): event.visit(&fields)
    case .messageReceived(var event): event.visit(&fields)
    case .snapshot(var event): event.visit(&fields)
    case .snapshotFresh(var event): event.visit(&fields)
    default:
      guard var event = kind else { return }
      event.visit(&fields)
    }
  }
}

/// An event of a kind without a case in ``EventBody``.
public struct OtherEvent: Sendable, Equatable {
  /// The event as its kind.
  public let kind: any TraceEventKind

  public static func == (lhs: Self, rhs: Self) -> Bool {
    type(of: lhs.kind).name == type(of: rhs.kind).name && lhs.kind.fields == rhs.kind.fields
  }
}

/// An event of another program, or a line whose fields are not those of its kind.
public struct ForeignEvent: Sendable, Equatable {
  /// The `event` of its line.
  public let name: TraceEvent.Name
  /// The fields, in the order of the line.
  public let fields: [TraceEvent.Field]
}
