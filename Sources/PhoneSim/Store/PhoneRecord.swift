import CoachProtocol
package import Link

/// What the phone's app keeps beside its session: what it needs to go on after a restart.
package struct PhoneRecord: Sendable, Equatable {
  /// What was heard and is believed.
  package var consumer: ConsumerRecord
  /// Where the run stands in its script.
  package var position = ScriptPosition()
  /// The way behind the runner.
  package var trail = Trail()
  /// Whether the script's line was written.
  package var isScriptLoaded = false
  /// Whether the runner wants silence.
  package var isMuted = false
  /// Whether something else has the phone's sound.
  package var isSoundTaken = false
  /// The runs in the order in which they were opened.
  package var runs: [RunRow] = []
  /// The lines that were played, or begun, in their order.
  package var played: [PlayedMessage] = []
  /// Which of ``played``, by place, were neither heard to their end nor given up; in their order.
  package var unheard: [Int] = []
  /// The note that is being recorded; nil for none.
  package var recording: Identifier?
  /// The voice notes in the order in which they were kept.
  package var voiceNotes: [VoiceNote] = []
  /// The notes whose words are still to be found, in the order in which they were kept.
  package var transcriptions: [PendingTranscription] = []
  /// The questions to the edge that are not settled, and answers kept for the same ones.
  package var ai = AIRecord()
  /// Answers to the runner in the order in which they came.
  package var replies: [AIReply] = []
  /// The replies that wait to be spoken, in the order in which they arrived.
  package var waitingReplies: [WaitingReply] = []
  /// The script that was made last for a run, and where it came from; nil where none was.
  package var script: KeptScript?
  /// What is known of the runner, in the order in which its keys were first known.
  package var memory: [UserMemory] = []
  /// The races in the order in which they were planned.
  package var races: [RaceSetup] = []

  /// The record of a phone that was never started before.
  package init() { consumer = ConsumerRecord(startedAt: .start) }

  /// Applies one change.
  ///
  /// Changes that speak of a run, line or note that there is none of change nothing.
  @inline(__always)
  package mutating func apply(_ change: PhoneChange) {
    switch change {
    case .heard(let snapshot): apply(snapshot)
    case .rare(let change): apply(change)
    }
  }

  private mutating func apply(_ snapshot: HeardSnapshot) {
    consumer.note(snapshot)
    if snapshot.isOfRun { trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance) }
    if snapshot.isJudged { position.note(snapshot) }
  }

  @inline(never)
  private mutating func apply(_ change: RareChange) {
    switch change {
    case .consumer(let record): consumer = record
    case .scriptLoaded: isScriptLoaded = true
    case .runOpened(let run):
      // The belief forgets a run after many others; one that is then opened again has one row all the same.
      var run = run
      if let place = runs.firstIndex(where: { $0.id == run.id }) {
        run.takeRemarks(of: runs[place])
        runs[place] = run
      } else {
        runs.append(run)
      }
      position = ScriptPosition()
      trail = Trail()
      waitingReplies = []
    case .runNamed(let id, let startedAt): changeRun(id) { $0.startedAt = startedAt }
    case .runEnded(let id, let endedAt): changeRun(id) { $0.endedAt = endedAt }
    case .runFinished(let id, let uuid): changeRun(id) { $0.healthKitWorkoutUUID = uuid }
    case .position(let position): self.position = position
    case .line(let entry): position.set(entry)
    case .branch(let branch): position.branch = branch
    case .played(let message):
      unheard.append(played.count)
      played.append(message)
      position.lastDispatch = message.playedAt
    case .ended(let id): if let place = unheardPlace(of: id) { unheard.remove(at: place) }
    case .interrupted(let id):
      if let place = unheardPlace(of: id) { played[unheard.remove(at: place)].wasInterrupted = true }
    case .silenced:
      for place in unheard { played[place].wasInterrupted = true }
      unheard = []
    case .muted(let isMuted): self.isMuted = isMuted
    case .soundTaken(let isTaken): isSoundTaken = isTaken
    case .recordingBegan(let id): recording = id
    case .recordingEnded: recording = nil
    case .noteKept(let note, let transcription):
      voiceNotes.append(note)
      transcriptions.append(transcription)
    case .noteTranscribed(let id, let status, let transcript):
      transcriptions.removeAll { $0.noteId == id }
      guard let place = voiceNotes.firstIndex(where: { $0.id == id }) else { return }
      voiceNotes[place].status = status
      voiceNotes[place].transcript = transcript
    case .asked, .askingWaits, .askingOver, .answerCached, .replyKept, .replySettled, .scriptKept, .runSummarised,
      .remembered:
      applyAI(change)
    case .runRemarked, .runCached, .runRestored, .raceKept, .wiped: applyCompanion(change)
    }
  }

  mutating func changeRun(_ id: Identifier, _ body: (inout RunRow) -> Void) {
    guard let place = runs.firstIndex(where: { $0.id == id }) else { return }
    body(&runs[place])
  }

  private func unheardPlace(of messageId: String) -> Int? {
    unheard.firstIndex { played[$0].messageId == messageId }
  }
}

extension ConsumerRecord {
  /// Moves the marks on as a fresh snapshot did.
  mutating func note(_ snapshot: HeardSnapshot) {
    freshness.note(Freshness.Mark(epoch: snapshot.epoch, seq: snapshot.seq, arrivedAt: snapshot.arrivedAt))
    _ = liveness.heardFresh(at: snapshot.arrivedAt)
    if snapshot.isBelieved { belief.noteOrdinaryWord(sentAt: snapshot.sentAt) }
  }
}

extension ScriptPosition {
  /// Counts a look at the script as the engine did.
  mutating func note(_ snapshot: HeardSnapshot) {
    looks += 1
    furthestDistance = max(furthestDistance ?? -.infinity, snapshot.distance)
    furthestElapsed = max(furthestElapsed ?? -.infinity, snapshot.elapsed)
  }

  /// Sets what is known of one line; a record that says nothing leaves no entry.
  mutating func set(_ entry: Entry) {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].message < entry.message { low = middle + 1 } else { high = middle }
    }
    let isKnown = low < records.count && records[low].message == entry.message
    switch (isKnown, entry.record == .blank) {
    case (true, true): records.remove(at: low)
    case (true, false): records[low] = entry
    case (false, true): break
    case (false, false): records.insert(entry, at: low)
    }
  }
}
