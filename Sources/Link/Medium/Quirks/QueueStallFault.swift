/// Holds back a device's queued transfers until another one is queued.
public struct QueueStallFault: SessionQuirkFault {
  /// The device whose queue stalls.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.queueStall
  public static let effect =
    "holds user infos back; each new one releases the oldest one held; those queued while the app starts are"
    + " not held"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "Queued user infos stay outstanding on a good link; each new one releases the oldest and waits itself. The next"
      + " start of the app releases everything queued at that time. Complication transfers and files are not"
      + " affected.",
    formula:
      "number of released user infos = number queued since begin; in order, the oldest first. At the end all are"
      + " released.",
    reality:
      "User infos were stuck until the next one was queued, which released the oldest; ending the app or a reboot"
      + " released all (openradar 25767669). The length is unknown: minutes are assumed.")
  public static let story = FaultStory(ending: "the queue moves again") {
    "the \($0.device)'s queue stalls until more is queued"
  }
  public static let parameters = besideDevice(Self(.watch), "the device whose queue stalls")
}

extension SessionQuirk {
  /// Queued user infos wait until another one is queued, which releases the oldest.
  public static let queueStall = Self("queueStall", number: 8) { session, isOn, _, turn in
    if isOn {
      session.outboxes[.userInfo].stallQueue(releasesExisting: !session.isActivated)
      session.refreshQueueDeadline()
    } else {
      session.outboxes[.userInfo].endStall()
      if session.reachable { session.resume(.userInfo, in: &turn) }
    }
  }
}
