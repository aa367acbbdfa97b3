import CoachProtocol
import Link

/// The wrong behaviour of planted bugs.
extension PhoneNode {
  /// ``Plants/schemaDrift``: drops an undecodable event; ``Plants/queueJam``: lets it block the queue.
  mutating func mishandle(_ entry: QueueEntry, in turn: inout Turn) {
    guard setup.plants.contains(.schemaDrift) else {
      isJammed = true
      return
    }
    session.markHandled(entry, in: &turn)
    session.commitHandled(entry, in: &turn)
  }

  /// ``Plants/doubleDelivery``: forgets which lines were spoken.
  mutating func restartScript(in turn: inout Turn) {
    engine.startRun()
    persist(.position(engine.position), in: &turn)
  }

  /// ``Plants/companionEcho``: queues a notice instead of sending it as a message.
  mutating func queueNotice(_ notice: AppMessage, in turn: inout Turn) {
    _ = try? session.transferUserInfo(notice.encoded, details: notice.eventDetails, in: &turn)
  }

  /// ``Plants/staleStart``: queues a start, which then waits without limit.
  mutating func queueStart(_ start: AppMessage, in turn: inout Turn) -> SessionError? {
    do throws(SessionError) {
      _ = try session.transferUserInfo(start.encoded, details: start.eventDetails, in: &turn)
      return nil
    } catch { return error }
  }

  /// ``Plants/watchdogKill``: marks an event as handled, and stores its effects afterwards unless the app is killed.
  mutating func handleTooLate(_ entry: QueueEntry, _ message: AppMessage, in turn: inout Turn) {
    session.markHandled(entry, in: &turn)
    turn.record(TransferDelivered.self, on: .phone) {
      $0.describe(entry)
      $0.details = message.eventDetails
    }
    session.commitHandled(entry, in: &turn)
    if message.kind != .probe, handle(message, in: &turn) { turn.items.append(.commit) }
  }

  /// ``Plants/peerRestartEnds``: takes a start of the watch's app for the end of the run.
  mutating func endRunOfPeer(in turn: inout Turn) {
    guard let run = consumer.record.belief.run, consumer.record.belief.isOn, consumer.record.belief.awaited == nil
    else { return }
    let end = RunUpdate(
      workoutId: run.workoutId, sentAt: run.newestSentAt, content: .workoutEnded(healthKitWorkoutUUID: nil))
    carryOut(consumer.receiveEvent(end, in: &turn).decisions, in: &turn)
    commit(.consumer(consumer.record), in: &turn)
  }

  /// ``Plants/clockSkew``: compares the watch's clock with the phone's.
  func seemsOld(_ snapshot: LiveMetrics, at now: VirtualTime) -> Bool {
    clock.reading(at: now) - snapshot.sentAt.nanoseconds > 60_000_000_000
  }
}

extension PhoneNode.Setup {
  /// The store of another athlete, without workouts.
  var secondStore: PhoneHealth {
    PhoneHealth(seed: seed ^ 1, startedAt: startedAt, offsets: utcOffsets)
  }
}

/// The wrong behaviour of planted bugs.
extension VoiceNotes {
  /// ``Plants/halfFile``: lists a partly received file as a note.
  mutating func listHalfFile(of session: Session, _ changes: inout [PhoneChange], in turn: inout Turn) {
    let now = turn.now
    guard let half = session.incomingFile, let metadata = try? FileMetadata(decoding: half.offer.metadata),
      case .voiceNote(let note) = metadata, ids.insert(note.noteId).inserted
    else { return }
    let row = VoiceNote(id: note.noteId, runId: note.runId, recordedAt: note.recordedAt.nanoseconds)
    let pending = PendingTranscription(
      noteId: note.noteId, runId: note.runId, says: note.says, outcome: note.transcription)
    changes.commit(.noteStored(row, pending), in: &turn)
    turn.record(row.receivedEvent(bytes: half.receivedBytes, seconds: note.seconds, at: now))
  }

  /// ``Plants/noteAcknowledgedEarly``: closes the transaction before the note's row.
  func acknowledgeEarly(in turn: inout Turn) {
    turn.items.append(.commit)
    turn.items.append(.crashPoint(.handlerCommitted))
  }
}

/// The wrong behaviour of planted bugs.
extension CloudCoach {
  /// ``Plants/script502``: drops a script request that failed three times.
  mutating func giveUpScript(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    guard setup.plants.contains(.script502),
      client.record.requests.contains(where: {
        $0.runId == runId && $0.call == .generateScript && $0.attempt >= AIClient.scriptFailuresMax
      })
    else { return }
    receive(.runEnded(runId), at: moment, &engine, &changes, in: &turn)
  }
}

/// Planted bugs of the list of runs.
extension PhoneNode {
  /// ``Plants/listedWithPauses``, ``Plants/oneRunADay``: the rows that the list of runs shows.
  func plantedList(_ rows: [RunRow]) -> [RunRow] {
    var rows = rows
    if setup.plants.contains(.oneRunADay) {
      let newest = Dictionary(rows.map { (day(of: $0), $0.startedAt) }) { max($0, $1) }
      rows = rows.filter { $0.startedAt == newest[day(of: $0)] }
    }
    guard setup.plants.contains(.listedWithPauses) else { return rows }
    return rows.map { row in
      var row = row
      let length = row.endedAt.map { Double($0.nanoseconds - row.startedAt.nanoseconds) / 1e9 }
      if let length { row.cached?.durationSeconds = length }
      return row
    }
  }

  private func day(of row: RunRow) -> LocalDay { LocalDay(clock: row.startedAt.nanoseconds, offset: 0) }
}

/// Planted bugs of the daily totals.
extension DailySync {
  /// ``Plants/weightCarried``, ``Plants/hrvYesterday``: a day's metrics.
  func planted(_ health: HealthSnapshot, of day: LocalDay, _ moment: Moment) -> HealthSnapshot {
    guard !health.isEmpty, health.hrv != nil else { return health }
    var health = health
    if plants.contains(.weightCarried), health.weight == nil {
      let before = record.aggregates.values.filter { $0.day < day && $0.health?.weight != nil }
      health.weight = before.max { $0.day < $1.day }?.health?.weight
    }
    if plants.contains(.hrvYesterday) {
      let yesterday = LocalDay(day.number - 1)
      health.hrv = moment.health?.athlete.morning(of: yesterday, until: moment.truth / 1_000_000_000)?.hrv
    }
    return health
  }
}
