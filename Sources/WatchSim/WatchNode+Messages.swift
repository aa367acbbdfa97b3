import CoachProtocol
import Link

/// Messages of the phone.
extension WatchNode {
  mutating func handleDeliveries(at now: VirtualTime, into output: inout NodeOutput) {
    var index = 0
    while index < deliveries.count {
      let delivery = deliveries.moveOut(index, leaving: .reachability(false))
      index += 1
      switch consume delivery {
      case .message(let payload, let flags, let epoch, let seq, let isStale):
        if !isStale {
          handleMessage(
            payload, wantsReply: flags.contains(.wantsReply), epoch: epoch, seq: seq, at: now, into: &output)
        }
      case .context(let payload, let seq):
        if let message = decode(payload, on: .applicationContext, epoch: session.epoch, seq: seq, at: now, &output) {
          obey(message, isAgeless: setup.plants.contains(.fossilContext), at: now, into: &output)
        }
      case .userInfo(let entry): handleEvent(entry, at: now, into: &output)
      case .peerStarted(_, let difference):
        let phoneClock = PhoneClockEstimate(difference: difference, watchClock: clock.reading(at: now), at: now)
        persist(.phoneClock(phoneClock), into: &output)
        output.items.append(.commit)
      case .file(let entry, let offer): handleFile(entry, offer, at: now, into: &output)
      case .transferFailed(.file, let transfer, _, _): voiceNoteFailed(transfer, at: now, into: &output)
      case .finished(.file, let transfer, _), .transferCancelled(.file, let transfer, _):
        voiceNoteEnded(transfer, into: &output)
      case .reply, .received, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability:
        continue  // The watch waits for none of these.
      }
    }
    deliveries.removeFew()
  }

  private mutating func handleMessage(
    _ payload: [UInt8], wantsReply: Bool, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    let message = AppMessage.reading(payload)
    var event = session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq)
    if case .success(.cancelStart(let cancel)) = message { event.workoutId = cancel.runId }
    output.record(event, at: now, on: .watch)
    switch message {
    case .success(.probe(let probe)):
      guard wantsReply else { return }
      let answer = AppMessage.probe(Probe(number: probe.number))
      session.reply(to: seq, of: epoch, answer.encoded, at: now, into: &output)
    case .success(let message): obey(message, at: now, into: &output)
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// Handles a queued event: probes are handled, anything else is set aside.
  private mutating func handleEvent(_ entry: QueueEntry, at now: VirtualTime, into output: inout NodeOutput) {
    let error: String
    switch AppMessage.reading(entry.payload) {
    case .success(.probe(let probe)):
      return handled(entry, details: AppMessage.probe(probe).eventDetails, at: now, into: &output)
    case .success(let message):
      if setup.plants.contains(.companionEcho), message.kind == .companionMessageDispatched {
        return obeyFromQueue(entry, message, at: now, into: &output)
      }
      if setup.plants.contains(.staleStart), message.kind == .startWorkout {
        return obeyFromQueue(entry, message, at: now, into: &output)
      }
      error = "\(message.kind.rawValue) is not queued for a watch"
    case .failure(let found):
      error = found.description
      output.record(
        session.undecodableEvent(
          on: .userInfo, payload: entry.payload, epoch: session.epoch, seq: entry.seq, error: error, at: now))
    }
    session.setAside(entry, error: error, at: now, into: &output)
  }

  /// Handles a file: probes are handled and not stored, anything else is set aside.
  private mutating func handleFile(
    _ entry: QueueEntry, _ offer: FileOffer, at now: VirtualTime, into output: inout NodeOutput
  ) {
    do throws(FileMetadataError) {
      let metadata = try FileMetadata(decoding: offer.metadata)
      guard case .probe = metadata else {
        return session.setAside(entry, error: "the watch takes no voice notes", at: now, into: &output)
      }
      handled(entry, details: metadata.eventDetails, at: now, into: &output)
    } catch {
      session.setAside(entry, error: error.description, at: now, into: &output)
    }
  }

  mutating func handled(
    _ entry: QueueEntry, details: TransferDetails, at now: VirtualTime, into output: inout NodeOutput
  ) {
    session.markHandled(entry, into: &output)
    output.record(TransferDelivered.self, at: now, on: .watch) {
      $0.describe(entry)
      $0.details = details
    }
    session.commitHandled(entry, into: &output)
  }

  private func decode(
    _ payload: [UInt8], on channel: Channel, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime,
    _ output: inout NodeOutput
  ) -> AppMessage? {
    switch AppMessage.reading(payload) {
    case .success(let message): return message
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: channel, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
      return nil
    }
  }

  /// Carries out a command of the phone.
  ///
  /// - Parameter isAgeless: Obey it however old it is, even if its run has ended; only by a planted bug.
  mutating func obey(
    _ message: AppMessage, isAgeless: Bool = false, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    var situation = WatchStartHandshake.Situation(
      workoutId: host?.state == .ended ? nil : host?.workoutId,
      // Before the phone's first hello its clock is assumed to equal the watch's.
      phoneClock: record.phoneClock?.reading(at: now) ?? PhoneTime(nanoseconds: time.nanoseconds), isAgeless: isAgeless)
    situation.ignoresRun = setup.plants.contains(.orderWithoutRun)
    for effect in handshake.receive(message, in: situation) {
      switch effect {
      case .begin(let start): begin(start.runId, cause: .command, at: now, into: &output)
      case .end(let isDiscarding):
        host?.end(
          cause: .command, isDiscarding: isDiscarding, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
        carryOutHostEffects(at: now, into: &output)
      case .settled(let runId):
        persistSettled(runId, into: &output)
        output.items.append(.commit)
      case .reply(let answer):
        session.sendMessage(answer.encoded, kind: answer.kind.rawValue, at: now, into: &output)
      case .accepted, .declined, .haptic, .hapticVoid: output.record(Self.line(of: effect, at: now))
      case .refused(let kind, let why): refuse(kind, why: why, at: now, into: &output)
      }
    }
  }

  /// The event of an effect that only the user notices.
  private static func line(of effect: WatchStartHandshake.Effect, at now: VirtualTime) -> TraceEvent {
    switch effect {
    case .accepted(let runId):
      TraceEvent(StartAccepted.self, at: now, on: .watch) {
        $0.runId = runId
      }
    case .declined(let runId, let reason):
      TraceEvent(StartRejected.self, at: now, on: .watch) {
        $0.runId = runId
        $0.reason = reason
      }
    case .haptic(let kind, let message):
      TraceEvent(HapticPlayed.self, at: now, on: .watch) {
        $0.kind = kind
        $0.message = message
      }
    case .hapticVoid(let kind, let sentAt):
      TraceEvent(HapticVoid.self, at: now, on: .watch) {
        $0.kind = kind
        $0.sentAt = sentAt.nanoseconds
      }
    case .begin, .end, .reply, .settled, .refused: preconditionFailure("\(effect) has no line of its own")
    }
  }
}
