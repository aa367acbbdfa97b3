import CoachProtocol
package import Link

/// The app's stored state, beside its session's: all that a restart needs.
package struct PhoneRecord: Sendable, Equatable {
  package var consumer: ConsumerRecord
  package var position = ScriptPosition()
  package var trail = Trail()
  /// Whether the script's event was recorded.
  package var isScriptLoaded = false
  package var isMuted = false
  /// Whether another app holds the audio.
  package var isAudioTaken = false
  /// In the order in which they were opened.
  package var runs: [RunRow] = []
  /// The dispatched lines in order.
  package var played: [PlayedMessage] = []
  /// Indices into ``played`` of lines neither finished nor cut off, in order.
  package var unheard: [Int] = []
  /// The note that is being recorded, if any.
  package var recording: Identifier?
  /// In the order in which they were stored.
  package var voiceNotes: [VoiceNote] = []
  /// Notes with pending transcriptions, in the order in which they were stored.
  package var transcriptions: [PendingTranscription] = []
  package var ai = AIRecord()
  /// Replies to the runner in the order of arrival.
  package var replies: [AIReply] = []
  /// Replies that wait to be spoken, in the order of arrival.
  package var waitingReplies: [WaitingReply] = []
  /// The last script made for a run, if any.
  package var script: StoredScript?
  /// Facts about the runner, in the order in which their keys were first stored.
  package var memory: [UserMemory] = []
  /// In the order in which they were planned.
  package var races: [RaceSetup] = []
  package var ingestion = IngestionRecord()
  package var daily = DailyRecord()
  package var training = TrainingRecord()
  /// What the second phone has.
  package var secondTraining = TrainingRecord()

  /// The record before a phone's first start.
  package init() { consumer = ConsumerRecord(startedAt: .start) }

  /// Applies one change; no effect if it names an unknown run, line or note.
  @inline(__always)
  package mutating func apply(_ change: PhoneChange) {
    switch change {
    case .heard(let snapshot): apply(snapshot)
    case .rare(let change): apply(change)
    }
  }

  private mutating func apply(_ snapshot: HeardSnapshot) {
    consumer.apply(snapshot)
    if snapshot.isOfRun { trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance) }
    if snapshot.isJudged { position.apply(snapshot) }
  }

  @inline(never)
  private mutating func apply(_ change: RareChange) {
    switch change {
    case .consumer(let record): consumer = record
    case .scriptLoaded: isScriptLoaded = true
    case .runOpened(let run):
      // The belief forgets old runs; one that reopens still has one row.
      var run = run
      if let index = runs.firstIndex(where: { $0.id == run.id }) {
        run.inheritRemarks(of: runs[index])
        runs[index] = run
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
    case .ended(let id): if let index = unheardIndex(of: id) { unheard.remove(at: index) }
    case .interrupted(let id):
      if let index = unheardIndex(of: id) { played[unheard.remove(at: index)].wasInterrupted = true }
    case .silenced:
      for index in unheard { played[index].wasInterrupted = true }
      unheard = []
    case .muted(let isMuted): self.isMuted = isMuted
    case .audioTaken(let isTaken): isAudioTaken = isTaken
    case .recordingBegan(let id): recording = id
    case .recordingEnded: recording = nil
    case .noteStored(let note, let transcription):
      voiceNotes.append(note)
      transcriptions.append(transcription)
    case .noteTranscribed(let id, let status, let transcript):
      transcriptions.removeAll { $0.noteId == id }
      guard let index = voiceNotes.firstIndex(where: { $0.id == id }) else { return }
      voiceNotes[index].status = status
      voiceNotes[index].transcript = transcript
    case .asked(let request, let old): ai.set(request, replacing: old)
    case .requestWaits(let id, let until):
      if let index = ai.requests.firstIndex(where: { $0.id == id }) { ai.requests[index].retryAt = until }
    case .requestSettled(let id): ai.requests.removeAll { $0.id == id }
    case .answerCached(let answer): ai.add(answer)
    case .replyStored(let reply, let waiting):
      replies.append(reply)
      if let waiting { waitingReplies.append(waiting) }
      guard let index = voiceNotes.firstIndex(where: { $0.id == reply.noteId }) else { return }
      // A late answer does not replace the spoken one.
      if voiceNotes[index].aiReplyId == nil { voiceNotes[index].aiReplyId = reply.id.text }
    case .replySettled(let id, let playedAt):
      waitingReplies.removeAll { $0.id == id }
      guard let playedAt, let index = replies.firstIndex(where: { $0.id == id }) else { return }
      replies[index].playedAt = playedAt
    case .scriptStored(let script, let source): self.script = StoredScript(script: script, source: source)
    case .runSummarised(let id, let text): changeRun(id) { $0.summaryText = text }
    case .remembered(let row):
      if let index = memory.firstIndex(where: { $0.fact.key == row.fact.key }) {
        memory[index] = row
      } else {
        memory.append(row)
      }
    case .ingestion(let change): ingestion.apply(change)
    case .daily(let change): daily.apply(change)
    case .training(let change): training.apply(change)
    case .secondTraining(let change): secondTraining.apply(change)
    case .runRemarked(let id, let remarks): changeRun(id) { $0.apply(remarks) }
    case .runCached(let id, let cached): changeRun(id) { $0.cached = cached }
    case .runRestored(let run): if !runs.contains(where: { $0.id == run.id }) { runs.append(run) }
    case .raceStored(let race):
      if let index = races.firstIndex(where: { $0.id == race.id }) { races[index] = race } else { races.append(race) }
    case .wiped: wipe()
    }
  }

  mutating func changeRun(_ id: Identifier, _ body: (inout RunRow) -> Void) {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    body(&runs[index])
  }

  private mutating func wipe() {
    runs = []
    played = []
    unheard = []
    voiceNotes = []
    transcriptions = []
    ai = AIRecord()
    replies = []
    waitingReplies = []
    script = nil
    memory = []
    races = []
  }

  private func unheardIndex(of messageId: String) -> Int? {
    unheard.firstIndex { played[$0].messageId == messageId }
  }
}

extension ConsumerRecord {
  /// Updates the marks at a fresh snapshot.
  mutating func apply(_ snapshot: HeardSnapshot) {
    freshness.restore(Freshness.Mark(epoch: snapshot.epoch, seq: snapshot.seq, arrivedAt: snapshot.arrivedAt))
    _ = liveness.recordFresh(at: snapshot.arrivedAt)
    if snapshot.isBelieved { belief.advanceNewestTime(sentAt: snapshot.sentAt) }
  }
}

extension ScriptPosition {
  /// Counts an evaluation as the engine did.
  mutating func apply(_ snapshot: HeardSnapshot) {
    evaluations += 1
    furthestDistance = max(furthestDistance ?? -.infinity, snapshot.distance)
    furthestElapsed = max(furthestElapsed ?? -.infinity, snapshot.elapsed)
  }

  /// Sets one line's record; a blank one is removed.
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

/// A script made for a run.
package struct StoredScript: Sendable, Equatable {
  package var script: Script
  package var source: ScriptSource
}

extension RunRow {
  /// Sets the given remarks; the others stay.
  mutating func apply(_ remarks: RunRemarks) {
    label = remarks.label ?? label
    userNotes = remarks.userNotes ?? userNotes
    perceivedEffort = remarks.perceivedEffort ?? perceivedEffort
  }

  /// Keeps the runner's own remarks of the replaced row.
  mutating func inheritRemarks(of old: RunRow) {
    label = label ?? old.label
    userNotes = userNotes ?? old.userNotes
    perceivedEffort = perceivedEffort ?? old.perceivedEffort
  }
}

extension PhoneRecord {
  /// Those of the names in the app's folder that are audio of no stored note.
  func orphans(among names: [String]) -> [String] {
    guard names.contains(where: VoiceNote.isAudioFileName) else { return [] }
    let owned = Set(voiceNotes.map(\.audioFilePath))
    return names.filter { VoiceNote.isAudioFileName($0) && !owned.contains($0) }
  }
}
