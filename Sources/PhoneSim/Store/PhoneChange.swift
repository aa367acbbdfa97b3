package import CoachProtocol
package import Link

/// One durable change of the phone's state.
///
/// The change of every second is stored inline, all others are boxed, so that lists of changes stay small.
package enum PhoneChange: Sendable, Equatable {
  /// A fresh snapshot arrived.
  case heard(HeardSnapshot)
  indirect case rare(RareChange)
}

/// A durable change that does not come every second.
package enum RareChange: Sendable, Equatable {
  /// Belief or liveness changed in more than the marks of ``PhoneChange/heard(_:)``.
  case consumer(ConsumerRecord)
  /// The script is in force, and its event was recorded.
  case scriptLoaded
  /// A workout became the phone's run, with empty position and trail; replaces its row if it had one.
  case runOpened(RunRow)
  case runNamed(Identifier, startedAt: WatchTime)
  case runEnded(Identifier, endedAt: WatchTime)
  /// The run was saved on the watch.
  case runFinished(Identifier, healthKitWorkoutUUID: Identifier)
  /// The watch discarded a workout that never ran; no effect on one that the phone tracked itself.
  case runDiscarded(Identifier)
  /// The complete script position.
  case position(ScriptPosition)
  /// One line's record.
  case line(ScriptPosition.Entry)
  /// The active branch.
  case branch(String?)
  /// A line is about to be spoken, which opens a new window; committed before it is spoken.
  case played(PlayedMessage)
  /// The oldest unfinished line with this id was spoken to its end.
  case ended(messageId: String)
  /// The oldest unfinished line with this id was cut off.
  case interrupted(messageId: String)
  /// The process ended, and with it every line that was spoken or queued.
  case silenced
  case muted(Bool)
  /// Whether another app holds the audio.
  case audioTaken(Bool)
  /// The user chose a voice; nil for the best one for the language.
  case voiceChosen(String?)
  case recordingBegan(Identifier)
  case recordingEnded
  /// A voice note's audio is stored; its transcription is pending.
  case noteStored(VoiceNote, PendingTranscription)
  /// A transcription finished.
  case noteTranscribed(Identifier, VoiceNote.Status, transcript: String?)
  /// A request was sent, replacing an earlier attempt.
  case asked(AIRequest, replacing: Identifier?)
  /// A request waits for its retry.
  case requestWaits(Identifier, until: VirtualTime)
  /// A request was settled or dropped.
  case requestSettled(Identifier)
  case answerCached(CachedAnswer)
  /// A reply was stored; with its entry if it waits to be spoken.
  case replyStored(AIReply, WaitingReply?)
  /// A reply no longer waits: it is about to be spoken, or never will be (nil).
  case replySettled(Identifier, playedAt: VirtualTime?)
  /// A script made for the run is in force.
  case scriptStored(Script, source: ScriptSource)
  case runSummarised(Identifier, String)
  /// A fact about the athlete; replaces the one with its key.
  case remembered(UserMemory)
  /// The athlete's remarks about a finished run; an existing label stays if there is no new one.
  case runRemarked(Identifier, RunRemarks)
  /// The figures that the list of runs shows.
  case runCached(Identifier, CachedTruth)
  /// The row of a run that only the health store still knew; an existing row stays as it is.
  case runRestored(RunRow)
  /// A race was planned or became a run; replaces the one with its id.
  case raceStored(RaceSetup)
  /// The ingestion of Apple data.
  case ingestion(IngestionChange)
  /// Meals and daily aggregates.
  case daily(DailyChange)
  /// Training sessions.
  case training(TrainingChange)
  /// Training sessions of the second phone.
  case secondTraining(TrainingChange)
  /// The athlete deleted everything stored about runs and the athlete.
  case wiped
}

extension [PhoneChange] {
  /// Adds a change to the transaction that the next commit closes.
  mutating func persist(_ change: RareChange, in turn: inout Turn) { persist(.rare(change), in: &turn) }

  /// Adds a change and closes the transaction.
  mutating func commit(_ change: RareChange, in turn: inout Turn) {
    persist(change, in: &turn)
    turn.items.append(.commit)
  }

  /// Adds a change of either kind to the transaction that the next commit closes.
  @inline(__always)
  mutating func persist(_ change: PhoneChange, in turn: inout Turn) {
    turn.items.append(.appChange(count))
    append(change)
  }
}

/// The change of a fresh snapshot, in few bytes because there is one every second.
///
/// Applied to a record it does what the machines did: updates the marks, appends to the trail, counts an evaluation.
/// Other changes follow as changes of their own.
package struct HeardSnapshot: Sendable, Equatable {
  package var epoch: Epoch
  /// Whether it only moves the newest time of the believed run.
  package var isBelieved: Bool
  /// Whether it is a point of the run's trail.
  package var isOfRun: Bool
  /// Whether the script was evaluated.
  package var isJudged: Bool
  package var seq: SequenceNumber
  /// When it arrived; silence counts from here.
  package var arrivedAt: VirtualTime
  package var sentAt: WatchTime
  /// Seconds of the run.
  package var elapsed: Double
  /// Metres of the run.
  package var distance: Double

  package init(
    epoch: Epoch, seq: SequenceNumber, arrivedAt: VirtualTime, sentAt: WatchTime, elapsed: Double, distance: Double,
    isBelieved: Bool, isOfRun: Bool, isJudged: Bool
  ) {
    self.epoch = epoch
    self.seq = seq
    self.arrivedAt = arrivedAt
    self.sentAt = sentAt
    self.elapsed = elapsed
    self.distance = distance
    self.isBelieved = isBelieved
    self.isOfRun = isOfRun
    self.isJudged = isJudged
  }
}
