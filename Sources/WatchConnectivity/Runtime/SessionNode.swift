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
    /// The counterpart's app has no method for a message without reply.
    case untaken(SequenceNumber)
    /// What was handled last before a crash comes again, without being waited for.
    case again(InboxEntry)
    /// The watch of this phone is being switched.
    case watchIsSwitched
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
  private var isAsleep = false
  /// Whether the phone was restarted, and nobody has unlocked it since.
  private(set) var isPeerLocked = false
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
        random: RandomStream(seed: setup.seed, name: "session.\(setup.role.text)")), record: record)
    earlier = EarlierNotes(notes)
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

  // MARK: Inputs

  mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    lastInstant = now
    switch input {
    case nil: session.fire(clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .frame(let frame):
      // The session knows only of messages that want a reply; for any other number the runtime has nobody to tell.
      if frame.kind == .reply, frame.flags.contains(.failure), frame.peerEpoch == session.epoch {
        notices.append(.untaken(frame.seq))
      }
      guard Self.mayFinish(frame) else {
        session.receive(frame, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
        break
      }
      let owed = session.outstanding(in: .of(frame)).first { $0.seq == frame.seq }
      session.receive(frame, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
      if let owed { noteWhetherOver(owed, into: &output) }
    case .link(let isUp):
      linkIsUp = isUp
      guard isActivated else { return }
      session.receiveLink(
        isUp: isUp, clock: reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .condition(let condition): receive(condition, at: now, into: &output)
    case .page(let page): session.receive(page: page, at: now, into: &output, delivering: &deliveries)
    case .command(let command):
      if command.name == Self.switchWatch, role == .phone { notices.append(.watchIsSwitched) }
    case .uplink: break
    }
    tell(at: now, into: &output)
  }

  /// The command that has a phone's watch switched.
  static let switchWatch = "switchWatch"

  private mutating func receive(_ condition: NodeCondition, at now: VirtualTime, into output: inout NodeOutput) {
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      // One that has not activated its session goes on waiting.
      guard isActivated else { return }
    case .peerInstalled: isUntoldInstalledChange = true
    case .quirk(.deliveredTwice, let isOn): repeatsHandled = isOn
    case .peerLocked(let isLocked): isPeerLocked = isLocked
    case .peer, .disk, .quirk, .unknown: break
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
  private mutating func noteWhetherOver(_ owed: OutboxEntry, into output: inout NodeOutput) {
    guard !session.outstanding(in: owed.lane).contains(where: { $0.seq == owed.seq }) else { return }
    over[owed.transfer] = owed
    if isAsleep || !isActivated, owed.lane != .file {
      keep(TransferResult(lane: owed.lane, entry: owed, error: nil).note, into: &output)
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

  /// Removes the notes of where a file of ours was: its transfer is over, and the app has been told.
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
