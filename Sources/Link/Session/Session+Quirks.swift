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
    /// Those of them that keep deliveries from the app.
    var withholding: [SessionQuirk] = []
    /// The error of messages while ``SessionQuirk/phantomReachable`` is on; nil to draw it for each.
    var phantomError: SessionError?
    /// The same for ``SessionQuirk/reachabilityStuck``.
    var stuckError: SessionError?
    /// The latest contexts since the beginning of ``SessionQuirk/contextBurst``, the newest last.
    var contexts: [SessionRecord.ContextSlot] = []
    /// The number of bursts in this epoch.
    var bursts: UInt64 = 0
    /// Transfers that the peer has without a report to the app, in the order of their confirmations.
    var unreported: [QueueEntry] = []
    /// The last entries that an earlier epoch handled, one for each lane that stored it.
    var handledBefore: [QueueEntry] = []
  }

  /// Switches a quirk on or off.
  mutating func setQuirk(_ quirk: SessionQuirk, isOn: Bool, error: SessionError?, in turn: inout Turn) {
    guard quirks.on[quirk] != isOn else { return }
    quirks.on[quirk] = isOn
    quirks.withholding.removeAll { $0 == quirk }
    if isOn, quirk.withholds != nil { quirks.withholding.append(quirk) }
    quirk.switched?(&self, isOn, error, &turn)
  }

  /// Whether a quirk keeps a delivery from the app.
  func isWithheld(_ delivery: SessionDelivery) -> Bool {
    quirks.withholding.contains { $0.withholds?(self, delivery) == true }
  }

  // MARK: Reachability

  /// Whether a quirk keeps the app's belief as it is.
  private var isStuck: Bool { quirks.on[.reachabilityStuck] || quirks.on[.reachabilityUntrue] }

  /// Whether a message may be sent: as the app believes, or as it is.
  var admitsMessages: Bool { quirks.on[.reachabilityUntrue] ? isWithinReach : believesReachable }

  /// Updates the reachability that the app sees.
  mutating func updateBelief(cause: String, in turn: inout Turn) {
    let isReachable =
      quirks.on[.phantomReachable] || (isStuck ? believesReachable : isWithinReach)
    guard isReachable != believesReachable else { return }
    believesReachable = isReachable
    let isTold = !quirks.on[.reachabilityEdgeLost] && !(isReachable && quirks.on[.reachabilityRiseLost])
    turn.record(ReachabilityChanged.self, on: configuration.role.place) {
      $0.reachable = isReachable
      $0.cause = cause
      if !isTold { $0.told = false }
    }
    if isTold { deliver(.reachability(isReachable), in: &turn) }
  }

  /// Updates a belief that a quirk makes wrong, and fails messages that the app no longer believes possible.
  mutating func reviewBelief(cause: String, in turn: inout Turn) {
    updateBelief(cause: cause, in: &turn)
    if !believesReachable { failPendingMessages(.notReachable, in: &turn) }
  }

  // MARK: Messages

  /// How long a message without a receiver takes to fail; the framework's times are not recorded.
  private static let deliveryFailsAfter = VirtualTime.Span.seconds(5)
  private static let transferTimesOutAfter = VirtualTime.Span.seconds(60)

  /// Whether a quirk makes the app believe that an unreachable peer is reachable.
  var believesWrongly: Bool { believesReachable && !isWithinReach && !quirks.on[.reachabilityUntrue] }

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
}
