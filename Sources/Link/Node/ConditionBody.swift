/// The body of a `condition` record: a byte for its number, and a value.
enum ConditionBody {
  private enum Which: UInt8, CaseIterable { case peer, peerInstalled, clock, disk, app }

  /// Further conditions up to 23; quirks have 5 to 15 and 24 to 63.
  private static let peerLocked: UInt8 = 16
  private static let runEnds: UInt8 = 17
  private static let messagesLaunchPeer: UInt8 = 18
  private static let launchedByMessage: UInt8 = 19
  private static let sendsFail: UInt8 = 20

  static func append(_ condition: NodeCondition, to bytes: inout [UInt8]) {
    func append(_ which: UInt8, _ flag: Bool) { bytes += [which, flag ? 1 : 0] }
    func append(_ which: Which, _ flag: Bool) { append(which.rawValue, flag) }
    switch condition {
    case .peer(let isRunning): append(.peer, isRunning)
    case .peerInstalled(let isInstalled): append(.peerInstalled, isInstalled)
    case .clock(let offset, let driftPPM):
      bytes.append(Which.clock.rawValue)
      bytes.appendLittleEndian(UInt64(bitPattern: offset))
      bytes.appendLittleEndian(driftPPM.bitPattern)
    case .disk(let isFull): append(.disk, isFull)
    case .suspended: append(.app, false)
    case .resumed: append(.app, true)
    case .quirk(let quirk, let isOn, let error):
      append(quirk.number, isOn)
      // A third byte only if the fault names an error.
      if let error, let index = SessionQuirk.messageErrors.firstIndex(of: error) { bytes.append(UInt8(index)) }
    case .peerLocked(let isLocked): append(peerLocked, isLocked)
    case .runEnds: append(runEnds, true)
    case .messagesLaunchPeer(let isOn): append(messagesLaunchPeer, isOn)
    case .launchedByMessage: append(launchedByMessage, true)
    case .sendsFail(let failures):
      append(sendsFail, failures != nil)
      guard let failures else { break }
      bytes.append(UInt8(SendFailures.codes.firstIndex { $0.error == failures.error } ?? 0))
      bytes.append(failures.moment == .later ? 1 : 0)
      bytes.append(failures.channels.reduce(0) { $0 | 1 << $1.rawValue })
      bytes.appendLittleEndian(failures.perMillion)
    case .unknown(let which): append(which, false)
    }
  }

  static func read(_ body: Span<UInt8>) throws(WireError) -> NodeCondition {
    let number = body[0]
    let quirk = SessionQuirk.all.first { $0.number == number }
    if number == sendsFail { return .sendsFail(try sendFailures(body)) }
    if number == peerLocked { return .peerLocked(try flag(body)) }
    if number == messagesLaunchPeer { return .messagesLaunchPeer(try flag(body)) }
    if number == runEnds || number == launchedByMessage {
      // These conditions are never reverted.
      guard try flag(body) else { throw .malformed(.condition, expected: "1, found 0") }
      return number == runEnds ? .runEnds : .launchedByMessage
    }
    guard let which = Which(rawValue: number) else {
      // Conditions of later versions are ignored, whatever their value.
      guard let quirk else { return .unknown(number) }
      guard body.count == 3 else { return .quirk(quirk, isOn: try flag(body)) }
      guard body[2] < SessionQuirk.messageErrors.count else {
        throw .malformed(.condition, expected: "an error from 0 to 2, found \(body[2])")
      }
      return .quirk(quirk, isOn: try flag(body.extracting(first: 2)), error: SessionQuirk.messageErrors[Int(body[2])])
    }
    if which == .clock {
      guard body.count == 17 else { throw .malformed(.condition, expected: "17 bytes, found \(body.count)") }
      let driftPPM = Double(bitPattern: body.littleEndian(UInt64.self, at: 9))
      guard driftPPM.isFinite else { throw .malformed(.condition, expected: "a finite drift, found \(driftPPM)") }
      return .clock(offset: Int64(bitPattern: body.littleEndian(UInt64.self, at: 1)), driftPPM: driftPPM)
    }
    let flag = try flag(body)
    switch which {
    case .peer: return .peer(isRunning: flag)
    case .peerInstalled: return .peerInstalled(flag)
    case .disk: return .disk(isFull: flag)
    case .app, .clock: return flag ? .resumed : .suspended
    }
  }

  private static func sendFailures(_ body: Span<UInt8>) throws(WireError) -> SendFailures? {
    guard body.count == 9 else {
      guard try !flag(body) else { throw .malformed(.condition, expected: "9 bytes, found 2") }
      return nil
    }
    let channels = SendFailures.allChannels.filter { body[4] >> $0.rawValue & 1 == 1 }
    let perMillion = body.littleEndian(UInt32.self, at: 5)
    guard body[1] == 1, SendFailures.codes.indices.contains(Int(body[2])), body[3] <= 1, !channels.isEmpty,
      (1...1_000_000).contains(perMillion)
    else { throw .malformed(.condition, expected: "an error, a moment, channels and a rate of failing sends") }
    return SendFailures(
      error: SendFailures.codes[Int(body[2])].error, perMillion: perMillion, channels: channels,
      moment: body[3] == 1 ? .later : .call)
  }

  private static func flag(_ body: Span<UInt8>) throws(WireError) -> Bool {
    guard body.count == 2 else { throw .malformed(.condition, expected: "2 bytes, found \(body.count)") }
    guard body[1] <= 1 else { throw .malformed(.condition, expected: "0 or 1, found \(body[1])") }
    return body[1] == 1
  }
}

/// A condition of a node's device or of its counterpart, apart from the radio.
public enum NodeCondition: Sendable, Equatable {
  /// Whether the counterpart's app runs or can be woken; otherwise no message can be sent.
  case peer(isRunning: Bool)
  /// Whether the counterpart's app is installed; otherwise every send fails at the call.
  case peerInstalled(Bool)
  /// The device's clock shows true time plus `offset` nanoseconds, and gains `driftPPM` millionths from now on.
  case clock(offset: Int64, driftPPM: Double)
  /// Whether the device's disk is full: it then refuses whatever would grow its store.
  case disk(isFull: Bool)
  /// The app is suspended: its timers do not fire, and transfers for it are received and stored.
  case suspended
  /// The app resumes.
  case resumed
  /// Whether this side misbehaves as the real framework does.
  ///
  /// `error` is one of ``SessionQuirk/messageErrors``, for quirks whose messages fail; nil to draw it for each.
  case quirk(SessionQuirk, isOn: Bool, error: SessionError? = nil)
  /// Whether the counterpart is a phone that was rebooted and is still locked.
  ///
  /// Sent only to a node with its own timers, whose app can query it.
  case peerLocked(Bool)
  /// The run has reached its end: owed items are still transferred, and the app sends nothing new.
  ///
  /// Sent only to a node with its own timers.
  case runEnds
  /// Whether a message of this side launches the counterpart's app, so that the app is reachable while it is not
  /// running.
  ///
  /// Sent to a watch.
  case messagesLaunchPeer(Bool)
  /// A message has launched this app and follows: messages that arrive before their sender's hello wait for it.
  case launchedByMessage
  /// Makes the app's sends fail on purpose; nil ends that.
  ///
  /// Sent only to an app.
  case sendsFail(SendFailures?)
  /// A condition of a later release; ignored.
  case unknown(UInt8)
}
