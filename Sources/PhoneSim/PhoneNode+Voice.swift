import CoachProtocol
import Link

/// Received files, and voice notes of either device.
extension PhoneNode {
  /// Handles waiting files in order, until one does not fit on the disk.
  mutating func handleWaitingFiles(in turn: inout Turn) {
    var handled = 0
    while handled < waitingFiles.count, handle(waitingFiles[handled], in: &turn) { handled += 1 }
    waitingFiles.removeFirst(handled)
  }

  /// Handles one file.
  ///
  /// - Returns: False if there is no room for it yet.
  private mutating func handle(_ file: (entry: QueueEntry, offer: FileOffer), in turn: inout Turn) -> Bool {
    let metadata: FileMetadata
    do throws(FileMetadataError) { metadata = try FileMetadata(decoding: file.offer.metadata) } catch {
      session.setAside(file.entry, error: error.description, in: &turn)
      return true
    }
    switch metadata {
    case .probe:
      session.markHandled(file.entry, in: &turn)
      recordDelivered(file.entry, metadata, in: &turn)
      session.commitHandled(file.entry, in: &turn)
    case .voiceNote(let note):
      guard !isDiskFull else { return false }
      receive(note, file, in: &turn)
    }
    return true
  }

  func recordDelivered(_ entry: QueueEntry, _ metadata: FileMetadata, in turn: inout Turn) {
    turn.record(TransferDelivered.self, on: .phone) {
      $0.describe(entry)
      $0.details = metadata.eventDetails
    }
  }

  /// Stores a voice note of the watch: row and handled mark are one transaction.
  private mutating func receive(
    _ note: VoiceNoteMetadata, _ file: (entry: QueueEntry, offer: FileOffer), in turn: inout Turn
  ) {
    let now = turn.now
    if setup.plants.contains(.delegateRace), audio.isSpeaking {
      return loseRace(note, file.entry, in: &turn)
    }
    session.markHandled(file.entry, in: &turn)
    if setup.plants.contains(.noteAcknowledgedEarly) { acknowledgeNote(in: &turn) }
    let isNew = noteIds.insert(note.noteId).inserted
    let row = VoiceNote(id: note.noteId, runId: note.runId, recordedAt: note.recordedAt.nanoseconds)
    let pending = PendingTranscription(
      noteId: note.noteId, runId: note.runId, says: note.says, outcome: note.transcription)
    if isNew {
      turn.items.append(.file(.keep(file.entry.transfer, as: row.audioFilePath)))
      persist(.noteStored(row, pending), in: &turn)
    }
    recordDelivered(file.entry, .voiceNote(note), in: &turn)
    if isNew {
      turn.record(row.receivedEvent(bytes: file.offer.byteCount, seconds: note.seconds, at: now))
    }
    session.commitHandled(file.entry, in: &turn)
    guard isNew else { return }
    turn.items.append(.crashPoint(.voiceCommitted))
    transcriber.begin(pending, at: now)
  }

  // MARK: Recording

  mutating func record(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    do throws(CommandRefusal) {
      guard let order = try RecordCommand.reading(command) else { preconditionFailure("\(command.name) records") }
      guard recorder.recording == nil else { throw CommandRefusal("a note is being recorded") }
      guard !isDiskFull else { throw CommandRefusal(SessionError.insufficientSpace.rawValue) }
      let noteId = Identifier(
        RandomStream(seed: setup.seed, name: "phone.voice"), for: UInt64(bitPattern: now.nanoseconds))
      let isOn = consumer.state != nil && consumer.state != .ended
      recorder.begin(
        VoiceRecorder.Recording(
          noteId: noteId, runId: isOn ? consumer.workoutId : nil, recordedAt: clock.reading(at: now), command: order,
          endsAt: now + order.span))
      commit(.recordingBegan(noteId), in: &turn)
    } catch {
      refuse(command.name, why: error.why, in: &turn)
    }
  }

  /// Stores a finished recording, if there is room for it.
  mutating func finishRecording(in turn: inout Turn) {
    let now = turn.now
    guard let recording = recorder.popDue(at: now) else { return }
    guard !isDiskFull else {
      commit(.recordingEnded, in: &turn)
      return refuse(RecordCommand.word, why: SessionError.insufficientSpace.rawValue, in: &turn)
    }
    let row = VoiceNote(id: recording.noteId, runId: recording.runId, recordedAt: recording.recordedAt)
    let pending = PendingTranscription(
      noteId: recording.noteId, runId: recording.runId, says: recording.command.says,
      outcome: recording.command.transcription)
    noteIds.insert(recording.noteId)
    turn.items.append(.file(.make(recording.content, as: row.audioFilePath)))
    persist(.recordingEnded, in: &turn)
    commit(.noteStored(row, pending), in: &turn)
    turn.record(
      row.recordedEvent(bytes: recording.content.byteCount, seconds: recording.command.seconds, at: now))
    turn.items.append(.crashPoint(.voiceCommitted))
    transcriber.begin(pending, at: now)
  }

  // MARK: Transcriptions

  /// Stores finished transcriptions; the audio stays whether or not it had words.
  mutating func finishTranscriptions(in turn: inout Turn) {
    while let note = transcriber.popDue(at: turn.now) {
      let isDone = note.outcome == .done
      let transcript = isDone ? note.says ?? "" : nil
      persist(.noteTranscribed(note.noteId, isDone ? .done : .failed, transcript: transcript), in: &turn)
      // With an edge, the request that follows is committed in the same transaction.
      if !setup.hasEdge { turn.items.append(.commit) }
      turn.record(VoiceTranscribed.self, on: .phone) {
        $0.note = note.noteId
        $0.status = isDone ? .done : .failed
        $0.transcript = transcript
      }
      if setup.hasEdge {
        coach.ask(about: note, at: coachMoment(at: turn.now), &engine, &changes, in: &turn)
        turn.items.append(.commit)
      }
    }
  }
}

extension VoiceNote {
  /// The `voice.received` event.
  func receivedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceReceived.self, at: now, on: .phone) {
      $0.note = id
      $0.runId = runId
      $0.recordedAt = recordedAt
      $0.bytes = Int64(clamping: bytes)
      $0.seconds = seconds
    }
  }

  /// The `voice.recorded` event: the watch's fields first, in the watch's order.
  func recordedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceRecorded.self, at: now, on: .phone) {
      $0.note = id
      $0.seconds = seconds
      $0.bytes = Int64(clamping: bytes)
      $0.runId = runId
      $0.recordedAt = recordedAt
    }
  }
}
