import CoachProtocol
import Link

/// The wrong behaviour of planted bugs.
extension PhoneNode {
  /// ``Plants/halfFile``: lists a partly received file as a note.
  mutating func listHalfFile(at now: VirtualTime, into output: inout NodeOutput) {
    guard let half = session.incomingFile, let metadata = try? FileMetadata(decoding: half.offer.metadata),
      case .voiceNote(let note) = metadata, noteIds.insert(note.noteId).inserted
    else { return }
    let row = VoiceNote(id: note.noteId, runId: note.runId, recordedAt: note.recordedAt.nanoseconds)
    let pending = PendingTranscription(
      noteId: note.noteId, runId: note.runId, says: note.says, outcome: note.transcription)
    commit(.noteStored(row, pending), into: &output)
    output.record(row.receivedEvent(bytes: half.receivedBytes, seconds: note.seconds, at: now))
  }

  /// ``Plants/delegateRace``: handles the file without moving it, so the session deletes it.
  mutating func loseRace(
    _ note: VoiceNoteMetadata, _ entry: QueueEntry, at now: VirtualTime, into output: inout NodeOutput
  ) {
    session.markHandled(entry, into: &output)
    recordDelivered(entry, .voiceNote(note), at: now, into: &output)
    session.commitHandled(entry, into: &output)
  }

  /// ``Plants/schemaDrift``: drops an undecodable event; ``Plants/queueJam``: lets it block the queue.
  mutating func mishandle(_ entry: QueueEntry, into output: inout NodeOutput) {
    guard setup.plants.contains(.schemaDrift) else {
      isJammed = true
      return
    }
    session.markHandled(entry, into: &output)
    session.commitHandled(entry, into: &output)
  }

  /// ``Plants/doubleDelivery``: forgets which lines were spoken.
  mutating func restartScript(into output: inout NodeOutput) {
    engine.startRun()
    persist(.position(engine.position), into: &output)
  }

  /// ``Plants/companionEcho``: queues a notice instead of sending it as a message.
  mutating func queueNotice(_ notice: AppMessage, at now: VirtualTime, into output: inout NodeOutput) {
    _ = try? session.transferUserInfo(notice.encoded, details: notice.eventDetails, at: now, into: &output)
  }

  /// ``Plants/script502``: drops a script request that failed three times.
  mutating func giveUpScript(of runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.plants.contains(.script502),
      ai.record.requests.contains(where: {
        $0.runId == runId && $0.call == .generateScript && $0.attempt >= AIClient.scriptFailuresMax
      })
    else { return }
    updateAI(.runEnded(runId), at: now, into: &output)
  }

  /// ``Plants/staleStart``: queues a start, which then waits without limit.
  mutating func queueStart(_ start: AppMessage, at now: VirtualTime, into output: inout NodeOutput) -> SessionError? {
    do throws(SessionError) {
      _ = try session.transferUserInfo(start.encoded, details: start.eventDetails, at: now, into: &output)
      return nil
    } catch { return error }
  }

  /// ``Plants/watchdogKill``: marks an event as handled, and stores its effects afterwards unless the app is killed.
  mutating func handleTooLate(
    _ entry: QueueEntry, _ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput
  ) {
    session.markHandled(entry, into: &output)
    output.record(TransferDelivered.self, at: now, on: .phone) {
      $0.describe(entry)
      $0.details = message.eventDetails
    }
    session.commitHandled(entry, into: &output)
    if message.kind != .probe, handle(message, at: now, into: &output) { output.items.append(.commit) }
  }

  /// ``Plants/noteAcknowledgedEarly``: closes the transaction before the note's row.
  func acknowledgeNote(into output: inout NodeOutput) {
    output.items.append(.commit)
    output.items.append(.crashPoint(.handlerCommitted))
  }

  /// ``Plants/peerRestartEnds``: takes a start of the watch's app for the end of the run.
  mutating func endRunOfPeer(at now: VirtualTime, into output: inout NodeOutput) {
    guard let run = consumer.record.belief.run, consumer.record.belief.isOn, consumer.record.belief.awaited == nil
    else { return }
    let end = RunUpdate(
      workoutId: run.workoutId, sentAt: run.newestSentAt, content: .workoutEnded(healthKitWorkoutUUID: nil))
    carryOut(consumer.receiveEvent(end, at: now, into: &output).decisions, at: now, into: &output)
    commit(.consumer(consumer.record), into: &output)
  }

  /// ``Plants/clockSkew``: compares the watch's clock with the phone's.
  func seemsOld(_ snapshot: LiveMetrics, at now: VirtualTime) -> Bool {
    clock.reading(at: now) - snapshot.sentAt.nanoseconds > 60_000_000_000
  }
}
