/// Deliberate misbehaviour of a session, as seen in the real framework.
///
/// A quirk changes the app's notifications and the time of sending, but no guarantee: messages at most once, queued
/// items exactly once, the latest context eventually.
extension Session {
  /// The state of a session's quirks.
  struct QuirkState: Sendable, Equatable {
    /// The most contexts stored for a burst.
    static let contextsMax = 8
    /// The most unreported transfers that are listed as outstanding.
    static let unreportedMax = LaneRecord.pageMax

    /// The active quirks.
    var on = SessionQuirkSet()
    /// The error of messages while ``SessionQuirk/phantomReachable`` is on; nil to draw it for each.
    var phantomError: SessionError?
    /// The same for ``SessionQuirk/reachabilityStuck``.
    var stuckError: SessionError?
    /// The latest contexts since the beginning of ``SessionQuirk/contextBurst``, the newest last.
    var contexts: [SessionRecord.ContextSlot] = []
    /// The number of bursts in this epoch.
    var bursts: UInt64 = 0
    /// Transfers that the peer has without a report to the app, in the order of their confirmations.
    var unreported: [OutboxEntry] = []
    /// The last entries that an earlier epoch handled, one for each lane that stored it.
    var handledBefore: [InboxEntry] = []
  }

  /// Switches a quirk on or off.
  mutating func setQuirk(
    _ quirk: SessionQuirk, isOn: Bool, error: SessionError?, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    guard quirks.on[quirk] != isOn else { return }
    quirks.on[quirk] = isOn
    switch quirk {
    case .reachabilityStuck, .phantomReachable:
      if quirk == .phantomReachable { quirks.phantomError = error } else { quirks.stuckError = error }
      updateBelief(cause: quirk.rawValue, at: now, into: &output, delivering: &deliveries)
      if !believesReachable {
        failPendingMessages(.notReachable, at: now, into: &output, delivering: &deliveries)
      }
    case .queueStall:
      if isOn {
        outboxes[.userInfo].stallQueue(releasesExisting: !isActivated)
        refreshQueueDeadline()
      } else {
        outboxes[.userInfo].endStall()
        if reachable { resume(.userInfo, at: now, into: &output) }
      }
    case .contextBurst: quirks.contexts = []
    case .reachabilityEdgeLost, .deliveredTwice, .finishLost: break
    }
  }

  // MARK: Reachability

  /// Updates the reachability that the app sees.
  mutating func updateBelief(
    cause: String, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    let isReachable =
      quirks.on[.phantomReachable] || (quirks.on[.reachabilityStuck] ? believesReachable : isWithinReach)
    guard isReachable != believesReachable else { return }
    believesReachable = isReachable
    let isTold = !quirks.on[.reachabilityEdgeLost]
    var fields: [TraceEvent.Field] = [.init("reachable", .bool(isReachable)), .init("cause", .string(cause))]
    if !isTold { fields.append(.init("told", .bool(false))) }
    output.record(TraceEvent(.reachability, at: now, on: configuration.role.place, fields))
    if isTold { deliver(.reachability(isReachable), to: &deliveries) }
  }

  // MARK: Messages

  /// How long a message without a receiver takes to fail; the framework's times are not recorded.
  private static let deliveryFailsAfter = VirtualTime.Span.seconds(5)
  private static let transferTimesOutAfter = VirtualTime.Span.seconds(60)

  /// Whether a quirk makes the app believe that an unreachable peer is reachable.
  var believesWrongly: Bool { believesReachable && !isWithinReach }

  /// The error of a message that cannot arrive because of a quirk: the fault's, or drawn for each message.
  private func quirkError(for seq: SequenceNumber) -> SessionError {
    if let error = quirks.on[.phantomReachable] ? quirks.phantomError : quirks.stuckError { return error }
    let key = RandomStream.key(0x7068_616E_746F_6D00 ^ UInt64(epoch.rawValue), seq.rawValue)
    return SessionQuirk.messageErrors[Int(configuration.random.number(below: 3, for: key))]
  }

  /// Whether a message is refused at the call although the app believes the peer reachable.
  func isRefusedByQuirk(_ seq: SequenceNumber) -> Bool { believesWrongly && quirkError(for: seq) == .notReachable }

  /// Sets the time and the error for a message sent because of a quirk; never later than without the quirk.
  func failByQuirk(_ message: inout PendingMessage, at now: VirtualTime) {
    let error = quirkError(for: message.seq)
    let wait: VirtualTime.Span =
      switch error {
      case .notReachable: .zero
      case .deliveryFailed: Self.deliveryFailsAfter
      default: Self.transferTimesOutAfter
      }
    guard now + wait < message.deadline else { return }
    message.error = error
    message.deadline = now + wait
  }

  // MARK: Contexts

  /// Stores a received context for a burst.
  mutating func storeContext(_ slot: SessionRecord.ContextSlot) {
    guard quirks.on[.contextBurst] else { return }
    if quirks.contexts.count == QuirkState.contextsMax { quirks.contexts.removeFirst() }
    quirks.contexts.append(slot)
  }

  /// Delivers every stored context, each one to three times, the latest last.
  ///
  /// - Parameter isNew: Whether the app has not got the latest one yet.
  mutating func handOverBurst(
    isNew: Bool, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard let latest = contextReceived else { return }
    quirks.bursts += 1
    for slot in quirks.contexts.isEmpty ? [latest] : quirks.contexts {
      let key = RandomStream.key(slot.seq.rawValue, quirks.bursts)
      let count = 1 + configuration.random.number(below: 3, for: key)
      for time in 1...count {
        if !isNew || slot.seq != latest.seq || time > 1 {
          output.record(
            TraceEvent(
              "context.repeated", at: now, on: configuration.role.place,
              [
                .init("seq", .int(Int64(clamping: slot.seq.rawValue))),
                .init("digest", .hex(Digest.prefix(slot.payload))),
              ]))
        }
        deliveries.append(.context(payload: slot.payload, seq: slot.seq))
      }
    }
  }

  // MARK: Queues

  /// The change that marks a lane's entries up to `last` as handled.
  func handledChange(_ lane: Lane, through last: SequenceNumber) -> SessionChange {
    quirks.on[.deliveredTwice] ? .handledKept(lane, last) : .handled(lane, last)
  }

  /// Records again the last items that an earlier epoch handled, without effect.
  mutating func recordRedelivered(at now: VirtualTime, into output: inout NodeOutput) {
    defer { quirks.handledBefore = [] }
    guard quirks.on[.deliveredTwice] else { return }
    for entry in quirks.handledBefore {
      output.record(
        TraceEvent(
          "transfer.redelivered", at: now, on: configuration.role.place, Self.transferFields(of: entry, details: [])))
    }
  }

  /// Reports a finished transfer, unless the quirk suppresses the report.
  mutating func reportFinished(
    _ entry: OutboxEntry, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    guard !quirks.on[.finishLost] else {
      if quirks.unreported.count == QuirkState.unreportedMax { quirks.unreported.removeFirst() }
      quirks.unreported.append(entry)
      return
    }
    output.record(line("transfer.finished", entry.transfer, entry.lane, entry.seq, at: now))
    deliver(.finished(entry.lane, transfer: entry.transfer, seq: entry.seq), to: &deliveries)
  }
}
