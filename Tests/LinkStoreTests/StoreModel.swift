import Link

/// Random operations on a session's store, each allowed by those before it.
struct OperationSource {
  /// The generator of the numbers: SplitMix64, so that a seed means the same operations everywhere.
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
  mutating func happens(oneIn bound: Int) -> Bool { number(below: bound) == 0 }
  mutating func element<Element>(of array: [Element]) -> Element { array[number(below: array.count)] }

  mutating func bytes() -> [UInt8] {
    let count =
      switch number(below: 40) {
      case 0: 0
      case 1: 65_536
      case 2, 3, 4: 3_000 + number(below: 3_000)
      default: number(below: 300)
      }
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: next()), count: count)
    if count > 0 { bytes[number(below: count)] = UInt8(truncatingIfNeeded: next()) }
    return bytes
  }

  mutating func identifier() -> Identifier { Identifier(high: next(), low: next()) }
}

/// What two stores must agree on, and what the next operations may be.
struct StoreModel {
  var session = MemorySessionStore()
  var app = KeyedRecord()
  var journal: UInt64?
  private var lanes = Lane.allCases.map { _ in Facts() }
  private var contextSeq: UInt64 = 0
  private var receivedContextSeq: UInt64 = 0
  private var partial: PartialFile?

  private struct Facts {
    var nextSeq: UInt64 = 1
    var owed: [UInt64] = []
    var nextToHandle: UInt64 = 1
    var inbox: Set<UInt64> = []
  }

  /// Draws the changes of one transaction, and takes them.
  mutating func draw(_ source: inout OperationSource) -> (session: [SessionChange], app: [KeyedChange]) {
    var changes: [SessionChange] = []
    for _ in 0..<source.number(below: 6) { drawChange(&source, into: &changes) }
    var appChanges: [KeyedChange] = []
    while source.happens(oneIn: 4) {
      let name = source.element(of: ["a", "b", "c"])
      switch source.number(below: 8) {
      case 0: appChanges.append(.removeAll(list: name))
      case 1, 2: appChanges.append(.set(key: name, source.bytes()))
      case 3: appChanges.append(.set(key: name, nil))
      default: appChanges.append(.append(list: name, source.bytes()))
      }
    }
    session.commit(changes)
    for change in appChanges { app.apply(change) }
    return (changes, appChanges)
  }

  private mutating func drawChange(_ source: inout OperationSource, into changes: inout [SessionChange]) {
    let lane = source.element(of: Lane.allCases)
    let place = Int(lane.rawValue)
    switch source.number(below: 16) {
    case 0, 1, 2, 3:
      if source.happens(oneIn: 50) { lanes[place].nextSeq += 1 + UInt64(source.number(below: 3)) }
      let seq = lanes[place].nextSeq
      changes.append(
        .enqueued(
          QueueEntry(
            transfer: source.identifier(), lane: lane, seq: SequenceNumber(seq), flags: .dictionary,
            payload: source.bytes())))
      lanes[place].nextSeq += 1
      lanes[place].owed.append(seq)
      if source.happens(oneIn: 6) { acknowledge(lane, lanes[place].owed.count - 1, into: &changes) }
    case 4, 5, 6:
      guard !lanes[place].owed.isEmpty else { return }
      acknowledge(lane, source.number(below: min(4, lanes[place].owed.count)), into: &changes)
    case 7:
      guard !lanes[place].owed.isEmpty else { return }
      changes.append(.voided(lane, SequenceNumber(source.element(of: lanes[place].owed))))
    case 8, 9, 10: receive(lane, &source, into: &changes)
    case 11, 12: handle(lane, upTo: 1 + source.number(below: 3), &source, into: &changes)
    default: drawSlot(&source, into: &changes)
    }
  }

  private mutating func acknowledge(_ lane: Lane, _ index: Int, into changes: inout [SessionChange]) {
    changes.append(.acknowledged(lane, SequenceNumber(lanes[Int(lane.rawValue)].owed.remove(at: index))))
  }

  private mutating func receive(
    _ lane: Lane, _ source: inout OperationSource, into changes: inout [SessionChange]
  ) {
    let place = Int(lane.rawValue)
    var seq = lanes[place].nextToHandle + UInt64(source.happens(oneIn: 3) ? source.number(below: 6) : 0)
    while lanes[place].inbox.contains(seq) { seq += 1 }
    lanes[place].inbox.insert(seq)
    changes.append(
      .received(
        QueueEntry(
          transfer: source.identifier(), lane: lane, seq: SequenceNumber(seq),
          flags: source.happens(oneIn: 8) ? [.void, .dictionary] : .dictionary, payload: source.bytes())))
    if source.happens(oneIn: 4) { handle(lane, upTo: 1, &source, into: &changes) }
  }

  private mutating func handle(
    _ lane: Lane, upTo most: Int, _ source: inout OperationSource, into changes: inout [SessionChange]
  ) {
    let place = Int(lane.rawValue)
    var last: UInt64?
    for _ in 0..<most where lanes[place].inbox.remove(lanes[place].nextToHandle) != nil {
      last = lanes[place].nextToHandle
      lanes[place].nextToHandle += 1
    }
    guard let last else { return }
    changes.append(
      source.happens(oneIn: 4) ? .handledKept(lane, SequenceNumber(last)) : .handled(lane, SequenceNumber(last)))
  }

  private mutating func drawSlot(_ source: inout OperationSource, into changes: inout [SessionChange]) {
    switch source.number(below: 6) {
    case 0:
      contextSeq += 1
      changes.append(.contextSet(SequenceNumber(contextSeq), source.bytes()))
    case 1:
      changes.append(.contextAcknowledged(SequenceNumber(contextSeq - min(contextSeq, source.next() & 1))))
    case 2:
      receivedContextSeq += 1
      changes.append(.contextReceived(SequenceNumber(receivedContextSeq), source.bytes()))
    case 3:
      changes.append(
        .budget(ComplicationBudget(day: Int64(source.number(below: 40_000)), used: source.number(below: 51))))
    default:
      if partial == nil || source.happens(oneIn: 6) {
        partial = PartialFile(
          transfer: source.identifier(), seq: SequenceNumber(source.next() >> 20), flags: [], offer: source.bytes())
      } else if source.happens(oneIn: 6) {
        partial = nil
      } else {
        partial?.receivedBytes += UInt64(source.number(below: 1 << 17))
        partial?.digestState = source.bytes()
      }
      changes.append(.partial(partial))
    }
  }
}
