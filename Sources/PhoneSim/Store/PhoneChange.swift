package import CoachProtocol
package import Link

/// One durable change of what the phone knows.
///
/// The one of every second lies flat; all others are boxed, so that a list of changes costs next to nothing.
package enum PhoneChange: Sendable, Equatable {
  /// A fresh snapshot came.
  case heard(HeardSnapshot)
  /// Something else changed.
  indirect case rare(RareChange)
}

/// A durable change that does not come every second.
package enum RareChange: Sendable, Equatable {
  /// What is heard and believed changed in more than the marks of ``PhoneChange/heard(_:)``.
  case consumer(ConsumerRecord)
  /// The script is in force: its line is written once.
  case scriptLoaded
  /// A workout became the phone's run: it begins with an empty position and no trail; a row it had is replaced.
  case runOpened(RunRow)
  /// A run's start is known.
  case runNamed(Identifier, startedAt: WatchTime)
  /// A run has ended.
  case runEnded(Identifier, endedAt: WatchTime)
  /// A run is saved on the watch.
  case runFinished(Identifier, healthKitWorkoutUUID: Identifier)
  /// The script position as a whole.
  case position(ScriptPosition)
  /// What is known of one line of the script.
  case line(ScriptPosition.Entry)
  /// The branch that is active.
  case branch(String?)
  /// A line is about to be spoken, and the window between two begins anew: no commit, no speech.
  case played(PlayedMessage)
  /// The oldest line of this id that was not yet heard to its end was.
  case ended(messageId: String)
  /// The oldest line of this id that was not yet heard to its end will not be.
  case interrupted(messageId: String)
  /// The phone's process is gone, and with it every line that was being spoken or waited.
  case silenced
  /// Whether the runner wants silence.
  case muted(Bool)
  /// Whether something else has the phone's sound.
  case soundTaken(Bool)
  /// A note is being recorded.
  case recordingBegan(Identifier)
  /// It is no longer.
  case recordingEnded
  /// A voice note's audio is kept, and its words are to be found.
  case noteKept(VoiceNote, PendingTranscription)
  /// The search for a note's words is over.
  case noteTranscribed(Identifier, VoiceNote.Status, transcript: String?)
  /// A question is asked, in the place of an attempt before it.
  case asked(AIRequest, replacing: Identifier?)
  /// A question waits to be asked again.
  case askingWaits(Identifier, until: VirtualTime)
  /// A question is settled, or given up.
  case askingOver(Identifier)
  /// An answer is kept for the same question.
  case answerCached(CachedAnswer)
  /// An answer to the runner is kept; where it waits to be spoken, how.
  case replyKept(AIReply, WaitingReply?)
  /// A reply waits no longer: it is about to be spoken, or nil where it never will be.
  case replySettled(Identifier, playedAt: VirtualTime?)
  /// A script that was made for the run is in force.
  case scriptKept(Script, source: ScriptSource)
  /// What there is to say about a run.
  case runSummarised(Identifier, String)
  /// Something is known of the runner; what was known under its key is replaced.
  case remembered(UserMemory)
  /// What the runner wrote about a run that is over; a label stays where there is no other.
  case runRemarked(Identifier, RunRemarks)
  /// The health store was read: what the list of runs shows of a run.
  case runCached(Identifier, CachedTruth)
  /// A run that only the health store still knew has a row again; one that has a row stays as it is.
  case runRestored(RunRow)
  /// A race is planned, or became a run; what was known under its name is replaced.
  case raceKept(RaceSetup)
  /// The runner deleted everything that the app keeps of runs, and of the runner.
  case wiped
}
