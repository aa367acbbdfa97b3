/// What a checker does with events of the devices, the edge and the athlete: a method for each kind, which does nothing by default.
public protocol DeviceMethods {
  /// An answer to the runner: from the edge, a stock line, or from the cache; called after the method of its own kind.
  mutating func answered(_ answer: AnswerFields, at place: Occurrence, into report: inout Report)
  mutating func workoutState(_ event: WorkoutStateChanged, at place: Occurrence, into report: inout Report)
  mutating func snapshot(_ event: SnapshotPublished, at place: Occurrence, into report: inout Report)
  mutating func ghostSnapshot(_ event: GhostSnapshotPublished, at place: Occurrence, into report: inout Report)
  mutating func healthSaved(_ event: HealthSaved, at place: Occurrence, into report: inout Report)
  mutating func healthObserved(_ event: HealthObserved, at place: Occurrence, into report: inout Report)
  mutating func healthTruth(_ event: HealthTruth, at place: Occurrence, into report: inout Report)
  mutating func voiceRecorded(_ event: VoiceRecorded, at place: Occurrence, into report: inout Report)
  mutating func voiceReceived(_ event: VoiceReceived, at place: Occurrence, into report: inout Report)
  mutating func voiceTranscribed(_ event: VoiceTranscribed, at place: Occurrence, into report: inout Report)
  mutating func haptic(_ event: HapticPlayed, at place: Occurrence, into report: inout Report)
  mutating func startAsked(_ event: StartAsked, at place: Occurrence, into report: inout Report)
  mutating func startAcked(_ event: StartAcked, at place: Occurrence, into report: inout Report)
  mutating func startDeclined(_ event: StartRejected, at place: Occurrence, into report: inout Report)
  mutating func startFailed(_ event: StartFailed, at place: Occurrence, into report: inout Report)
  mutating func startCancelled(_ event: StartCancelled, at place: Occurrence, into report: inout Report)
  mutating func startLate(_ event: StartLate, at place: Occurrence, into report: inout Report)
  mutating func endAsked(_ event: EndAsked, at place: Occurrence, into report: inout Report)
  mutating func trackerStarted(_ event: TrackerStarted, at place: Occurrence, into report: inout Report)
  mutating func trackerEnded(_ event: TrackerEnded, at place: Occurrence, into report: inout Report)
  mutating func snapshotFresh(_ event: SnapshotFresh, at place: Occurrence, into report: inout Report)
  mutating func snapshotStale(_ event: SnapshotStale, at place: Occurrence, into report: inout Report)
  mutating func livenessDisconnected(_ event: LivenessLost, at place: Occurrence, into report: inout Report)
  mutating func livenessReconnected(_ event: LivenessRegained, at place: Occurrence, into report: inout Report)
  mutating func runOpened(_ event: RunOpened, at place: Occurrence, into report: inout Report)
  mutating func runNamed(_ event: RunNamed, at place: Occurrence, into report: inout Report)
  mutating func runState(_ event: RunStateChanged, at place: Occurrence, into report: inout Report)
  mutating func runFinished(_ event: RunFinished, at place: Occurrence, into report: inout Report)
  mutating func runRecorded(_ event: RunRecorded, at place: Occurrence, into report: inout Report)
  mutating func runDiscarded(_ event: RunDiscarded, at place: Occurrence, into report: inout Report)
  mutating func scriptLoaded(_ event: ScriptLoaded, at place: Occurrence, into report: inout Report)
  mutating func scriptDispatch(_ event: ScriptDispatched, at place: Occurrence, into report: inout Report)
  mutating func scriptExpired(_ event: ScriptExpired, at place: Occurrence, into report: inout Report)
  mutating func scriptSkipped(_ event: ScriptSkipped, at place: Occurrence, into report: inout Report)
  mutating func audioVoice(_ event: VoiceSelected, at place: Occurrence, into report: inout Report)
  mutating func audioSession(_ event: AudioSessionChanged, at place: Occurrence, into report: inout Report)
  mutating func audioStart(_ event: AudioStarted, at place: Occurrence, into report: inout Report)
  mutating func audioEnd(_ event: AudioEnded, at place: Occurrence, into report: inout Report)
  mutating func audioInterrupted(_ event: AudioInterrupted, at place: Occurrence, into report: inout Report)
  mutating func audioInterruptionBegan(
    _ event: AudioInterruptionBegan, at place: Occurrence, into report: inout Report)
  mutating func audioInterruptionEnded(
    _ event: AudioInterruptionEnded, at place: Occurrence, into report: inout Report)
  mutating func audioDuck(_ event: AudioDucked, at place: Occurrence, into report: inout Report)
  mutating func audioUnduck(_ event: AudioUnducked, at place: Occurrence, into report: inout Report)
  mutating func aiRequested(_ event: AIRequested, at place: Occurrence, into report: inout Report)
  mutating func aiReply(_ event: AIReplied, at place: Occurrence, into report: inout Report)
  mutating func aiCached(_ event: AIAnsweredFromCache, at place: Occurrence, into report: inout Report)
  mutating func aiFallback(_ event: AIFellBack, at place: Occurrence, into report: inout Report)
  mutating func aiLate(_ event: AIAnsweredLate, at place: Occurrence, into report: inout Report)
  mutating func aiFailed(_ event: AIFailed, at place: Occurrence, into report: inout Report)
  mutating func memoryUpdated(_ event: MemoryUpdated, at place: Occurrence, into report: inout Report)
  mutating func healthKept(_ event: HealthKept, at place: Occurrence, into report: inout Report)
  mutating func healthSlept(_ event: HealthSlept, at place: Occurrence, into report: inout Report)
  mutating func ingestionBegan(_ event: IngestionBegan, at place: Occurrence, into report: inout Report)
  mutating func ingestionAsked(_ event: IngestionAsked, at place: Occurrence, into report: inout Report)
  mutating func ingestionRequested(_ event: IngestionRequested, at place: Occurrence, into report: inout Report)
  mutating func ingestionRefused(_ event: IngestionRefused, at place: Occurrence, into report: inout Report)
  mutating func ingestionStaged(_ event: IngestionStaged, at place: Occurrence, into report: inout Report)
  mutating func ingestionParsed(_ event: IngestionParsed, at place: Occurrence, into report: inout Report)
  mutating func ingestionFailed(_ event: IngestionFailed, at place: Occurrence, into report: inout Report)
  mutating func ingestionPurged(_ event: IngestionPurged, at place: Occurrence, into report: inout Report)
  mutating func ingestionUpdated(_ event: IngestionUpdated, at place: Occurrence, into report: inout Report)
  mutating func mealLogged(_ event: MealLogged, at place: Occurrence, into report: inout Report)
  mutating func chatWritten(_ event: ChatWritten, at place: Occurrence, into report: inout Report)
  mutating func mealRemoved(_ event: MealRemoved, at place: Occurrence, into report: inout Report)
  mutating func dayAggregated(_ event: DayAggregated, at place: Occurrence, into report: inout Report)
  mutating func daysPosted(_ event: DaysPosted, at place: Occurrence, into report: inout Report)
  mutating func daysSynced(_ event: DaysSynced, at place: Occurrence, into report: inout Report)
  mutating func syncFailed(_ event: SyncFailed, at place: Occurrence, into report: inout Report)
  mutating func serverRestarted(_ event: ServerRestarted, at place: Occurrence, into report: inout Report)
  mutating func fileDamaged(_ event: FileDamaged, at place: Occurrence, into report: inout Report)
  mutating func dayUpserted(_ event: DayUpserted, at place: Occurrence, into report: inout Report)
  mutating func profileExtracted(_ event: ProfileExtracted, at place: Occurrence, into report: inout Report)
  mutating func fileStored(_ event: FileStored, at place: Occurrence, into report: inout Report)
  mutating func workoutsStored(_ event: WorkoutsStored, at place: Occurrence, into report: inout Report)
  mutating func workoutsFetched(_ event: WorkoutsFetched, at place: Occurrence, into report: inout Report)
  mutating func trainingStored(_ event: TrainingStored, at place: Occurrence, into report: inout Report)
  mutating func trainingEdited(_ event: TrainingEdited, at place: Occurrence, into report: inout Report)
  mutating func trainingDrill(_ event: TrainingDrill, at place: Occurrence, into report: inout Report)
  mutating func competitionUpdated(_ event: CompetitionUpdated, at place: Occurrence, into report: inout Report)
  mutating func trainingRowChanged(_ event: TrainingRowChanged, at place: Occurrence, into report: inout Report)
  mutating func trainingRemoved(_ event: TrainingRemoved, at place: Occurrence, into report: inout Report)
  mutating func trainingShown(_ event: TrainingShown, at place: Occurrence, into report: inout Report)
  mutating func trainingSettled(_ event: TrainingSettled, at place: Occurrence, into report: inout Report)
  mutating func edgeRequest(_ event: EdgeRequest, at place: Occurrence, into report: inout Report)
  mutating func edgeModel(_ event: ModelAsked, at place: Occurrence, into report: inout Report)
  mutating func trueWorkoutBegan(_ event: TrueWorkoutBegan, at place: Occurrence, into report: inout Report)
  mutating func trueWorkoutEnded(_ event: TrueWorkoutEnded, at place: Occurrence, into report: inout Report)
  mutating func mealEdited(_ event: MealEdited, at place: Occurrence, into report: inout Report)
  mutating func serverContext(_ event: ServerContext, at place: Occurrence, into report: inout Report)
  mutating func trueNight(_ event: TrueNight, at place: Occurrence, into report: inout Report)
  mutating func trueMeal(_ event: TrueMeal, at place: Occurrence, into report: inout Report)
  mutating func trueMealRemoved(_ event: TrueMealRemoved, at place: Occurrence, into report: inout Report)
  mutating func trueAppointment(_ event: TrueAppointment, at place: Occurrence, into report: inout Report)
  mutating func trueReminder(_ event: TrueReminder, at place: Occurrence, into report: inout Report)
  mutating func trueDay(_ event: TrueDay, at place: Occurrence, into report: inout Report)
  mutating func trueScored(_ event: TrueScored, at place: Occurrence, into report: inout Report)
  mutating func ingestionSwitched(_ event: IngestionSwitched, at place: Occurrence, into report: inout Report)
  mutating func historyShown(_ event: HistoryShown, at place: Occurrence, into report: inout Report)
}

extension DeviceMethods {
  @inlinable public func answered(_: AnswerFields, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func workoutState(_: WorkoutStateChanged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func snapshot(_: SnapshotPublished, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ghostSnapshot(_: GhostSnapshotPublished, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healthSaved(_: HealthSaved, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healthObserved(_: HealthObserved, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healthTruth(_: HealthTruth, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func voiceRecorded(_: VoiceRecorded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func voiceReceived(_: VoiceReceived, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func voiceTranscribed(_: VoiceTranscribed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func haptic(_: HapticPlayed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startAsked(_: StartAsked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startAcked(_: StartAcked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startDeclined(_: StartRejected, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startFailed(_: StartFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startCancelled(_: StartCancelled, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func startLate(_: StartLate, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func endAsked(_: EndAsked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trackerStarted(_: TrackerStarted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trackerEnded(_: TrackerEnded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func snapshotFresh(_: SnapshotFresh, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func snapshotStale(_: SnapshotStale, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func livenessDisconnected(_: LivenessLost, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func livenessReconnected(_: LivenessRegained, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runOpened(_: RunOpened, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runNamed(_: RunNamed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runState(_: RunStateChanged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runFinished(_: RunFinished, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runRecorded(_: RunRecorded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func runDiscarded(_: RunDiscarded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func scriptLoaded(_: ScriptLoaded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func scriptDispatch(_: ScriptDispatched, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func scriptExpired(_: ScriptExpired, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func scriptSkipped(_: ScriptSkipped, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioVoice(_: VoiceSelected, at place: Occurrence, into report: inout Report) { report.skip() }
  @inlinable public func audioSession(_: AudioSessionChanged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioStart(_: AudioStarted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioEnd(_: AudioEnded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioInterrupted(_: AudioInterrupted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioInterruptionBegan(
    _: AudioInterruptionBegan, at place: Occurrence, into report: inout Report
  ) {}
  @inlinable public func audioInterruptionEnded(
    _: AudioInterruptionEnded, at place: Occurrence, into report: inout Report
  ) {}
  @inlinable public func audioDuck(_: AudioDucked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func audioUnduck(_: AudioUnducked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiRequested(_: AIRequested, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiReply(_: AIReplied, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiCached(_: AIAnsweredFromCache, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiFallback(_: AIFellBack, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiLate(_: AIAnsweredLate, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func aiFailed(_: AIFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func memoryUpdated(_: MemoryUpdated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healthKept(_: HealthKept, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healthSlept(_: HealthSlept, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionBegan(_: IngestionBegan, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionAsked(_: IngestionAsked, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionRequested(_: IngestionRequested, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionRefused(_: IngestionRefused, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionStaged(_: IngestionStaged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionParsed(_: IngestionParsed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionFailed(_: IngestionFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionPurged(_: IngestionPurged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionUpdated(_: IngestionUpdated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func mealLogged(_: MealLogged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func chatWritten(_: ChatWritten, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func mealRemoved(_: MealRemoved, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func dayAggregated(_: DayAggregated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func daysPosted(_: DaysPosted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func daysSynced(_: DaysSynced, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func syncFailed(_: SyncFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func serverRestarted(_: ServerRestarted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func fileDamaged(_: FileDamaged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func dayUpserted(_: DayUpserted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func profileExtracted(_: ProfileExtracted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func fileStored(_: FileStored, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func workoutsStored(_: WorkoutsStored, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func workoutsFetched(_: WorkoutsFetched, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingStored(_: TrainingStored, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingEdited(_: TrainingEdited, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingDrill(_: TrainingDrill, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func competitionUpdated(_: CompetitionUpdated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingRowChanged(_: TrainingRowChanged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingRemoved(_: TrainingRemoved, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingShown(_: TrainingShown, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trainingSettled(_: TrainingSettled, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func edgeRequest(_: EdgeRequest, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func edgeModel(_: ModelAsked, at place: Occurrence, into report: inout Report) { report.skip() }
  @inlinable public func trueWorkoutBegan(_: TrueWorkoutBegan, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueWorkoutEnded(_: TrueWorkoutEnded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func mealEdited(_: MealEdited, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func serverContext(_: ServerContext, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueNight(_: TrueNight, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueMeal(_: TrueMeal, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueMealRemoved(_: TrueMealRemoved, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueAppointment(_: TrueAppointment, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueReminder(_: TrueReminder, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueDay(_: TrueDay, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func trueScored(_: TrueScored, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func ingestionSwitched(_: IngestionSwitched, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func historyShown(_: HistoryShown, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
}
