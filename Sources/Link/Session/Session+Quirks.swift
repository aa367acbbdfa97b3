/// What a session gets wrong on purpose, as the real framework does.
///
/// A quirk changes what the app is told and when something is sent, and never what is promised: messages at most once,
/// what is queued exactly once, the latest context in the end.
extension Session {
  /// What the quirks of a session remember.
  struct QuirkState: Sendable, Equatable {
    /// Contexts that are kept to be handed over again, at most.
    static let contextsMax = 8
    /// Unreported transfers that are listed as outstanding, at most.
    static let unreportedMax = LaneRecord.pageMax

    /// Which quirks are on.
    var on = SessionQuirkSet()
    /// What messages fail with while ``SessionQuirk/phantomReachable`` is on; nil to draw it for each.
    var phantomError: SessionError?
    /// The same of ``SessionQuirk/reachabilityStuck``.
    var stuckError: SessionError?
    /// The latest contexts received since ``SessionQuirk/contextBurst`` began, the newest last.
    var contexts: [SessionRecord.ContextSlot] = []
    /// How often contexts were handed over in a burst in this epoch.
    var bursts: UInt64 = 0
    /// What the peer has and the app was not told of, in the order of the confirmations.
    var unreported: [OutboxEntry] = []
    /// What an earlier epoch handled last, of each lane that kept it.
    var handledBefore: [InboxEntry] = []
  }

  /// Takes that one of the quirks begins or ends.
  mutating func set(
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
        outboxes[.userInfo].stall(exceptWhatIsThere: !isActivated)
        noteQueueDeadline()
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

  /// How long a message without a receiver takes to fail: the framework's own times are not recorded.
  private static let deliveryFailsAfter = VirtualTime.Span.seconds(5)
  private static let transferTimesOutAfter = VirtualTime.Span.seconds(60)

  /// Whether a quirk has the app believe that a peer out of reach is in reach.
  var believesWrongly: Bool { believesReachable && !isWithinReach }

  /// The error that a quirk gives to a message that cannot arrive: the fault's, or drawn for each message.
  private func quirkError(for seq: SequenceNumber) -> SessionError {
    if let error = quirks.on[.phantomReachable] ? quirks.phantomError : quirks.stuckError { return error }
    let key = RandomStream.key(0x7068_616E_746F_6D00 ^ UInt64(epoch.rawValue), seq.rawValue)
    return SessionQuirk.messageErrors[Int(configuration.random.number(below: 3, for: key))]
  }

  /// Whether a message is refused at the call although the app believes the peer in reach.
  func isRefusedByQuirk(_ seq: SequenceNumber) -> Bool { believesWrongly && quirkError(for: seq) == .notReachable }

  /// Sets when and how a message fails that the app sent because of a quirk; never later than without the quirk.
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

  /// Keeps a context that has just been received, for a burst.
  mutating func noteContext(_ slot: SessionRecord.ContextSlot) {
    guard quirks.on[.contextBurst] else { return }
    if quirks.contexts.count == QuirkState.contextsMax { quirks.contexts.removeFirst() }
    quirks.contexts.append(slot)
  }

  /// Hands the app every context that is kept, each one to three times, the latest last.
  ///
  /// - Parameter isNew: Whether the app has not been handed the latest yet.
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

  /// The change that ends the handling of a lane's entries up to `last`.
  func handledChange(_ lane: Lane, through last: SequenceNumber) -> SessionChange {
    quirks.on[.deliveredTwice] ? .handledKept(lane, last) : .handled(lane, last)
  }

  /// Takes again what an earlier epoch had handled last: known by its number, and without effect.
  mutating func takeRedelivered(at now: VirtualTime, into output: inout NodeOutput) {
    defer { quirks.handledBefore = [] }
    guard quirks.on[.deliveredTwice] else { return }
    for entry in quirks.handledBefore {
      output.record(
        TraceEvent(
          "transfer.redelivered", at: now, on: configuration.role.place, Self.transferFields(of: entry, details: [])))
    }
  }

  /// Tells that the peer has a transfer, or does not, where the finish is lost.
  mutating func tellFinished(
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
