/// The body of a `condition` record: a byte that says which, and a value.
enum ConditionBody {
  private enum Which: UInt8, CaseIterable { case peer, peerInstalled, clock, disk, app }

  static func append(_ condition: NodeCondition, to bytes: inout [UInt8]) {
    func append(_ which: Which, _ flag: Bool) { bytes += [which.rawValue, flag ? 1 : 0] }
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
    }
  }

  static func read(_ body: Span<UInt8>) throws(WireError) -> NodeCondition {
    guard let which = Which(rawValue: body[0]) else {
      throw .malformed(.condition, expected: "one of 0...\(Which.allCases.count - 1), found \(body[0])")
    }
    let size = which == .clock ? 17 : 2
    guard body.count == size else { throw .malformed(.condition, expected: "\(size) bytes, found \(body.count)") }
    if which == .clock {
      let driftPPM = Double(bitPattern: body.littleEndian(UInt64.self, at: 9))
      guard driftPPM.isFinite else { throw .malformed(.condition, expected: "a finite drift, found \(driftPPM)") }
      return .clock(offset: Int64(bitPattern: body.littleEndian(UInt64.self, at: 1)), driftPPM: driftPPM)
    }
    guard body[1] <= 1 else { throw .malformed(.condition, expected: "0 or 1, found \(body[1])") }
    let flag = body[1] == 1
    switch which {
    case .peer: return .peer(isRunning: flag)
    case .peerInstalled: return .peerInstalled(flag)
    case .disk: return .disk(isFull: flag)
    case .app, .clock: return flag ? .resumed : .suspended
    }
  }
}
