import CoachProtocol
import Link

/// Talk to coach: voice notes, from their recording until the phone has them.
///
/// Where the specification is silent:
/// * The end of a workout ends the recording, which is sent. Discarding a workout discards its recording, but not
///   earlier notes.
/// * `cancelTalk` discards the current recording, or else withdraws the latest note that the phone does not have. A
///   withdrawn or refused note is not queued again.
/// * A note whose transfer fails is queued again, as a new transfer, until the phone has it.
extension WatchNode {
  mutating func carryOutTalk(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    guard let host, host.state != .ended else {
      return refuse(command.name, why: "no workout is on", in: &turn)
    }
    guard recording == nil else {
      return refuse(command.name, why: "a note is being recorded", in: &turn)
    }
    do throws(CommandRefusal) {
      let order = try command.reading { RecordCommand($0) }
      recording = VoiceRecording(
        order: order,
        noteId: Identifier(RandomStream(seed: setup.seed, name: "watch.voice"), for: UInt64(record.noteCount) + 1),
        runId: host.workoutId, recordedAt: WatchTime(nanoseconds: clock.reading(at: now)), from: now)
      refreshVoiceDeadline()
    } catch {
      refuse(command.name, why: error.why, in: &turn)
    }
  }

  mutating func carryOutCancelTalk(_ command: NodeCommand, in turn: inout Turn) {
    if recording != nil { return discardRecording(why: "cancelled", in: &turn) }
    guard let note = record.notes.last else {
      return refuse(command.name, why: "no note is owed", in: &turn)
    }
    if let transfer = note.transfer {
      let entry = session.outstanding(in: .file).first { $0.transfer == transfer }
      guard let entry, session.cancel(.file, seq: entry.seq, transfer: transfer, in: &turn) else {
        return refuse(command.name, why: "the phone has it", in: &turn)
      }
    }
    settle(note.note, in: &turn)
  }

  /// Ends the recording at `end`, or at its full length.
  mutating func finishRecording(at end: VirtualTime, now: VirtualTime, in turn: inout Turn) {
    guard let recording else { return }
    guard let metadata = recording.metadata(endingAt: end) else {
      return discardRecording(why: "nothing was said", in: &turn)
    }
    self.recording = nil
    let note = OwedVoiceNote(number: record.noteCount + 1, metadata: metadata)
    // Before the commit, because a crash point follows it.
    turn.record(VoiceRecorded.self, on: .watch) {
      $0.note = note.note
      $0.seconds = metadata.seconds
      $0.bytes = Int64(note.content.byteCount)
    }
    queue(note, in: &turn)
    refreshVoiceDeadline()
  }

  mutating func discardRecording(why: String, in turn: inout Turn) {
    guard recording != nil else { return }
    recording = nil
    turn.record(VoiceDiscarded.self, on: .watch) {
      $0.why = why
    }
    refreshVoiceDeadline()
  }

  // MARK: The way to the phone

  /// At the app's start, requeues notes whose transfer ended without a report.
  ///
  /// That happens if the app died asleep. A note that had arrived then arrives twice, and the phone recognizes its id;
  /// one that had not would otherwise be lost.
  mutating func recoverNotes(at now: VirtualTime) {
    // If more files are outstanding than are in memory, a missing one may still be outstanding.
    guard session.outstandingCount(in: .file) < LaneRecord.pageMax else { return }
    let owed = session.outstanding(in: .file)
    for index in record.notes.indices {
      guard let transfer = record.notes[index].transfer, !owed.contains(where: { $0.transfer == transfer }) else {
        continue
      }
      record.notes[index].transfer = nil
      record.notes[index].retryAt = now
    }
  }

  /// Stores a note and queues its file in one transaction; if the session refuses the file, stores the note for a
  /// retry.
  private mutating func queue(_ note: OwedVoiceNote, in turn: inout Turn) {
    var queued = note
    queued.transfer = session.nextTransfer(in: .file)
    let (mark, before) = (turn.items.count, record)
    let isNew = note.number > record.noteCount
    persist(isNew ? .recorded(queued) : .noted(queued), in: &turn)
    do throws(SessionError) {
      try session.transferFile(
        note.offer, content: note.content, details: FileMetadata.voiceNote(note.metadata).eventDetails,
        in: &turn)
    } catch {
      precondition(
        error == .insufficientSpace || error == .peerNotInstalled, "a note of \(note.metadata.seconds) s: \(error)")
      // Nothing was queued: the change is replaced.
      turn.items.remove(at: mark)
      changes.removeLast()
      record = before
      queued.fail(at: turn.now)
      persist(isNew ? .recorded(queued) : .noted(queued), in: &turn)
      turn.items.append(.commit)
    }
  }

  /// Queues the notes that are due; with `isForced` all without a transfer.
  mutating func retryNotes(isForced: Bool = false, in turn: inout Turn) {
    for note in record.notes where note.transfer == nil && (isForced || note.retryAt <= turn.now) {
      queue(note, in: &turn)
    }
    refreshVoiceDeadline()
  }

  /// Handles a failed transfer: its note is retried later.
  mutating func voiceNoteFailed(_ transfer: Identifier, in turn: inout Turn) {
    guard var note = record.notes.first(where: { $0.transfer == transfer }) else { return }
    note.fail(at: turn.now)
    persist(.noted(note), in: &turn)
    turn.items.append(.commit)
    refreshVoiceDeadline()
  }

  /// Handles a transfer that the phone has, or does not want.
  mutating func voiceNoteEnded(_ transfer: Identifier, in turn: inout Turn) {
    guard let note = record.notes.first(where: { $0.transfer == transfer }) else { return }
    settle(note.note, in: &turn)
  }

  /// Handles the withdrawal of all transfers: their notes are no longer wanted.
  mutating func voiceNotesWithdrawn(in turn: inout Turn) {
    let owed = session.outstanding(in: .file)
    for note in record.notes {
      guard let transfer = note.transfer, !owed.contains(where: { $0.transfer == transfer }) else { continue }
      settle(note.note, in: &turn)
    }
  }

  private mutating func settle(_ note: Identifier, in turn: inout Turn) {
    persist(.noteSettled(note), in: &turn)
    turn.items.append(.commit)
    refreshVoiceDeadline()
  }

  /// Refreshes the deadline for voice notes; call it after every change of them.
  mutating func refreshVoiceDeadline() {
    var next = recording?.until ?? .distantFuture
    for note in record.notes where note.transfer == nil { next = min(next, note.retryAt) }
    voiceDeadline = next == .distantFuture ? nil : max(next, awakeSince)
  }
}
