import Link

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
