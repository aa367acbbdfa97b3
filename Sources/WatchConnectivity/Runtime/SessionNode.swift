import Foundation
import Link

/// A device whose app is somebody's own: the session, and what its runtime must not forget.
///
/// It decides nothing that the session does not; it keeps back what comes before the app has activated its session, and
/// keeps notes of what the app was told, so that a crash on the way is noticed at the next start.
struct SessionNode: HostedNode {
  typealias Record = KeyedRecord
  typealias Change = KeyedChange

  /// What the app is told beside the session's deliveries.
  enum Notice: Sendable {
    case delivery(SessionDelivery)
    /// Whether the counterpart's app is installed has changed.
    case installedDidChange
    /// A queued transfer is over; the note of it is removed once the app was told.
    case result(TransferResult)
    /// What was handled last before a crash comes again, without being waited for.
    case again(InboxEntry)
    /// The watch of this phone is being switched.
    case watchIsSwitched
    /// Whether the phone is paired has changed, or whether the complication is on the active face.
    case watchStateDidChange
  }

  let role: NodeRole
  var session: Session
  private(set) var clock: NodeClock
  /// The instant of the last grant: what the app does between two grants is of the one before.
  var lastInstant: VirtualTime
  /// What the app must be told, in order.
  private var notices: [Notice] = []
  private var deliveries: [SessionDelivery] = []
  private var changes: [KeyedChange] = []
  /// What an earlier start was about to tell the app.
  let earlier: EarlierNotes

  /// Whether the app has activated its session.
  private(set) var isActivated = false
  /// Whether the scenario has suspended the app.
  private(set) var isAsleep = false
  /// Whether the phone was restarted, and nobody has unlocked it since.
  private(set) var isPeerLocked = false
  /// Whether the run has reached its end: the app sends nothing new.
  private(set) var isEnding = false
  /// Whether the scenario has unpaired this phone's watch.
  private(set) var isUnpaired = false
  /// Whether the scenario has taken the app's complication off this phone's watch.
  private(set) var hasNoComplication = false
  /// What was last heard of the radio.
  private var linkIsUp = false
  private var repeatsHandled = false
  private var handledBefore: [InboxEntry] = []
  private var isUntoldInstalledChange = false
  /// Transfers that are over, and of which the session has not told how they ended.
  private var over: [Identifier: OutboxEntry] = [:]

  init(_ setup: RuntimeSetup, record: SessionRecord, notes: KeyedRecord) {
    role = setup.role
    clock = NodeClock(startedAt: setup.startedAt)
    lastInstant = setup.now
    session = Session(
      Session.Configuration(
        role: setup.role, replyTimeout: setup.replyTimeout,
        random: RandomStream(seed: setup.seed, name: "session.\(setup.role.text)"), sendsReceipts: false,
        backgroundDelay: setup.backgroundDelay),
      record: record)
    earlier = EarlierNotes(notes)
    isUnpaired = notes.values[EarlierNotes.unpaired] != nil
    hasNoComplication = notes.values[EarlierNotes.noComplication] != nil
    handledBefore = [Lane.complication, .userInfo, .file].compactMap { record[$0].handledBefore }
    // Until the app activates its session, what comes for it waits as for one that sleeps.
    var output = NodeOutput(isRecording: false)
    session.receive(condition: .suspended, clock: 0, at: setup.now, into: &output, delivering: &deliveries)
  }

  var nextDeadline: VirtualTime? { session.nextDeadline }
  var isWorkoutOver: Bool { false }
  mutating func takeChanges() -> [KeyedChange] {
    defer { changes = [] }
    return changes
  }

  /// Takes what the app must be told.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// What this device's clock shows, in nanoseconds since 1970.
  func reading(at now: VirtualTime) -> Int64 { clock.reading(at: now) }

  /// How far this device's clock is ahead of one that is right.
  func skew(at now: VirtualTime, startedAt: Int64) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: reading(at: now) &- startedAt &- now.nanoseconds)
  }

  // MARK: Inputs

  mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    lastInstant = now
    switch input {
    case nil: session.fire(clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .frame(let frame):
      guard Self.mayFinish(frame) else {
        session.receive(frame, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
        break
      }
      // One confirmation may end several: those that waited for it to be in order.
      let owed = session.outstanding(in: .of(frame))
      session.receive(frame, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
      noteWhatIsOver(of: owed, in: .of(frame), into: &output)
    case .link(let isUp):
      linkIsUp = isUp
      guard isActivated else { return }
      session.receiveLink(
        isUp: isUp, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .condition(let condition): receive(condition, at: now, into: &output)
    case .page(let page): session.receive(page: page, at: now, into: &output, delivering: &deliveries)
    case .command(let command):
      if role == .phone { receive(command, into: &output) }
    case .uplink: break
    }
    tell(at: now, into: &output)
  }

  /// Takes a command about a phone's watch; any other is not for apps.
  private mutating func receive(_ command: NodeCommand, into output: inout NodeOutput) {
    switch command.name {
    case "switchWatch": notices.append(.watchIsSwitched)
    case "unpairWatch": setWatchState(\.isUnpaired, EarlierNotes.unpaired, true, into: &output)
    case "pairWatch": setWatchState(\.isUnpaired, EarlierNotes.unpaired, false, into: &output)
    case "disableComplication": setWatchState(\.hasNoComplication, EarlierNotes.noComplication, true, into: &output)
    case "enableComplication": setWatchState(\.hasNoComplication, EarlierNotes.noComplication, false, into: &output)
    default: break
    }
  }

  /// Changes what a phone knows of its watch, for its later starts, too.
  private mutating func setWatchState(
    _ state: WritableKeyPath<SessionNode, Bool>, _ key: String, _ isOn: Bool, into output: inout NodeOutput
  ) {
    guard self[keyPath: state] != isOn else { return }
    self[keyPath: state] = isOn
    keep(.set(key: key, isOn ? [1] : nil), into: &output)
    output.items.append(.commit)
    notices.append(.watchStateDidChange)
  }

  private mutating func receive(_ condition: NodeCondition, at now: VirtualTime, into output: inout NodeOutput) {
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      // One that has not activated its session goes on waiting.
      guard isActivated else { return }
    case .peerInstalled: isUntoldInstalledChange = true
    case .quirk(.deliveredTwice, let isOn, _): repeatsHandled = isOn
    case .peerLocked(let isLocked): isPeerLocked = isLocked
    case .runEnds: isEnding = true
    case .peer, .disk, .quirk, .messagesLaunchPeer, .launchedByMessage, .unknown: break
    }
    session.receive(
      condition: condition, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
  }

  /// Hands over what waited for the app's activation, once.
  mutating func activate(at now: VirtualTime, into output: inout NodeOutput) {
    guard !isActivated else { return }
    isActivated = true
    isUntoldInstalledChange = false
    for result in earlier.results { notices.append(.result(result)) }
    if !isAsleep {
      session.receive(
        condition: .resumed, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    }
    let first = deliveries
    deliveries = []
    session.receiveLink(
      isUp: linkIsUp, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    // A context that came before the activation is handed over once.
    if first.contains(where: \.isContext), let place = deliveries.firstIndex(where: \.isContext) {
      deliveries.remove(at: place)
    }
    deliveries = first + deliveries
    if repeatsHandled { for entry in handledBefore { notices.append(.again(entry)) } }
    handledBefore = []
    tell(at: now, into: &output)
  }

  // MARK: Notices

  /// Moves what the session has delivered to what the app must be told; results are noted first.
  mutating func tell(at now: VirtualTime, into output: inout NodeOutput) {
    for delivery in deliveries {
      if case .message(let payload, let flags, let epoch, let seq, false) = delivery {
        output.record(
          session.receivedEvent(
            kind: Self.kind(flags), payload: payload, epoch: epoch, seq: seq, at: now))
      }
      guard let (lane, transfer, error) = delivery.endedTransfer else {
        notices.append(.delivery(delivery))
        continue
      }
      guard let entry = over.removeValue(forKey: transfer) else { continue }
      let result = TransferResult(lane: lane, entry: entry, error: error)
      keep(result.note, into: &output)
      output.items.append(.commit)
      notices.append(.result(result))
    }
    deliveries.removeAll(keepingCapacity: true)
    if isUntoldInstalledChange, isActivated, !isAsleep {
      isUntoldInstalledChange = false
      notices.append(.installedDidChange)
    }
  }

  /// What a payload is called in the trace.
  static func kind(_ flags: Frame.Flags) -> String { flags.contains(.dictionary) ? "dictionary" : "data" }

  private static func mayFinish(_ frame: Frame) -> Bool {
    frame.kind == .ack && (frame.channel == .userInfo || frame.channel == .file)
  }

  /// Keeps what a transfer was that is over, until the app is told.
  ///
  /// While the app sleeps the session keeps back how it ended; that a user info has arrived is noted at once all the same.
  private mutating func noteWhatIsOver(of owed: [OutboxEntry], in lane: Lane, into output: inout NodeOutput) {
    let left = Set(session.outstanding(in: lane).map(\.transfer))
    for entry in owed where !left.contains(entry.transfer) {
      over[entry.transfer] = entry
      guard isAsleep || !isActivated, lane != .file else { continue }
      keep(TransferResult(lane: lane, entry: entry, error: nil).note, into: &output)
      output.items.append(.commit)
    }
  }

  /// Withdraws a file of ours that cannot be read any more: its transfer fails with 7013.
  mutating func withdrawFile(_ transfer: Identifier, into output: inout NodeOutput) {
    guard let owed = session.outstanding(in: .file).first(where: { $0.transfer == transfer }) else { return }
    over[transfer] = owed
    session.withdrawFile(
      seq: owed.seq, transfer: transfer, error: .fileAccessDenied, at: lastInstant, into: &output,
      delivering: &deliveries)
    tell(at: lastInstant, into: &output)
  }

  /// Removes the notes of where a file of ours was: its transfer is over, and the app was notified.
  mutating func forgetFile(_ transfer: Identifier, into output: inout NodeOutput) {
    for prefix in [SessionRuntime.originPrefix, SourceFile.prefix] {
      keep(.set(key: prefix + transfer.text, nil), into: &output)
    }
    output.items.append(.commit)
  }

  /// Orders a change of the notes: part of the transaction that the next commit closes.
  mutating func keep(_ change: KeyedChange, into output: inout NodeOutput) {
    output.items.append(.appChange(changes.count))
    changes.append(change)
  }

  /// Lets a session act whose deliveries then are told.
  mutating func act<Result>(
    into output: inout NodeOutput, _ body: (inout Session, VirtualTime, inout NodeOutput) -> Result
  ) -> Result {
    let result = body(&session, lastInstant, &output)
    tell(at: lastInstant, into: &output)
    return result
  }
}

extension SessionDelivery {
  var isContext: Bool { if case .context = self { true } else { false } }

  /// A transfer of ours that is over, and why it failed.
  var endedTransfer: (lane: Lane, transfer: Identifier, error: SessionError?)? {
    switch self {
    case .finished(let lane, let transfer, _): (lane, transfer, nil)
    case .transferFailed(let lane, let transfer, _, let error): (lane, transfer, error)
    case .transferCancelled(let lane, let transfer, _): (lane, transfer, .deliveryFailed)
    default: nil
    }
  }
}

extension Lane {
  /// The queue that a frame speaks of.
  static func of(_ frame: Frame) -> Lane {
    frame.channel == .file ? .file : frame.flags.contains(.complication) ? .complication : .userInfo
  }
}
