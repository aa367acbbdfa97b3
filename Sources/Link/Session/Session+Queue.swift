/// The guaranteed channel: outbox, window, retransmission, inbox.
extension Session {
  /// How far ahead of the next number a frame may be; beyond it stands no honest sender.
  private static let reachMax: UInt64 = 4 * UInt64(window)

  /// Sends what the window has room for, oldest first.
  ///
  /// The window counts from the oldest that is owed, acknowledged ones included, so that no receiver has to keep
  /// more than a window ahead of what it waits for.
  mutating func fillWindow(at now: VirtualTime, into output: inout NodeOutput) {
    guard let oldest = record[.userInfo].outbox.first?.seq.rawValue else { return }
    for entry in record[.userInfo].outbox.prefix(Self.window) {
      if let last = inFlight.last, entry.seq <= last.seq { continue }
      guard entry.seq.rawValue < oldest + UInt64(Self.window) else { return }
      transmit(entry, attempt: 1, waits: 1, at: now, into: &output)
    }
  }

  /// Sends again what was under way when the peer went out of reach, and then what the window has room for.
  mutating func resumeQueue(at now: VirtualTime, into output: inout NodeOutput) {
    for flight in inFlight {
      guard let entry = record[.userInfo].outbox.first(where: { $0.seq == flight.seq }) else { continue }
      transmit(entry, attempt: Self.next(flight.attempt), waits: 1, at: now, into: &output)
    }
    fillWindow(at: now, into: &output)
  }

  /// One more, up to the most that a frame's header can say.
  static func next(_ count: UInt16) -> UInt16 { count < .max ? count + 1 : count }

  private mutating func transmit(
    _ entry: OutboxEntry, attempt: UInt16, waits: UInt16, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let frame = Frame(
      kind: .data, channel: .userInfo, flags: entry.flags, attempt: attempt, epoch: epoch, peerEpoch: peerEpoch,
      seq: entry.seq, transfer: entry.transfer, payload: entry.payload)
    output.send(frame)
    let flight = InFlight(
      seq: entry.seq, attempt: attempt, waits: waits, deadline: now + backOff(after: waits, key: frame.drawKey))
    if let index = inFlight.firstIndex(where: { $0.seq == entry.seq }) {
      inFlight[index] = flight
    } else {
      inFlight.append(flight)
    }
  }

  mutating func receiveUserInfo(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", at: now, into: &output) }
    let next = record[.userInfo].nextToHandle
    guard frame.seq.rawValue < next.rawValue + Self.reachMax else {
      return refuse(frame, why: "beyond the window", at: now, into: &output)
    }
    let isNew = frame.seq >= next && !record[.userInfo].inbox.contains { $0.seq == frame.seq }
    if isNew {
      let entry = InboxEntry(transfer: frame.transfer, seq: frame.seq, flags: frame.flags, payload: frame.payload)
      apply(.received(entry), into: &output)
      output.items.append(.commit)
      output.items.append(.crashPoint(.inboxCommitted))
    }
    output.send(
      Frame(
        kind: .ack, channel: .userInfo, epoch: epoch, peerEpoch: frame.epoch, seq: frame.seq,
        offset: UInt64(frame.attempt), transfer: frame.transfer))
    output.items.append(.crashPoint(.inboxAcked))
    if isNew { handOver(delivering: &deliveries) }
  }

  /// Hands the app what is next in order and has arrived.
  mutating func handOver(delivering deliveries: inout [SessionDelivery]) {
    for entry in record[.userInfo].inbox where entry.seq.rawValue == handedOver.rawValue + 1 {
      handedOver = entry.seq
      deliveries.append(.userInfo(entry))
    }
  }

  mutating func confirmUserInfo(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard record[.userInfo].outbox.contains(where: { $0.transfer == frame.transfer && $0.seq == frame.seq }) else {
      return
    }
    apply(.acknowledged(.userInfo, frame.seq), into: &output)
    output.items.append(.commit)
    inFlight.removeAll { $0.seq == frame.seq }
    output.record(
      TraceEvent(
        "transfer.finished", at: now, on: configuration.role.place,
        [
          .init("transfer", frame.transfer.traceValue), .init("channel", .string(Channel.userInfo.text)),
          .init("seq", .int(Int64(frame.seq.rawValue))),
        ]))
    deliveries.append(.finished(.userInfo, transfer: frame.transfer, seq: frame.seq))
    if reachable { fillWindow(at: now, into: &output) }
  }

  /// Does what is due: retransmissions and reply deadlines.
  ///
  /// Called once every input of the instant has been taken.
  ///
  /// - Parameter clock: This side's clock in nanoseconds since 1970, for a hello.
  public mutating func fire(
    clock: Int64, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    if let due = helloDeadline, due <= now { sendHello(clock: clock, at: now, into: &output) }
    if let due = contextDeadline, due <= now {
      contextDeadline = nil
      if reachable { sendContext(at: now, into: &output) }
    }
    if reachable {
      for flight in inFlight where flight.deadline <= now {
        guard let entry = record[.userInfo].outbox.first(where: { $0.seq == flight.seq }) else { continue }
        transmit(
          entry, attempt: Self.next(flight.attempt), waits: Self.next(flight.waits), at: now, into: &output)
      }
    }
    while let first = pendingReplies.first, first.deadline <= now {
      pendingReplies.removeFirst()
      output.record(
        TraceEvent(
          "message.failed", at: now, on: configuration.role.place,
          [
            .init("epoch", .int(Int64(epoch.rawValue))), .init("seq", .int(Int64(first.seq.rawValue))),
            .init("error", .string(SessionError.messageReplyTimedOut.rawValue)),
          ]))
      deliveries.append(.failed(first.seq, .messageReplyTimedOut))
    }
  }
}
