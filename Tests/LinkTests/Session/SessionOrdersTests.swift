import Testing

@testable import Link

/// Every order in which ten things can happen to a session, up to six of them.
@Suite struct `Every short order of inputs` {
  enum Symbol: Int, CaseIterable, Sendable {
    case linkUp, linkDown, peerHello, helloAck, message, sameMessage, first, second, ack, tick
  }

  private static let depthMax = 6

  /// The expected state, derived from the order of inputs alone.
  private struct Expected {
    var linkIsUp = false
    var hasHello = false
    var isConfirmed = false
    var hasMessage = false
    var arrived: (first: Bool, second: Bool) = (false, false)
    var isAcknowledged = false
    var handled: UInt64 = 0

    mutating func take(_ symbol: Symbol) {
      switch symbol {
      case .linkUp: linkIsUp = true
      case .linkDown: linkIsUp = false
      case .peerHello: hasHello = true
      case .helloAck: isConfirmed = true
      case .message, .sameMessage: if hasHello { hasMessage = true }
      case .first: if hasHello { arrived.first = true }
      case .second: if hasHello { arrived.second = true }
      case .ack: isAcknowledged = true
      case .tick: break
      }
      handled = arrived.first ? (arrived.second ? 2 : 1) : 0
    }

    var isReachable: Bool { linkIsUp && hasHello && isConfirmed }
  }

  private struct State {
    var session: Session
    var expected = Expected()
    var now = VirtualTime.start
    var messages = 0
    var handled: UInt64 = 0
  }

  private static let own: (session: Session, transfer: Identifier) = {
    var session = Session(.init(role: .watch, random: RandomStream(seed: 1, name: "session.watch")))
    var turn = Turn(isRecording: false)
    let transfer = try? session.transferUserInfo([9], details: .init(), in: &turn)
    return (session, transfer ?? Identifier(high: 0, low: 0))
  }()

  private static let frames: [Symbol: Frame] = {
    func data(_ channel: Channel, _ seq: UInt64) -> Frame {
      Frame(
        kind: .data, channel: channel, epoch: Epoch(1), peerEpoch: Epoch(1), seq: SequenceNumber(seq),
        transfer: Identifier(high: 7, low: seq), payload: [UInt8(seq)])
    }
    return [
      .peerHello: Frame(
        kind: .hello, channel: .message, epoch: Epoch(1), seq: SequenceNumber(0),
        payload: Hello(clock: 0, nextSeqs: [1, 1, 1, 1]).encoded),
      .helloAck: Frame(
        kind: .ack, channel: .message, epoch: Epoch(1), peerEpoch: Epoch(1), seq: SequenceNumber(0)),
      .message: data(.message, 1), .sameMessage: data(.message, 1),
      .first: data(.userInfo, 1), .second: data(.userInfo, 2),
      .ack: Frame(
        kind: .ack, channel: .userInfo, epoch: Epoch(1), peerEpoch: Epoch(1), seq: SequenceNumber(1),
        transfer: own.transfer),
    ]
  }()

  /// Applies one symbol; returns what is wrong afterwards, or nil.
  private static func step(_ state: inout State, _ symbol: Symbol) -> String? {
    var turn = Turn(at: state.now, isRecording: false)
    state.expected.take(symbol)
    switch symbol {
    case .linkUp, .linkDown:
      state.session.receiveLink(isUp: symbol == .linkUp, clock: 0, in: &turn)
    case .tick:
      if let due = state.session.nextDeadline {
        state.now = max(state.now, due)
        turn.now = state.now
        state.session.fire(clock: 0, in: &turn)
        if let next = state.session.nextDeadline, next <= state.now { return "the next deadline has passed" }
      }
    default:
      guard let frame = frames[symbol] else { return "no frame" }
      state.session.receive(frame, clock: 0, in: &turn)
    }
    for delivery in turn.deliveries {
      switch delivery {
      case .message(_, _, _, _, let isStale): state.messages += isStale ? 0 : 1
      case .userInfo(let entry):
        state.handled += 1
        guard entry.seq.rawValue == state.handled else { return "event \(entry.seq.rawValue) out of order" }
        state.session.markHandled(entry, in: &turn)
      default: break
      }
    }
    for case .frame(let frame) in turn.items
    where frame.kind == .data && !(state.expected.isReachable && frame.channel == .userInfo) {
      return "data is sent while unreachable"
    }
    let expected = state.expected
    if state.session.isReachable != expected.isReachable { return "reachable: \(state.session.isReachable)" }
    if state.messages != (expected.hasMessage ? 1 : 0) { return "\(state.messages) messages" }
    if state.handled != expected.handled { return "\(state.handled) events handled" }
    if state.session.outstanding(in: .userInfo).isEmpty != expected.isAcknowledged { return "the outbox" }
    // While it owes something that it can deliver, or repeats a hello, a session has a deadline.
    let owes =
      expected.isReachable ? !expected.isAcknowledged : expected.linkIsUp && !expected.isConfirmed
    if owes, state.session.nextDeadline == nil { return "no deadline, but something is owed" }
    if !expected.linkIsUp, state.session.nextDeadline != nil { return "a deadline without a link" }
    return nil
  }

  private static func explore(_ state: State, _ path: inout [Symbol], _ count: inout Int) -> String? {
    guard path.count < depthMax else { return nil }
    for symbol in Symbol.allCases {
      var next = state
      path.append(symbol)
      count += 1
      if let wrong = step(&next, symbol) { return "\(path): \(wrong)" }
      if let wrong = explore(next, &path, &count) { return wrong }
      path.removeLast()
    }
    return nil
  }

  @Test(arguments: Symbol.allCases)
  func `keeps the guarantees of a session`(first: Symbol) {
    var state = State(session: Self.own.session)
    var path = [first]
    var count = 1
    let wrong = Self.step(&state, first) ?? Self.explore(state, &path, &count)
    #expect(wrong == nil)
    #expect(count == 111_111, "1 + 10 + ... + 10^5 orders begin with each of the ten")
  }
}
