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
        .init(FrameSent.self),
        .init(FrameDuplicated.self),
        .init(FrameDelivered.self),
        .init(FrameDropped.self),
        .init(FrameRefused.self),
        .init(LinkWentDown.self),
        .init(LinkCameUp.self),
        .init(ReachabilityChanged.self),
        .init(SessionDeactivated.self),
        .init(SessionReactivated.self),
      ]),
    Section(
      title: "The runner and its faults", about: "",
      kinds: [
        .init(FaultBegan.self),
        .init(FaultEnded.self),
        .init(NodeRestarted.self),
        .init(NodeStarted.self),
        .init(NodeKilled.self),
        .init(PowerLost.self),
        .init(NodeSuspended.self),
        .init(NodeResumed.self),
        .init(NodeFailed.self),
        .init(AppFindingMade.self),
        .init(AppActTaken.self),
        .init(AppLogged.self),
        .init(ControlGiven.self),
        .init(RunStopped.self),
        .init(ExpectationJudged.self),
        .init(ViolationFound.self),
        .init(FaultsHealed.self),
        .init(TraceEnd.self),
      ]),
    Section(
      title: "What the athlete really did",
      about:
        "In runs with [truth](../scenarios.md#the-scenario): what devices report is judged by it. No device reads it.",
      kinds: [
        .init(TrueWorkoutBegan.self),
        .init(TrueWorkoutPaused.self),
        .init(TrueWorkoutResumed.self),
        .init(TrueWorkoutEnded.self),
        .init(TrueNight.self),
        .init(TrueMeal.self),
        .init(TrueMealRemoved.self),
        .init(TrueAppointment.self),
        .init(TrueReminder.self),
        .init(TrueDay.self),
        .init(TrueScored.self),
      ]),
    Section(
      title: "HealthKit of an app",
      about: "In runs with an app that imports [HealthKit](healthkit.md). The daemon of its device writes them.",
      kinds: [
        .init(HealthAccessAnswered.self),
        .init(HealthSessionChanged.self),
        .init(HealthCallRefused.self),
        .init(HealthWorkoutSaved.self),
        .init(HealthSamplesSynced.self),
        .init(HealthLaunchAsked.self),
        .init(HealthLaunched.self),
        .init(MirrorChanged.self),
        .init(MirrorDataSent.self),
        .init(MirrorDataReceived.self),
      ]),
    Section(
      title: "The device of an app",
      about: "In runs with an app that imports [CoreLocation, AVFoundation and the like](device-modules.md).",
      kinds: [
        .init(DeviceAccessAnswered.self),
        .init(DeviceLocationChanged.self),
        .init(DeviceSpoke.self),
        .init(DeviceFellSilent.self),
        .init(DeviceAudioChanged.self),
        .init(DeviceRecorded.self),
        .init(DeviceRecognized.self),
        .init(DeviceNotificationChanged.self),
        .init(DeviceActivityChanged.self),
        .init(DeviceCalendarChanged.self),
        .init(DeviceCallRefused.self),
      ]),
    Section(
      title: "Queued transfers", about: "`transfer` (a UUID) identifies a transfer in all its lines.",
      kinds: [
        .init(TransferQueued.self),
        .init(TransferDelivered.self),
        .init(TransferFinished.self),
        .init(TransferFailed.self),
        .init(TransferCancelled.self),
        .init(TransferProgressed.self),
        .init(TransferRedelivered.self),
        .init(TransferRefused.self),
        .init(TransferSetAside.self),
      ]),
    Section(
      title: "Messages and the application context", about: "",
      kinds: [
        .init(MessageReceived.self),
        .init(MessageSent.self),
        .init(MessageRefused.self),
        .init(MessageDuplicate.self),
        .init(MessageFailed.self),
        .init(PayloadForeign.self),
        .init(PayloadUndecodable.self),
        .init(ContextSet.self),
        .init(ContextUnchanged.self),
        .init(ContextReceived.self),
        .init(ContextRepeated.self),
      ]),
    Section(
      title: "The watch", about: "",
      kinds: [
        .init(WorkoutStateChanged.self),
        .init(WorkoutPositioned.self),
        .init(SnapshotPublished.self),
        .init(GhostSnapshotPublished.self),
        .init(HealthSaved.self),
        .init(StartAccepted.self),
        .init(CommandRefused.self),
        .init(CommandDropped.self),
        .init(VoiceRecorded.self),
        .init(VoiceReceived.self),
        .init(VoiceTranscribed.self),
        .init(VoiceDiscarded.self),
        .init(HapticPlayed.self),
        .init(HapticVoid.self),
      ]),
    Section(
      title: "Starts by the phone",
      about: "See [starts by the phone](../built-in-apps.md#starts-by-the-phone). `runId` identifies the workout.",
      kinds: [
        .init(StartAsked.self),
        .init(StartAcked.self),
        .init(StartRejected.self),
        .init(StartFailed.self),
        .init(StartCancelled.self),
        .init(StartLate.self),
        .init(EndAsked.self),
        .init(TrackerStarted.self),
        .init(TrackerEnded.self),
      ]),
    Section(
      title: "What the phone receives and believes", about: "",
      kinds: [
        .init(SnapshotFresh.self),
        .init(SnapshotStale.self),
        .init(LivenessLost.self),
        .init(LivenessRegained.self),
        .init(RunOpened.self),
        .init(RunNamed.self),
        .init(RunStateChanged.self),
        .init(RunHistory.self),
        .init(RunRefused.self),
        .init(RunRecorded.self),
        .init(RunFinished.self),
        .init(RunDiscarded.self),
      ]),
    Section(
      title: "The coach", about: "",
      kinds: [
        .init(ScriptLoaded.self),
        .init(ScriptDispatched.self),
        .init(ScriptExpired.self),
        .init(ScriptSkipped.self),
        .init(ScriptBranched.self),
        .init(AudioSessionChanged.self),
        .init(AudioStarted.self),
        .init(AudioEnded.self),
        .init(AudioInterrupted.self),
        .init(AudioDropped.self),
        .init(AudioDucked.self),
        .init(AudioUnducked.self),
        .init(VoiceSelected.self),
        .init(AudioMuted.self),
        .init(AudioUnmuted.self),
        .init(AudioInterruptionBegan.self),
        .init(AudioInterruptionEnded.self),
      ]),
    Section(
      title: "What the coach asks the edge",
      about:
        "Only in runs with an edge. `id` identifies an attempt; `kind` is generateScript, chatReply, postRunSummary or transcribe.",
      kinds: [
        .init(AIRequested.self),
        .init(AIReplied.self),
        .init(AIAnsweredFromCache.self),
        .init(AIFellBack.self),
        .init(AIAnsweredLate.self),
        .init(AIFailed.self),
        .init(AIDropped.self),
        .init(MemoryUpdated.self),
        .init(MemoryRefused.self),
      ]),
    Section(
      title: "The health store",
      about:
        "Only if the scenario has the key `health`, and `health.slept` with `phone.ingestion` or `phone.daily`. The platform copies the watch's health store to the phone, `syncLag` after a workout was saved; it answers the app's queries after 20 ms.",
      kinds: [
        .init(HealthRequested.self),
        .init(HealthAbsent.self),
        .init(HealthLinked.self),
        .init(HealthTruth.self),
        .init(HealthKept.self),
        .init(HealthObserved.self),
        .init(HealthSlept.self),
        .init(HistoryShown.self),
        .init(StoreWiped.self),
      ]),
    Section(
      title: "The ingestion of Apple data",
      about: "Only if the scenario has the key `phone.ingestion` ([ingestion](../built-in-apps.md#ingestion)).",
      kinds: [
        .init(IngestionBegan.self),
        .init(IngestionAsked.self),
        .init(IngestionRequested.self),
        .init(IngestionRefused.self),
        .init(IngestionStaged.self),
        .init(IngestionParsed.self),
        .init(IngestionFailed.self),
        .init(IngestionPurged.self),
        .init(IngestionUpdated.self),
        .init(IngestionSwitched.self),
        .init(IngestionAccess.self),
      ]),
    Section(
      title: "Daily aggregates",
      about:
        "Only with the key `phone.daily` ([totals](../built-in-apps.md#daily-totals)), except `edge.restarted`, `edge.context`, and for"
        + " `edge.workouts`, `edge.fetched`, `edge.fetchFailed` with `edge.workouts`. `daily.chat` and `edge.profiled` need"
        + " `phone.daily.chat`.",
      kinds: [
        .init(MealLogged.self),
        .init(MealEdited.self),
        .init(MealRemoved.self),
        .init(MealsBackedUp.self),
        .init(MealsRestored.self),
        .init(ChatWritten.self),
        .init(DayAggregated.self),
        .init(DaysPosted.self),
        .init(DaysSynced.self),
        .init(SyncFailed.self),
        .init(ServerContext.self),
        .init(ServerRestarted.self),
        .init(FileDamaged.self),
        .init(DayUpserted.self),
        .init(ProfileExtracted.self),
        .init(FileStored.self),
        .init(WorkoutsStored.self),
        .init(WorkoutsFetched.self),
        .init(FetchFailed.self),
      ]),
    Section(
      title: "Training sessions",
      about: "Only if the scenario has the key `phone.training` ([disciplines](../built-in-apps.md#disciplines)).",
      kinds: [
        .init(TrainingStored.self),
        .init(TrainingEdited.self),
        .init(TrainingRefused.self),
        .init(TrainingDrill.self),
        .init(CompetitionUpdated.self),
        .init(TrainingRowChanged.self),
        .init(TrainingRemoved.self),
        .init(TrainingPushed.self),
        .init(TrainingMerged.self),
        .init(TrainingShown.self),
        .init(TrainingSettled.self),
      ]),
    Section(
      title: "The edge",
      about: "Only with an [edge](../built-in-apps.md#the-edge). Requests and answers are frames of channel `http`.",
      kinds: [
        .init(UplinkReachabilityChanged.self),
        .init(UplinkDuplicate.self),
        .init(UplinkRefused.self),
        .init(UplinkUndecodable.self),
        .init(EdgeRequest.self),
        .init(EdgeResponse.self),
        .init(ModelAsked.self),
      ]),
  ]

  /// All kinds.
  public static let all: [EventKindEntry] = sections.flatMap(\.kinds)

  /// The names, in the order of ``all``.
  static let names: [TraceEvent.Name] = all.map(\.name)

  /// The index of a name in ``all``; ``TraceEvent/foreignKind`` for an event of another program.
  @usableFromInline static func kind(of name: TraceEvent.Name) -> Int { index(of: name) ?? TraceEvent.foreignKind }

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
