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
  case mealEdited(MealEdited)
  case serverContext(ServerContext)
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
}

extension EventBody {
  /// Passes the event as its kind to a visitor.
  @inlinable
  public func open(_ visitor: inout some EventVisitor) {
    switch self {
    case .frameSent(let event): visitor.visit(event)
    case .frameDuplicated(let event): visitor.visit(event)
    case .frameDelivered(let event): visitor.visit(event)
    case .frameDropped(let event): visitor.visit(event)
    case .linkDown(let event): visitor.visit(event)
    case .linkUp(let event): visitor.visit(event)
    case .reachability(let event): visitor.visit(event)
    case .sessionDeactivated(let event): visitor.visit(event)
    case .sessionActivated(let event): visitor.visit(event)
    case .faultBegin(let event): visitor.visit(event)
    case .faultEnd(let event): visitor.visit(event)
    case .nodeStarted(let event): visitor.visit(event)
    case .nodeKilled(let event): visitor.visit(event)
    case .nodeSuspended(let event): visitor.visit(event)
    case .nodeResumed(let event): visitor.visit(event)
    case .nodeFailed(let event): visitor.visit(event)
    case .appFinding(let event): visitor.visit(event)
    case .control(let event): visitor.visit(event)
    case .stopped(let event): visitor.visit(event)
    case .expectation(let event): visitor.visit(event)
    case .violation(let event): visitor.visit(event)
    case .healed(let event): visitor.visit(event)
    case .end(let event): visitor.visit(event)
    case .transferQueued(let event): visitor.visit(event)
    case .transferDelivered(let event): visitor.visit(event)
    case .transferFinished(let event): visitor.visit(event)
    case .transferFailed(let event): visitor.visit(event)
    case .transferCancelled(let event): visitor.visit(event)
    case .transferProgress(let event): visitor.visit(event)
    case .transferRedelivered(let event): visitor.visit(event)
    case .transferSetAside(let event): visitor.visit(event)
    case .messageReceived(let event): visitor.visit(event)
    case .messageRefused(let event): visitor.visit(event)
    case .messageFailed(let event): visitor.visit(event)
    case .payloadForeign(let event): visitor.visit(event)
    case .payloadUndecodable(let event): visitor.visit(event)
    case .contextSet(let event): visitor.visit(event)
    case .contextReceived(let event): visitor.visit(event)
    case .workoutState(let event): visitor.visit(event)
    case .snapshot(let event): visitor.visit(event)
    case .ghostSnapshot(let event): visitor.visit(event)
    case .healthSaved(let event): visitor.visit(event)
    case .voiceRecorded(let event): visitor.visit(event)
    case .voiceReceived(let event): visitor.visit(event)
    case .voiceTranscribed(let event): visitor.visit(event)
    case .haptic(let event): visitor.visit(event)
    case .hapticVoid(let event): visitor.visit(event)
    case .startAsked(let event): visitor.visit(event)
    case .startAcked(let event): visitor.visit(event)
    case .startDeclined(let event): visitor.visit(event)
    case .startFailed(let event): visitor.visit(event)
    case .startCancelled(let event): visitor.visit(event)
    case .startLate(let event): visitor.visit(event)
    case .endAsked(let event): visitor.visit(event)
    case .trackerStarted(let event): visitor.visit(event)
    case .trackerEnded(let event): visitor.visit(event)
    case .snapshotFresh(let event): visitor.visit(event)
    case .snapshotStale(let event): visitor.visit(event)
    case .livenessDisconnected(let event): visitor.visit(event)
    case .livenessReconnected(let event): visitor.visit(event)
    case .runOpened(let event): visitor.visit(event)
    case .runNamed(let event): visitor.visit(event)
    case .runState(let event): visitor.visit(event)
    case .runFinished(let event): visitor.visit(event)
    case .runRecorded(let event): visitor.visit(event)
    case .scriptLoaded(let event): visitor.visit(event)
    case .scriptDispatch(let event): visitor.visit(event)
    case .scriptExpired(let event): visitor.visit(event)
    case .scriptSkipped(let event): visitor.visit(event)
    case .audioStart(let event): visitor.visit(event)
    case .audioEnd(let event): visitor.visit(event)
    case .audioInterrupted(let event): visitor.visit(event)
    case .audioDuck(let event): visitor.visit(event)
    case .audioUnduck(let event): visitor.visit(event)
    case .aiRequested(let event): visitor.visit(event)
    case .aiReply(let event): visitor.visit(event)
    case .aiCached(let event): visitor.visit(event)
    case .aiFallback(let event): visitor.visit(event)
    case .aiLate(let event): visitor.visit(event)
    case .aiFailed(let event): visitor.visit(event)
    case .memoryUpdated(let event): visitor.visit(event)
    case .healthKept(let event): visitor.visit(event)
    case .healthSlept(let event): visitor.visit(event)
    case .ingestionBegan(let event): visitor.visit(event)
    case .ingestionRequested(let event): visitor.visit(event)
    case .ingestionRefused(let event): visitor.visit(event)
    case .ingestionStaged(let event): visitor.visit(event)
    case .ingestionParsed(let event): visitor.visit(event)
    case .ingestionFailed(let event): visitor.visit(event)
    case .ingestionPurged(let event): visitor.visit(event)
    case .ingestionUpdated(let event): visitor.visit(event)
    case .mealEdited(let event): visitor.visit(event)
    case .serverContext(let event): visitor.visit(event)
    case .mealLogged(let event): visitor.visit(event)
    case .chatWritten(let event): visitor.visit(event)
    case .mealRemoved(let event): visitor.visit(event)
    case .dayAggregated(let event): visitor.visit(event)
    case .daysPosted(let event): visitor.visit(event)
    case .daysSynced(let event): visitor.visit(event)
    case .syncFailed(let event): visitor.visit(event)
    case .serverRestarted(let event): visitor.visit(event)
    case .fileDamaged(let event): visitor.visit(event)
    case .dayUpserted(let event): visitor.visit(event)
    case .profileExtracted(let event): visitor.visit(event)
    case .fileStored(let event): visitor.visit(event)
    case .workoutsStored(let event): visitor.visit(event)
    case .workoutsFetched(let event): visitor.visit(event)
    case .fetchFailed(let event): visitor.visit(event)
    case .trainingStored(let event): visitor.visit(event)
    case .trainingEdited(let event): visitor.visit(event)
    case .trainingDrill(let event): visitor.visit(event)
    case .competitionUpdated(let event): visitor.visit(event)
    case .trainingRowChanged(let event): visitor.visit(event)
    case .trainingRemoved(let event): visitor.visit(event)
    case .trainingShown(let event): visitor.visit(event)
    case .trainingSettled(let event): visitor.visit(event)
    case .edgeRequest(let event): visitor.visit(event)
    case .trueWorkoutBegan(let event): visitor.visit(event)
    case .trueWorkoutEnded(let event): visitor.visit(event)
    case .other(let event): visitor.visit(event.kind)
    case .foreign: break
    }
  }

  /// The event as its kind; nil for a foreign one.
  public var kind: (any TraceEventKind)? {
    var keeper = KindKeeper()
    open(&keeper)
    return keeper.kind
  }

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

/// What is done with an event of any kind.
public protocol EventVisitor {
  mutating func visit<Kind: TraceEventKind>(_ event: Kind)
}

private struct KindKeeper: EventVisitor {
  var kind: (any TraceEventKind)?

  mutating func visit<Kind: TraceEventKind>(_ event: Kind) { kind = event }
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
