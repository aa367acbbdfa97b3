/// Delivers the last handled items to a device once more after a crash.
public struct DeliveredTwiceFault: SessionQuirkFault {
  /// The device that gets them again.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.deliveredTwice
  public static let effect =
    "at its start, records the last item that it handled in each queue during the quirk as"
    + " `transfer.redelivered`, without effect"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The framework loses the record that the app has handled an entry, and delivers it again at the app's next"
      + " start: the session recognizes its number, and it has no effect.",
    formula:
      "at every start of the app while the fault is on, before anything else, the last entry of each queue that was"
      + " handled while it was on: a `transfer.redelivered` line. Entries cancelled by their sender are not repeated.",
    reality:
      "Once per crash between callback and acknowledgement. Inferred from the framework's inbox on disk, which is"
      + " acknowledged after the callback (class dumps of WatchConnectivity, iOS 12): assumed.")
  public static let story = FaultStory(ending: "crashes no longer cause repeats") {
    "the \($0.device) gets items again after a crash that it had already handled"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that gets them again")
}

extension SessionQuirk {
  /// After a crash, the app gets the last handled items once more.
  public static let deliveredTwice = SessionQuirk("deliveredTwice", number: 10)
}

extension Session {
  /// The change that marks a lane's entries up to `last` as handled.
  func handledChange(_ lane: Lane, through last: SequenceNumber) -> SessionChange {
    quirks.on[.deliveredTwice] ? .handledKept(lane, last) : .handled(lane, last)
  }

  /// Records again the last items that an earlier epoch handled, without effect.
  mutating func recordRedelivered(in turn: inout Turn) {
    defer { quirks.handledBefore = [] }
    guard quirks.on[.deliveredTwice] else { return }
    for entry in quirks.handledBefore {
      turn.record(TransferRedelivered.self, on: configuration.role.place) { $0.describe(entry) }
    }
  }
}
