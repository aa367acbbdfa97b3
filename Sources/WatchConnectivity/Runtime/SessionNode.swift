import Foundation
import Link

/// The device of a user's app: the session, and the marks that its runtime must store.
///
/// It adds no rules to the session's. It holds back what arrives before the app has activated its session, and stores
/// marks of what the app was notified of, so that the next start detects a crash on the way.
struct SessionNode: HostedNode {
  typealias Record = KeyedRecord
  typealias Change = KeyedChange

  /// A notification to the app, besides the session's deliveries.
  enum Notice: Sendable {
    case delivery(SessionDelivery)
    /// Whether the counterpart's app is installed has changed.
    case installedDidChange
    /// A queued transfer has finished; its mark is removed once the app was notified.
    case result(TransferResult)
    /// What was handled last before a crash is delivered again, without waiting for its handling.
    case again(QueueEntry)
    /// The watch of this phone is being switched.
    case watchIsSwitched
    /// Pairing or complication has changed.
    case watchStateDidChange
  }

  let role: NodeRole
  var session: Session
  private(set) var clock: NodeClock
  /// Pending notifications to the app, in order.
  private var notices: [Notice] = []
  private var changes: [KeyedChange] = []
  /// The marks of the previous start.
  let earlier: EarlierMarks
  /// What names payloads in the trace; nil for nothing.
  var naming: PayloadNaming?

  /// Whether the app has activated its session.
  private(set) var isActivated = false
  /// When the app's activation completes; nil if there is none that waits.
  private(set) var activatesAt: VirtualTime?
  /// Number of activations of this start, and their delays.
  private var activations: UInt64 = 0
  private let activationDelays: RandomStream
  /// Whether the scenario has suspended the app.
  private(set) var isAsleep = false
  /// Whether the phone was restarted and not unlocked since.
  private(set) var isPeerLocked = false
  /// Whether the run has reached its end: the app sends nothing new.
  private(set) var isEnding = false
  /// Whether the scenario has unpaired this phone's watch.
  private(set) var isUnpaired = false
  /// Whether the scenario has taken the app's complication off this phone's watch.
  private(set) var hasNoComplication = false
  /// The last notice of the radio.
  private var linkIsUp = false
  private var repeatsHandled = false
  /// Whether the app's getters wait for its callbacks.
  private(set) var gettersBlock = false
  private var handledBefore: [QueueEntry] = []
  private var isUntoldInstalledChange = false
  /// The scenario's acts in the app, in order.
  private var acts: [(name: String, json: [UInt8])] = []
  /// Frames of this device's own services, in order.
  private var deviceFrames: [Frame] = []
  /// Finished transfers whose result the session has not reported yet.
  private var over: [Identifier: QueueEntry] = [:]
  /// Transfers that fail later on purpose, in order; stored as results at once, for an app that starts again before.
  private var failing: [(at: VirtualTime, result: TransferResult)] = []

  init(_ setup: RuntimeSetup, record: SessionRecord, marks: KeyedRecord) {
    role = setup.role
    clock = NodeClock(startedAt: setup.startedAt)
    let earlier = EarlierMarks(marks)
    session = Session(
      Session.Configuration(
        role: setup.role, replyTimeout: setup.replyTimeout,
        random: RandomStream(seed: setup.seed, name: "session.\(setup.role.text)"), sendsReceipts: false,
        backgroundDelay: setup.backgroundDelay, contextAtStart: .waiting(delivered: earlier.contextTold)),
      record: record)
    activationDelays = RandomStream(seed: setup.seed, name: "activation.\(setup.role.text)")
    self.earlier = earlier
    naming = PayloadNaming(setup.payloadName)
    isUnpaired = marks.values[EarlierMarks.unpaired] != nil
    hasNoComplication = marks.values[EarlierMarks.noComplication] != nil
    handledBefore = [Lane.complication, .userInfo, .file].compactMap { record[$0].handledBefore }
    // Until the app activates its session, deliveries wait as for a suspended app.
    var turn = Turn(at: setup.now, isRecording: false)
    session.receive(condition: .suspended, clock: 0, in: &turn)
    precondition(turn.deliveries.isEmpty, "a new session has something to deliver")
  }

  var nextDeadline: VirtualTime? {
    // A sleeping app gets no error; the failure waits.
    let failsAt = isAsleep ? nil : failing.first?.at
    return [session.nextDeadline, activatesAt, failsAt].compactMap(\.self).min()
  }
  var isWorkoutOver: Bool { false }
  mutating func takeChanges() -> [KeyedChange] {
    defer { changes = [] }
    return changes
  }

  /// Removes and returns the pending notifications.
  mutating func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// Removes and returns the pending acts.
  mutating func takeActs() -> [(name: String, json: [UInt8])] {
    defer { acts = [] }
    return acts
  }

  /// Removes and returns the frames of this device's own services.
  mutating func takeDeviceFrames() -> [Frame] {
    guard !deviceFrames.isEmpty else { return [] }
    defer { deviceFrames = [] }
    return deviceFrames
  }

  /// This device's clock, in nanoseconds since 1970.
  func reading(at now: VirtualTime) -> Int64 { clock.reading(at: now) }

  /// How far this device's clock is ahead of a correct one.
  func skew(at now: VirtualTime, startedAt: Int64) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: reading(at: now) &- startedAt &- now.nanoseconds)
  }

  // MARK: Inputs

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    switch input {
    case nil:
      session.fire(clock: reading(at: now), in: &turn)
      while !isAsleep, let first = failing.first, first.at <= now {
        failing.removeFirst()
        notices.append(.result(first.result))
      }
    case .frame(let frame) where frame.channel == .health: deviceFrames.append(frame)
    case .frame(let frame):
      guard Self.mayFinish(frame) else {
        session.receive(frame, clock: reading(at: now), in: &turn)
        break
      }
      // One acknowledgement may finish several: those that waited for it to be in order.
      let owed = session.outstanding(in: .of(frame))
      session.receive(frame, clock: reading(at: now), in: &turn)
      storeEnded(of: owed, in: .of(frame), in: &turn)
    case .link(let isUp):
      linkIsUp = isUp
      guard isActivated else { return }
      session.receiveLink(isUp: isUp, clock: reading(at: now), in: &turn)
    case .condition(let condition): receive(condition, in: &turn)
    case .page(let page): session.receive(page: page, in: &turn)
    case .command(let command):
      if let act = command.act {
        acts.append(act)
      } else if role == .phone {
        receive(command, in: &turn)
      }
    case .uplink: break
    }
    queueNotices(in: &turn)
  }

  /// Handles a command about a phone's watch; any other is not for apps.
  private mutating func receive(_ command: NodeCommand, in turn: inout Turn) {
    switch command.name {
    case "switchWatch": notices.append(.watchIsSwitched)
    case "unpairWatch": setWatchState(\.isUnpaired, EarlierMarks.unpaired, true, in: &turn)
    case "pairWatch": setWatchState(\.isUnpaired, EarlierMarks.unpaired, false, in: &turn)
    case "disableComplication": setWatchState(\.hasNoComplication, EarlierMarks.noComplication, true, in: &turn)
    case "enableComplication": setWatchState(\.hasNoComplication, EarlierMarks.noComplication, false, in: &turn)
    default: break
    }
  }

  /// Changes a phone's view of its watch, durably.
  private mutating func setWatchState(
    _ state: WritableKeyPath<SessionNode, Bool>, _ key: String, _ isOn: Bool, in turn: inout Turn
  ) {
    guard self[keyPath: state] != isOn else { return }
    self[keyPath: state] = isOn
    appendChange(.set(key: key, isOn ? [1] : nil), in: &turn)
    turn.items.append(.commit)
    notices.append(.watchStateDidChange)
  }

  private mutating func receive(_ condition: NodeCondition, in turn: inout Turn) {
    let now = turn.now
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      // A session that is not activated continues to wait.
      guard isActivated else { return }
    case .peerInstalled: isUntoldInstalledChange = true
    case .quirk(.deliveredTwice, let isOn, _): repeatsHandled = isOn
    case .quirk(.gettersBlock, let isOn, _): gettersBlock = isOn
    case .peerLocked(let isLocked): isPeerLocked = isLocked
    case .runEnds: isEnding = true
    case .sendsFail(let failures): session.setSendFailures(failures)
    case .peer, .disk, .quirk, .messagesLaunchPeer, .launchedByMessage, .unknown: break
    }
    session.receive(condition: condition, clock: reading(at: now), in: &turn)
  }

  /// How long an activation takes, in milliseconds: assumed, as no measurement is known (decision 139).
  static let activationDelay: ClosedRange<Int64> = 1...50

  /// Begins an activation, which the host completes with ``activate(in:)`` when it is due; no effect while one waits.
  mutating func scheduleActivation(at now: VirtualTime) {
    guard activatesAt == nil else { return }
    activations += 1
    let key = RandomStream.key(UInt64(session.epoch.rawValue), activations)
    let spread = UInt64(Self.activationDelay.upperBound - Self.activationDelay.lowerBound) + 1
    let more = Int64(activationDelays.number(below: spread, for: key))
    activatesAt = now + .milliseconds(Self.activationDelay.lowerBound + more)
  }

  /// Delivers what waited for the app's activation, once.
  mutating func activate(in turn: inout Turn) {
    let now = turn.now
    activatesAt = nil
    guard !isActivated else { return }
    isActivated = true
    isUntoldInstalledChange = false
    for result in earlier.results { notices.append(.result(result)) }
    if !isAsleep {
      session.receive(condition: .resumed, clock: reading(at: now), in: &turn)
    }
    let first = turn.deliveries
    turn.deliveries = []
    session.receiveLink(isUp: linkIsUp, clock: reading(at: now), in: &turn)
    // A context from before the activation is delivered once.
    if first.contains(where: \.isContext), let place = turn.deliveries.firstIndex(where: \.isContext) {
      turn.deliveries.remove(at: place)
    }
    turn.deliveries = first + turn.deliveries
    if repeatsHandled { for entry in handledBefore { notices.append(.again(entry)) } }
    handledBefore = []
    queueNotices(in: &turn)
  }

  // MARK: Notices

  /// Moves the session's deliveries to the pending notifications; results are stored first.
  mutating func queueNotices(in turn: inout Turn) {
    nameLines(in: &turn)
    for delivery in turn.deliveries {
      forgetOutcome(delivery)
      if case .message(let payload, let flags, let epoch, let seq, false) = delivery {
        let kind = kind(flags, payload)
        turn.record(session.receivedEvent(kind: kind, payload: payload, epoch: epoch, seq: seq), on: role.place)
      }
      guard let (lane, transfer, error) = delivery.endedTransfer else {
        notices.append(.delivery(delivery))
        continue
      }
      guard let entry = over.removeValue(forKey: transfer) else { continue }
      let result = TransferResult(lane: lane, entry: entry, error: error)
      appendChange(result.mark, in: &turn)
      turn.items.append(.commit)
      notices.append(.result(result))
    }
    turn.deliveries.removeAll()
    if isUntoldInstalledChange, isActivated, !isAsleep {
      isUntoldInstalledChange = false
      notices.append(.installedDidChange)
    }
  }

  /// The kind of a payload in the trace.
  static func kind(_ flags: Frame.Flags) -> String { flags.contains(.dictionary) ? "dictionary" : "data" }

  /// The name of a payload in the trace: by the scenario's path, by what it says itself, or else by its type.
  mutating func kind(_ flags: Frame.Flags, _ payload: [UInt8]) -> String {
    naming?.name(payload, isDictionary: flags.contains(.dictionary)) ?? Self.kind(flags)
  }

  /// The fields that name a queued payload in the trace; none without a name.
  mutating func details(_ lane: Lane, _ payload: [UInt8]) -> TransferDetails {
    var details = TransferDetails()
    details.kind = naming?.name(of: lane, payload)
    return details
  }

  /// Names the lines without a payload, and reports errors of the app's decoder.
  private mutating func nameLines(in turn: inout Turn) {
    guard naming != nil else { return }
    naming?.complete(
      &turn.items, sent: session.applicationContext, received: session.receivedApplicationContext)
    for problem in naming?.takeProblems() ?? [] {
      let text = "the app's decoder of payloads failed: \(problem)"
      let now = turn.now
      turn.record(AppFact.finding("decoder", text, at: now, on: role.place))
    }
  }

  private mutating func forgetOutcome(_ delivery: SessionDelivery) {
    guard naming != nil else { return }
    switch delivery {
    case .reply(let seq, _, _), .received(let seq), .failed(let seq, _): naming?.forget(seq)
    default: break
    }
  }

  private static func mayFinish(_ frame: Frame) -> Bool {
    frame.kind == .ack && (frame.channel == .userInfo || frame.channel == .file)
  }

  /// Stores finished transfers until the app is notified.
  ///
  /// While the app is suspended the session holds back their results; a user info's arrival is stored at once
  /// nevertheless.
  private mutating func storeEnded(of owed: [QueueEntry], in lane: Lane, in turn: inout Turn) {
    let left = Set(session.outstanding(in: lane).map(\.transfer))
    for entry in owed where !left.contains(entry.transfer) {
      over[entry.transfer] = entry
      guard isAsleep || !isActivated, lane != .file else { continue }
      appendChange(TransferResult(lane: lane, entry: entry, error: nil).mark, in: &turn)
      turn.items.append(.commit)
    }
  }

  /// Withdraws an outgoing file that has become unreadable: its transfer fails with 7013.
  mutating func withdrawFile(_ transfer: Identifier, in turn: inout Turn) {
    guard let owed = session.outstanding(in: .file).first(where: { $0.transfer == transfer }) else { return }
    over[transfer] = owed
    session.withdrawFile(seq: owed.seq, transfer: transfer, error: .fileAccessDenied, in: &turn)
    queueNotices(in: &turn)
  }

  /// Removes the marks of an outgoing file's location: its transfer has finished, and the app was notified.
  mutating func forgetFile(_ transfer: Identifier, in turn: inout Turn) {
    for prefix in [SessionRuntime.originPrefix, SourceFile.prefix] {
      appendChange(.set(key: prefix + transfer.text, nil), in: &turn)
    }
    turn.items.append(.commit)
  }

  /// Adds a change of the marks to the transaction that the next commit closes.
  mutating func appendChange(_ change: KeyedChange, in turn: inout Turn) {
    turn.items.append(.appChange(changes.count))
    changes.append(change)
  }

  /// Calls the session, and queues the notifications that follow.
  mutating func act<Result>(in turn: inout Turn, _ body: (inout Session, inout Turn) -> Result) -> Result {
    let result = body(&session, &turn)
    if let later = session.takeFailingLater() {
      let result = TransferResult(lane: later.entry.lane, entry: later.entry, error: later.error)
      appendChange(result.mark, in: &turn)
      turn.items.append(.commit)
      failing.append((turn.now + Session.failsAfter, result))
    }
    queueNotices(in: &turn)
    return result
  }
}

extension SessionDelivery {
  var isContext: Bool { if case .context = self { true } else { false } }

  /// An outgoing transfer that has finished, and its error.
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
  /// The queue that a frame belongs to.
  static func of(_ frame: Frame) -> Lane {
    frame.channel == .file ? .file : frame.flags.contains(.complication) ? .complication : .userInfo
  }
}
