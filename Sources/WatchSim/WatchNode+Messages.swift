import CoachProtocol
import Link

/// Messages of the phone.
extension WatchNode {
  mutating func handleDeliveries(in turn: inout Turn) {
    let now = turn.now
    var index = 0
    while index < turn.deliveries.count {
      let delivery = turn.deliveries.moveOut(index, leaving: .reachability(false))
      index += 1
      switch consume delivery {
      case .message(let payload, let flags, let epoch, let seq, let isStale):
        if !isStale {
          handleMessage(payload, wantsReply: flags.contains(.wantsReply), epoch: epoch, seq: seq, in: &turn)
        }
      case .context(let payload, let seq):
        if let message = decode(payload, on: .applicationContext, epoch: session.epoch, seq: seq, in: &turn) {
          obey(message, isAgeless: setup.plants.contains(.fossilContext), in: &turn)
        }
      case .userInfo(let entry): handleEvent(entry, in: &turn)
      case .peerStarted(_, let difference):
        let phoneClock = PhoneClockEstimate(difference: difference, watchClock: clock.reading(at: now), at: now)
        persist(.phoneClock(phoneClock), in: &turn)
        turn.items.append(.commit)
      case .file(let entry, let offer): handleFile(entry, offer, in: &turn)
      case .transferFailed(.file, let transfer, _, _): voiceNoteFailed(transfer, in: &turn)
      case .finished(.file, let transfer, _), .transferCancelled(.file, let transfer, _):
        voiceNoteEnded(transfer, in: &turn)
      case .reply, .received, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability:
        continue  // The watch waits for none of these.
      }
    }
    turn.deliveries.removeFew()
  }

  private mutating func handleMessage(
    _ payload: [UInt8], wantsReply: Bool, epoch: Epoch, seq: SequenceNumber, in turn: inout Turn
  ) {
    let now = turn.now
    let message = AppMessage.reading(payload)
    var event = session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq)
    switch message {
    case .success(.cancelStart(let cancel)): event.workoutId = cancel.runId
    case .success(.endWorkout(let end)): event.workoutId = end.workoutId
    default: break
    }
    turn.record(event, on: .watch)
    switch message {
    case .success(.probe(let probe)):
      guard wantsReply else { return }
      let answer = AppMessage.probe(Probe(number: probe.number))
      session.reply(to: seq, of: epoch, answer.encoded, in: &turn)
    case .success(let message): obey(message, in: &turn)
    case .failure(let error):
      turn.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// Handles a queued event: probes are handled, anything else is set aside.
  private mutating func handleEvent(_ entry: QueueEntry, in turn: inout Turn) {
    let error: String
    switch AppMessage.reading(entry.payload) {
    case .success(.probe(let probe)):
      return handled(entry, details: AppMessage.probe(probe).eventDetails, in: &turn)
    case .success(let message):
      if setup.plants.contains(.companionEcho), message.kind == .companionMessageDispatched {
        return obeyFromQueue(entry, message, in: &turn)
      }
      if setup.plants.contains(.staleStart), message.kind == .startWorkout {
        return obeyFromQueue(entry, message, in: &turn)
      }
      error = "\(message.kind.rawValue) is not queued for a watch"
    case .failure(let found):
      error = found.description
      let now = turn.now
      turn.record(
        session.undecodableEvent(
          on: .userInfo, payload: entry.payload, epoch: session.epoch, seq: entry.seq, error: error, at: now))
    }
    session.setAside(entry, error: error, in: &turn)
  }

  /// Handles a file: probes are handled and not stored, anything else is set aside.
  private mutating func handleFile(_ entry: QueueEntry, _ offer: FileOffer, in turn: inout Turn) {
    do throws(FileMetadataError) {
      let metadata = try FileMetadata(decoding: offer.metadata)
      guard case .probe = metadata else {
        return session.setAside(entry, error: "the watch takes no voice notes", in: &turn)
      }
      handled(entry, details: metadata.eventDetails, in: &turn)
    } catch {
      session.setAside(entry, error: error.description, in: &turn)
    }
  }

  mutating func handled(_ entry: QueueEntry, details: TransferDetails, in turn: inout Turn) {
    session.markHandled(entry, in: &turn)
    turn.record(TransferDelivered.self, on: .watch) {
      $0.describe(entry)
      $0.details = details
    }
    session.commitHandled(entry, in: &turn)
  }

  private func decode(
    _ payload: [UInt8], on channel: Channel, epoch: Epoch, seq: SequenceNumber, in turn: inout Turn
  ) -> AppMessage? {
    switch AppMessage.reading(payload) {
    case .success(let message): return message
    case .failure(let error):
      let now = turn.now
      turn.record(
        session.undecodableEvent(
          on: channel, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
      return nil
    }
  }

  /// Carries out a command of the phone.
  ///
  /// - Parameter isAgeless: Obey it however old it is, even if its run has ended; only by a planted bug.
  mutating func obey(_ message: AppMessage, isAgeless: Bool = false, in turn: inout Turn) {
    let now = turn.now
    catchUp(in: &turn)
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    let situation = WatchStartHandshake.Situation(
      workoutId: host?.state == .ended ? nil : host?.workoutId,
      // Before the phone's first hello its clock is assumed to equal the watch's.
      phoneClock: record.phoneClock?.reading(at: now) ?? PhoneTime(nanoseconds: time.nanoseconds), isAgeless: isAgeless,
      ignoresRun: setup.plants.contains(.orderWithoutRun))
    for effect in handshake.receive(message, in: situation) {
      switch effect {
      case .begin(let start): begin(start.runId, cause: .command, in: &turn)
      case .end(let isDiscarding):
        host?.end(
          cause: .command, isDiscarding: isDiscarding, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
        carryOutHostEffects(in: &turn)
      case .settled(let runId):
        persistSettled(runId, in: &turn)
        turn.items.append(.commit)
      case .reply(let answer):
        session.sendMessage(answer.encoded, kind: answer.kind.rawValue, in: &turn)
      case .accepted(let runId): turn.record(StartAccepted.self, on: .watch) { $0.runId = runId }
      case .declined(let runId, let reason):
        turn.record(StartRejected.self, on: .watch) {
          $0.runId = runId
          $0.reason = reason
        }
      case .haptic(let kind, let message):
        turn.record(HapticPlayed.self, on: .watch) {
          $0.kind = kind
          $0.message = message
        }
      case .hapticVoid(let kind, let sentAt):
        turn.record(HapticVoid.self, on: .watch) {
          $0.kind = kind
          $0.sentAt = sentAt.nanoseconds
        }
      case .refused(let kind, let why): refuse(kind, why: why, in: &turn)
      }
    }
  }
}
