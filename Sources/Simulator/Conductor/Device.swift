package import Link
import LinkTransport

/// One device of a run: its node, wherever that runs, and what the run knows of it.
package struct Device {
  /// The device at the other end of its radio.
  struct Peer {
    /// Its index among the devices.
    var device: Int
    /// The index of the link between them.
    var link: Int
  }

  /// The state of an app that its peer's messages launch.
  struct MessageLaunch {
    /// The highest number of a message that has reached the app: a copy of an earlier one launches nothing.
    var lastMessage: UInt64 = 0
    /// Whether the peer knows that its messages launch the app.
    var isKnownToPeer = false

    mutating func remember(_ message: UInt64) { lastMessage = max(lastMessage, message) }
  }

  let role: NodeRole
  private(set) var host: any NodeHost
  var status = NodeStatus()
  /// Nil for the edge.
  var peer: Peer?
  /// Nil if no message launches its app.
  var launch: MessageLaunch?
  /// Acts for its app while that is down: it gets them at its next start.
  var waitingActs: [DeviceCommand] = []
  private var limit = GrantLimit()
  /// Counts the lines that it writes.
  var lines = LineLimit()
  // Cached, because both are read at every instant.
  private(set) var nextDeadline: VirtualTime?
  private(set) var isWorkoutOver: Bool

  package init(_ role: NodeRole, _ host: any NodeHost) {
    self.role = role
    self.host = host
    nextDeadline = host.nextDeadline
    isWorkoutOver = host.isWorkoutOver
  }

  /// Whether the app may ask why its phone is unreachable.
  var learnsOfLock: Bool { role == .watch && host.isApp }

  /// Whether a message launches its app now.
  ///
  /// False for a copy that an earlier start may have received, for a locked device, and for an app that comes back by
  /// itself.
  func isLaunched(by message: Arrival) -> Bool {
    guard let launch else { return false }
    return !status.isUp && !status.isLocked && message.id > launch.lastMessage
      && status.downs.allSatisfy { $0.fault != nil }
  }

  /// Passes inputs to the node, or fires its timers; see ``NodeHost/grant(_:fire:in:)``.
  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let now = turn.now
    guard limit.admit(at: now) else { throw GrantLimit.failure(of: role) }
    if !fire { status.lastInput = now }
    let ending = try host.grant(&inputs, fire: fire, in: &turn)
    nextDeadline = host.nextDeadline
    if !isWorkoutOver { isWorkoutOver = host.isWorkoutOver }
    return ending
  }

  /// Arms the crash points of the faults that wait for one.
  mutating func armPoints() throws(NodeFailure) {
    if status.isUp { try host.arm(status.armed.map(\.point)) }
  }

  /// Starts a killed node; see ``NodeHost/start(at:)``.
  mutating func start(at now: VirtualTime) throws(NodeFailure) {
    status.epoch = try host.start(at: now)
    status.isUp = true
    status.isLocked = false
    status.lastInput = now
    nextDeadline = host.nextDeadline
  }

  mutating func kill() {
    host.kill()
    nextDeadline = host.nextDeadline
  }

  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss { try host.losePower(draw: draw) }

  mutating func receiveHealed(at now: VirtualTime) {
    host.receiveHealed(at: now)
    nextDeadline = host.nextDeadline
  }
}

/// What faults have made wrong with a device and its app's session, as its node is notified of it.
struct DeviceConditions {
  /// A condition for the device's own node, or for that of its peer.
  enum Notice {
    case own(NodeCondition)
    case peer(NodeCondition)
  }

  /// A fault that sets the device's clock wrong.
  private struct Skew {
    var fault: Int
    var offset: VirtualTime.Span
    var driftPPM: Double
    var since: VirtualTime
  }

  /// A fault that plants a quirk in the device's session.
  private struct Quirk {
    var fault: Int
    var quirk: SessionQuirk
    /// The error of its messages; nil to draw one for each.
    var error: SessionError?
  }

  /// Upper bound of a clock's total offset: ten years.
  private static let aheadMax: Int64 = 315_360_000_000_000_000
  /// Lower bound of a clock's total drift: it never goes backwards by itself.
  private static let driftPPMMin = -990_000.0

  private var skews: [Skew] = []
  /// The faults that fill its disk.
  private var fills: [Int] = []
  /// The faults that make its peer believe that the app is missing.
  private var hides: [Int] = []
  private var quirks: [Quirk] = []
  /// The faults that make its app's sends fail, the latest last; only the latest applies.
  private var sendFailures: [(fault: Int, failures: SendFailures)] = []

  /// Adds the condition of a fault that begins; returns what a node must learn, nil for nothing new.
  mutating func begin(_ order: NodeOrder, by fault: Int, at now: VirtualTime) -> Notice? {
    switch order {
    case .kill, .suspend, .spoilHealth, .spoilSystem: return nil
    case .skewClock(let offset, let driftPPM):
      skews.append(Skew(fault: fault, offset: offset, driftPPM: driftPPM, since: now))
      return .own(clock(at: now))
    case .fillDisk:
      fills.append(fault)
      return fills.count == 1 ? .own(.disk(isFull: true)) : nil
    case .hideApp:
      hides.append(fault)
      return hides.count == 1 ? .peer(.peerInstalled(false)) : nil
    case .impose(let quirk, let error):
      let isOn = has(quirk)
      quirks.append(Quirk(fault: fault, quirk: quirk, error: error))
      return isOn ? nil : .own(.quirk(quirk, isOn: true, error: error))
    case .failSends(let failures):
      sendFailures.append((fault, failures))
      return .own(.sendsFail(failures))
    }
  }

  /// Removes the condition of a fault that ends; returns what a node must learn, nil for nothing new.
  mutating func end(_ order: NodeOrder, by fault: Int, at now: VirtualTime) -> Notice? {
    switch order {
    case .kill, .suspend, .spoilHealth, .spoilSystem: return nil
    case .skewClock:
      skews.removeAll { $0.fault == fault }
      return .own(clock(at: now))
    case .fillDisk:
      fills.removeAll { $0 == fault }
      return fills.isEmpty ? .own(.disk(isFull: false)) : nil
    case .hideApp:
      hides.removeAll { $0 == fault }
      return hides.isEmpty ? .peer(.peerInstalled(true)) : nil
    case .impose(let quirk, _):
      quirks.removeAll { $0.fault == fault }
      return has(quirk) ? nil : .own(.quirk(quirk, isOn: false))
    case .failSends:
      sendFailures.removeAll { $0.fault == fault }
      return .own(.sendsFail(sendFailures.last?.failures))
    }
  }

  /// What a starting node learns of its device's storage and clock, before it learns of its peer.
  func ofDevice(at now: VirtualTime) -> [NodeCondition] {
    (skews.isEmpty ? [] : [clock(at: now)]) + (fills.isEmpty ? [] : [.disk(isFull: true)])
  }

  /// What a starting node's peer condition is; nil for an app that is not hidden.
  var ofPeer: NodeCondition? { hides.isEmpty ? nil : .peerInstalled(false) }

  /// What a starting node learns of its session's flaws.
  var ofSession: [NodeCondition] {
    let imposed = SessionQuirk.all.compactMap { quirk in quirks.first { $0.quirk == quirk } }
    return imposed.map { .quirk($0.quirk, isOn: true, error: $0.error) }
      + (sendFailures.last.map { [.sendsFail($0.failures)] } ?? [])
  }

  /// Whether a fault plants a quirk in the device's session now.
  func has(_ quirk: SessionQuirk) -> Bool { quirks.contains { $0.quirk == quirk } }

  /// How far the device's clock is ahead, in nanoseconds.
  func skew(at now: VirtualTime) -> Int64 {
    if case .clock(let offset, _) = clock(at: now) { offset } else { 0 }
  }

  /// The clock's condition from now on.
  private func clock(at now: VirtualTime) -> NodeCondition {
    var offset: Int64 = 0
    var driftPPM = 0.0
    for skew in skews {
      // At most a day's worth of half a second a second: no overflow.
      let drifted = (Double((now - skew.since).nanoseconds) * skew.driftPPM / 1_000_000).rounded()
      let ahead = skew.offset.nanoseconds + Int64(drifted)
      offset = max(-Self.aheadMax, min(offset + ahead, Self.aheadMax))
      driftPPM += skew.driftPPM
    }
    return .clock(offset: offset, driftPPM: max(driftPPM, Self.driftPPMMin))
  }
}
