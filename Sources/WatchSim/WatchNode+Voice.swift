import CoachProtocol
import Link

/// Talk to coach: voice notes, from their recording until the phone has them.
///
/// Choices where the specification is silent:
/// * The end of a workout ends the recording; what was said until then is sent. A workout that is discarded takes its
///   recording along, and leaves the notes before it.
/// * `cancelTalk` throws away what is being recorded, or else withdraws the latest note that the phone does not have.
///   A note that is withdrawn, by whomever, or that the phone does not want, is not queued again.
/// * A note whose transfer fails is queued again, as a new transfer, until the phone has it.
extension WatchNode {
  mutating func carryOutTalk(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    guard let host, host.state != .ended else {
      return refuse(command.name, why: "no workout is on", at: now, into: &output)
    }
    guard recording == nil else {
      return refuse(command.name, why: "a note is being recorded", at: now, into: &output)
    }
    do throws(CommandRefusal) {
      let order = try command.reading { RecordCommand($0) }
      recording = VoiceRecording(
        order,
        noteId: Identifier(RandomStream(seed: setup.seed, name: "watch.voice"), for: UInt64(record.noteCount) + 1),
        runId: host.workoutId, recordedAt: WatchTime(nanoseconds: clock.reading(at: now)), from: now)
      noteVoice()
    } catch {
      refuse(command.name, why: error.why, at: now, into: &output)
    }
  }

  mutating func carryOutCancelTalk(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    if recording != nil { return discardRecording(why: "cancelled", at: now, into: &output) }
    guard let note = record.notes.last else {
      return refuse(command.name, why: "no note is owed", at: now, into: &output)
    }
    if let transfer = note.transfer {
      let entry = session.outstanding(in: .file).first { $0.transfer == transfer }
      guard let entry, session.cancel(.file, seq: entry.seq, transfer: transfer, at: now, into: &output) else {
        return refuse(command.name, why: "the phone has it", at: now, into: &output)
      }
    }
    settle(note.note, into: &output)
  }

  /// Ends the recording where it stands, or where its time was up.
  mutating func finishRecording(at end: VirtualTime, now: VirtualTime, into output: inout NodeOutput) {
    guard let recording else { return }
    guard let metadata = recording.note(endingAt: end) else {
      return discardRecording(why: "nothing was said", at: now, into: &output)
    }
    self.recording = nil
    let note = OwedVoiceNote(number: record.noteCount + 1, metadata)
    // In front of the commit: behind it stands a crash point.
    output.record(
      TraceEvent(
        "voice.recorded", at: now, on: .watch,
        [
          .init("note", note.note.traceValue), .init("seconds", .number(metadata.seconds, places: 3)),
          .init("bytes", .int(Int64(note.content.byteCount))),
        ]))
    queue(note, at: now, into: &output)
    noteVoice()
  }

  mutating func discardRecording(why: String, at now: VirtualTime, into output: inout NodeOutput) {
    guard recording != nil else { return }
    recording = nil
    output.record(TraceEvent("voice.discarded", at: now, on: .watch, [.init("why", .string(why))]))
    noteVoice()
  }

  // MARK: The way to the phone

  /// Looks, at the start of the app, for notes whose transfer is over, and nobody was told: they are queued again.
  ///
  /// That happens where the app died asleep. A note that had arrived comes twice then, and the phone knows it by its
  /// name; one that had not would be lost otherwise.
  mutating func recoverNotes(at now: VirtualTime) {
    // Where more files are owed than are in memory, one that is not seen is not over.
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

  /// Keeps a note and queues its file, both in one transaction; where the session takes no file, keeps the note to try
  /// again.
  private mutating func queue(_ note: OwedVoiceNote, at now: VirtualTime, into output: inout NodeOutput) {
    var queued = note
    queued.transfer = session.nextTransfer(in: .file)
    let (mark, before) = (output.items.count, record)
    let isNew = note.number > record.noteCount
    keep(isNew ? .recorded(queued) : .noted(queued), into: &output)
    do throws(SessionError) {
      try session.transferFile(
        note.offer, content: note.content, details: note.metadata.traceDetails, at: now, into: &output)
    } catch {
      precondition(
        error == .insufficientSpace || error == .peerNotInstalled, "a note of \(note.metadata.seconds) s: \(error)")
      // Nothing was queued: the change is taken back, and another made.
      output.items.remove(at: mark)
      changes.removeLast()
      record = before
      queued.fail(at: now)
      keep(isNew ? .recorded(queued) : .noted(queued), into: &output)
      output.items.append(.commit)
    }
  }

  /// Queues the notes whose time has come; all that have no transfer where `isForced`.
  mutating func retryNotes(isForced: Bool = false, at now: VirtualTime, into output: inout NodeOutput) {
    for note in record.notes where note.transfer == nil && (isForced || note.retryAt <= now) {
      queue(note, at: now, into: &output)
    }
    noteVoice()
  }

  /// A transfer of a note's failed: the note stays, and is tried again.
  mutating func noteFailed(_ transfer: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    guard var note = record.notes.first(where: { $0.transfer == transfer }) else { return }
    note.fail(at: now)
    keep(.noted(note), into: &output)
    output.items.append(.commit)
    noteVoice()
  }

  /// The phone has the note of a transfer, or wants it no more.
  mutating func noteOver(_ transfer: Identifier, into output: inout NodeOutput) {
    guard let note = record.notes.first(where: { $0.transfer == transfer }) else { return }
    settle(note.note, into: &output)
  }

  /// Everything that was queued was withdrawn: notes with a transfer are wanted no more.
  mutating func notesWithdrawn(into output: inout NodeOutput) {
    let owed = session.outstanding(in: .file)
    for note in record.notes {
      guard let transfer = note.transfer, !owed.contains(where: { $0.transfer == transfer }) else { continue }
      settle(note.note, into: &output)
    }
  }

  private mutating func settle(_ note: Identifier, into output: inout NodeOutput) {
    keep(.noteSettled(note), into: &output)
    output.items.append(.commit)
    noteVoice()
  }

  /// Notes when something about voice notes is due; after every change of them.
  mutating func noteVoice() {
    var next = recording?.until ?? .distantFuture
    for note in record.notes where note.transfer == nil { next = min(next, note.retryAt) }
    voiceDeadline = next == .distantFuture ? nil : max(next, awakeSince)
  }
}
