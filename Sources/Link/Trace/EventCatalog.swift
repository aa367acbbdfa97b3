/// Every kind of event that this package writes, in the order of the reference page.
public enum EventCatalog {
  /// Kinds that belong together: a section of the reference page.
  public struct Section: Sendable {
    /// The heading.
    public let title: String
    /// Remarks on all of them, as Markdown; may be empty.
    public let about: String
    /// The kinds.
    public let kinds: [EventKindEntry]
  }

  /// All sections.
  public static let sections: [Section] = [
    Section(
      title: "Frames and the link", about: "Every copy of every frame has exactly one fate.",
      kinds: [
        .init(FrameSent.self) { .frameSent($0) },
        .init(FrameDuplicated.self) { .frameDuplicated($0) },
        .init(FrameDelivered.self) { .frameDelivered($0) },
        .init(FrameDropped.self) { .frameDropped($0) },
        .init(FrameRefused.self),
        .init(LinkWentDown.self) { .linkDown($0) },
        .init(LinkCameUp.self) { .linkUp($0) },
        .init(ReachabilityChanged.self) { .reachability($0) },
        .init(SessionDeactivated.self) { .sessionDeactivated($0) },
        .init(SessionReactivated.self) { .sessionActivated($0) },
      ]),
    Section(
      title: "The runner and its faults", about: "",
      kinds: [
        .init(FaultBegan.self) { .faultBegin($0) },
        .init(FaultEnded.self) { .faultEnd($0) },
        .init(NodeRestarted.self),
        .init(NodeStarted.self) { .nodeStarted($0) },
        .init(NodeKilled.self) { .nodeKilled($0) },
        .init(PowerLost.self),
        .init(NodeSuspended.self) { .nodeSuspended($0) },
        .init(NodeResumed.self) { .nodeResumed($0) },
        .init(NodeFailed.self) { .nodeFailed($0) },
        .init(AppFindingMade.self) { .appFinding($0) },
        .init(AppActTaken.self),
        .init(ControlGiven.self) { .control($0) },
        .init(RunStopped.self) { .stopped($0) },
        .init(ExpectationJudged.self) { .expectation($0) },
        .init(ViolationFound.self) { .violation($0) },
        .init(FaultsHealed.self) { .healed($0) },
        .init(TraceEnd.self) { .end($0) },
      ]),
    Section(
      title: "Queued transfers", about: "`transfer` (a UUID) identifies a transfer in all its lines.",
      kinds: [
        .init(TransferQueued.self) { .transferQueued($0) },
        .init(TransferDelivered.self) { .transferDelivered($0) },
        .init(TransferFinished.self) { .transferFinished($0) },
        .init(TransferFailed.self) { .transferFailed($0) },
        .init(TransferCancelled.self) { .transferCancelled($0) },
        .init(TransferProgressed.self) { .transferProgress($0) },
        .init(TransferRedelivered.self) { .transferRedelivered($0) },
        .init(TransferRefused.self),
        .init(TransferSetAside.self) { .transferSetAside($0) },
      ]),
    Section(
      title: "Messages and the application context", about: "",
      kinds: [
        .init(MessageReceived.self) { .messageReceived($0) },
        .init(MessageRefused.self) { .messageRefused($0) },
        .init(MessageDuplicate.self),
        .init(MessageFailed.self) { .messageFailed($0) },
        .init(PayloadForeign.self) { .payloadForeign($0) },
        .init(PayloadUndecodable.self) { .payloadUndecodable($0) },
        .init(ContextSet.self) { .contextSet($0) },
        .init(ContextUnchanged.self),
        .init(ContextReceived.self) { .contextReceived($0) },
        .init(ContextRepeated.self),
      ]),
    Section(
      title: "The watch", about: "",
      kinds: [
        .init(WorkoutStateChanged.self) { .workoutState($0) },
        .init(WorkoutPositioned.self),
        .init(SnapshotPublished.self) { .snapshot($0) },
        .init(GhostSnapshotPublished.self) { .ghostSnapshot($0) },
        .init(HealthSaved.self) { .healthSaved($0) },
        .init(StartAccepted.self),
        .init(CommandRefused.self),
        .init(CommandDropped.self),
        .init(VoiceRecorded.self) { .voiceRecorded($0) },
        .init(VoiceReceived.self) { .voiceReceived($0) },
        .init(VoiceTranscribed.self) { .voiceTranscribed($0) },
        .init(VoiceDiscarded.self),
        .init(HapticPlayed.self) { .haptic($0) },
        .init(HapticVoid.self) { .hapticVoid($0) },
      ]),
    Section(
      title: "Starts by the phone",
      about: "[start.md](start.md) describes them. `runId` identifies the workout from then on.",
      kinds: [
        .init(StartAsked.self) { .startAsked($0) },
        .init(StartAcked.self) { .startAcked($0) },
        .init(StartRejected.self) { .startDeclined($0) },
        .init(StartFailed.self) { .startFailed($0) },
        .init(StartCancelled.self) { .startCancelled($0) },
        .init(StartLate.self) { .startLate($0) },
        .init(TrackerStarted.self) { .trackerStarted($0) },
        .init(TrackerEnded.self) { .trackerEnded($0) },
      ]),
    Section(
      title: "What the phone receives and believes", about: "",
      kinds: [
        .init(SnapshotFresh.self) { .snapshotFresh($0) },
        .init(SnapshotStale.self) { .snapshotStale($0) },
        .init(LivenessLost.self) { .livenessDisconnected($0) },
        .init(LivenessRegained.self) { .livenessReconnected($0) },
        .init(RunOpened.self) { .runOpened($0) },
        .init(RunNamed.self) { .runNamed($0) },
        .init(RunStateChanged.self) { .runState($0) },
        .init(RunHistory.self),
        .init(RunRefused.self),
        .init(RunFinished.self) { .runFinished($0) },
      ]),
    Section(
      title: "The coach", about: "",
      kinds: [
        .init(ScriptLoaded.self) { .scriptLoaded($0) },
        .init(ScriptDispatched.self) { .scriptDispatch($0) },
        .init(ScriptExpired.self) { .scriptExpired($0) },
        .init(ScriptSkipped.self) { .scriptSkipped($0) },
        .init(ScriptBranched.self),
        .init(AudioStarted.self) { .audioStart($0) },
        .init(AudioEnded.self) { .audioEnd($0) },
        .init(AudioInterrupted.self) { .audioInterrupted($0) },
        .init(AudioDropped.self),
        .init(AudioDucked.self) { .audioDuck($0) },
        .init(AudioUnducked.self) { .audioUnduck($0) },
        .init(AudioMuted.self),
        .init(AudioUnmuted.self),
        .init(AudioInterruptionBegan.self),
        .init(AudioInterruptionEnded.self),
      ]),
    Section(
      title: "What the coach asks the edge",
      about:
        "Only in runs with an edge. `id` identifies an attempt; `kind` is generateScript, chatReply or postRunSummary.",
      kinds: [
        .init(AIRequested.self) { .aiRequested($0) },
        .init(AIReplied.self) { .aiReply($0) },
        .init(AIAnsweredFromCache.self) { .aiCached($0) },
        .init(AIFellBack.self) { .aiFallback($0) },
        .init(AIAnsweredLate.self) { .aiLate($0) },
        .init(AIFailed.self) { .aiFailed($0) },
        .init(AIDropped.self),
        .init(MemoryUpdated.self) { .memoryUpdated($0) },
        .init(MemoryRefused.self),
      ]),
    Section(
      title: "The health store",
      about:
        "Only if the scenario has the key `health`. The platform copies the watch's health store to the phone, `syncLag` after a workout was saved; it answers the app's queries after 20 ms.",
      kinds: [
        .init(HealthRequested.self),
        .init(HealthAbsent.self),
        .init(HealthLinked.self),
        .init(HealthTruth.self),
        .init(HealthKept.self) { .healthKept($0) },
        .init(HistoryShown.self),
        .init(StoreWiped.self),
      ]),
    Section(
      title: "The ingestion of Apple data",
      about: "Only if the scenario has the key `phone.ingestion` ([ingestion.md](ingestion.md)).",
      kinds: [
        .init(IngestionBegan.self) { .ingestionBegan($0) },
        .init(IngestionRequested.self) { .ingestionRequested($0) },
        .init(IngestionRefused.self),
        .init(IngestionStaged.self) { .ingestionStaged($0) },
        .init(IngestionParsed.self) { .ingestionParsed($0) },
        .init(IngestionFailed.self) { .ingestionFailed($0) },
        .init(IngestionPurged.self) { .ingestionPurged($0) },
        .init(IngestionUpdated.self) { .ingestionUpdated($0) },
        .init(IngestionSwitched.self),
      ]),
    Section(
      title: "Daily aggregates",
      about:
        "Only if the scenario has the key `phone.daily` ([aggregates.md](aggregates.md)), except for `edge.restarted`, and for"
        + " `edge.workouts`, `edge.fetched`, `edge.fetchFailed` with `edge.workouts`. `daily.chat` and `edge.profiled` need"
        + " `phone.daily.chat`.",
      kinds: [
        .init(MealLogged.self) { .mealLogged($0) },
        .init(MealRemoved.self) { .mealRemoved($0) },
        .init(ChatWritten.self) { .chatWritten($0) },
        .init(DayAggregated.self) { .dayAggregated($0) },
        .init(DaysPosted.self) { .daysPosted($0) },
        .init(DaysSynced.self) { .daysSynced($0) },
        .init(SyncFailed.self) { .syncFailed($0) },
        .init(ServerRestarted.self) { .serverRestarted($0) },
        .init(FileDamaged.self) { .fileDamaged($0) },
        .init(DayUpserted.self) { .dayUpserted($0) },
        .init(ProfileExtracted.self) { .profileExtracted($0) },
        .init(FileStored.self) { .fileStored($0) },
        .init(WorkoutsStored.self) { .workoutsStored($0) },
        .init(WorkoutsFetched.self) { .workoutsFetched($0) },
        .init(FetchFailed.self) { .fetchFailed($0) },
      ]),
    Section(
      title: "Training sessions",
      about: "Only if the scenario has the key `phone.training` ([disciplines.md](disciplines.md)).",
      kinds: [
        .init(TrainingStored.self) { .trainingStored($0) },
        .init(TrainingEdited.self) { .trainingEdited($0) },
        .init(TrainingRefused.self),
        .init(TrainingDrill.self) { .trainingDrill($0) },
        .init(CompetitionUpdated.self) { .competitionUpdated($0) },
        .init(TrainingRowChanged.self) { .trainingRowChanged($0) },
        .init(TrainingRemoved.self) { .trainingRemoved($0) },
        .init(TrainingPushed.self),
        .init(TrainingMerged.self),
        .init(TrainingShown.self) { .trainingShown($0) },
        .init(TrainingSettled.self) { .trainingSettled($0) },
      ]),
    Section(
      title: "The edge",
      about: "Only in runs with an edge ([edge.md](edge.md)). Requests and answers are frames of the channel `http`.",
      kinds: [
        .init(UplinkReachabilityChanged.self),
        .init(UplinkDuplicate.self),
        .init(UplinkRefused.self),
        .init(UplinkUndecodable.self),
        .init(EdgeRequest.self) { .edgeRequest($0) },
        .init(EdgeResponse.self),
      ]),
  ]

  /// All kinds.
  public static let all: [EventKindEntry] = sections.flatMap(\.kinds)

  /// The kind of a name; nil for an event of another program.
  public static func entry(_ name: TraceEvent.Name) -> EventKindEntry? { index(of: name).map { all[$0] } }

  /// The index in ``all`` of the kind with a name; nil for an event of another program.
  public static func index(of name: TraceEvent.Name) -> Int? {
    var slot = Int(truncatingIfNeeded: name.code) & (slots.count - 1)
    while case let index = Int(slots[slot]), index < codes.count {
      if codes[index] == name.code { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static let codes: [UInt64] = all.map(\.name.code)

  /// Indices of ``all`` by the low bits of the names' codes; a free slot has an index past the end.
  private static let slots: [UInt16] = {
    var slots = [UInt16](repeating: .max, count: 1_024)
    precondition(all.count * 2 < slots.count, "the table of names is too small")
    for (index, code) in codes.enumerated() {
      var slot = Int(truncatingIfNeeded: code) & (slots.count - 1)
      while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt16(index)
    }
    return slots
  }()
}
