extension Plant {
  /// The session's plants, of either side.
  public static let session: [Plant] = [
    silentRefusal,
    replyNever,
    expiredSession,
    budgetDropped,
  ]

  public static let silentRefusal = Plant(
    0, "silent-refusal", in: [.watch, .phone],
    happened:
      "The phone's registry lost the watch app: every send failed, while the watch still showed the phone "
      + "as reachable.",
    wrong:
      "A refused message leaves no error behind.",
    right:
      "Every failed send reports its error at once: a side knows that its sends fail, whatever the other side "
      + "thinks.",
    caughtBy: ["no-silent-refusal"])

  public static let replyNever = Plant(
    1, "reply-never", in: [.watch, .phone],
    happened:
      "A message waited for its reply forever when the peer died while it handled it.",
    wrong:
      "The wait for a reply has no deadline.",
    right:
      "A missing reply becomes an error at its deadline.",
    caughtBy: ["reply-in-time"])

  public static let expiredSession = Plant(
    2, "expired-session", in: [.watch, .phone],
    happened:
      "A watch app was woken for background transfers, its background session expired at once, and the "
      + "transferred data was lost (github.com/lionheart/openradar-mirror/issues/15691).",
    wrong:
      "An event that arrives while the app is suspended is acknowledged, and not stored.",
    right:
      "An event is stored before it is acknowledged, whether or not the app can handle it now.",
    caughtBy: ["queues-drain", "guaranteed-no-loss"])

  public static let budgetDropped = Plant(
    3, "budget-dropped", in: [.watch, .phone],
    happened:
      "Background wake-ups for complications have a budget of 50 a day; an app that had used it up "
      + "stopped getting updates (github.com/LoopKit/Loop/issues/816).",
    wrong:
      "A complication transfer beyond the budget of the day is dropped without an error.",
    right:
      "Beyond the budget a transfer is queued as an ordinary one.",
    caughtBy: ["queues-drain", "guaranteed-no-loss"],
    sweptIn: "traffic")
}

/// The wrong behaviour of planted bugs.
extension Session {
  /// ``Plants/expiredSession``: whether an event that is next is lost because the app is suspended.
  func losesEvent(_ lane: Lane, _ seq: SequenceNumber) -> Bool {
    isSuspended && configuration.plants.contains(.expiredSession) && inboxes[lane].isSettled
      && seq.rawValue == inboxes[lane].nextToHandle
  }

  /// ``Plants/budgetDropped``: queues a transfer, and withdraws it without a word to the app.
  mutating func dropOverBudget(
    _ payload: [UInt8], flags: Frame.Flags, details: TransferDetails, in turn: inout Turn
  ) throws(SessionError) -> Identifier {
    let wasReachable = reachable
    let seq = outboxes[.userInfo].nextSeq
    reachable = false
    defer { reachable = wasReachable }
    let transfer = try transferUserInfo(payload, flags: flags, details: details, in: &turn)
    if outboxes[.userInfo].voidTransfer(seq, transfer) { turn.commit(.voided(.userInfo, seq)) }
    reachable = wasReachable
    if reachable { fillWindow(.userInfo, in: &turn) }
    return transfer
  }
}
