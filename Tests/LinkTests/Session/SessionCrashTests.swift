import LinkTestSupport
import Testing

@testable import Link

/// Every named crash point, on either side, at its first six passages, under three kinds of traffic.
@Suite struct `Every crash point` {
  enum Load: String, CaseIterable, Sendable { case userInfo, complication, file, context }
  enum Pattern: String, CaseIterable, Sendable { case oneByOne, burst, bothWays }

  private static let items = 7

  /// The items that one side sent, by kind.
  private struct Sent {
    var events: [[UInt8]] = []
    var complications: [[UInt8]] = []
    var files: [[UInt8]] = []
    var contexts: [[UInt8]] = []
  }

  /// The points of a load, and whether the sender or the receiver passes them.
  private static func passes(_ point: CrashPoint, _ load: Load, isSender: Bool) -> Bool {
    switch (load, point) {
    case (.context, .contextCommitted): !isSender
    case (.context, _): false
    case (_, .outboxCommitted): isSender
    case (_, .inboxCommitted), (_, .inboxAcked), (_, .handlerCommitted): !isSender
    case (.file, .fileOffered), (.file, .fileChunk), (.file, .fileRenamed): !isSender
    default: false
    }
  }

  private static func send(_ load: Load, _ number: Int, _ pair: inout Pair, _ role: NodeRole, _ sent: inout Sent) throws
  {
    let payload = [UInt8(number), role == .watch ? 1 : 2]
    switch load {
    case .userInfo:
      try pair.userInfo(payload, from: role)
      sent.events.append(payload)
    case .complication:
      #expect(try pair.complication(payload, from: role).isComplication)
      sent.complications.append(payload)
    case .file:
      let bytes = FileContent.generated(key: UInt64(number), byteCount: 9_000).bytes(offset: 0, count: 9_000)
      try pair.file(bytes, from: role)
      sent.files.append(bytes)
    case .context:
      try pair.context(payload, from: role)
      sent.contexts.append(payload)
    }
  }

  /// Checks that nothing is lost, duplicated, out of order, incomplete or left behind.
  private static func judge(_ pair: Pair, _ role: NodeRole, _ sent: Sent, _ what: Comment) {
    let log = pair.log(role.peer)
    #expect(log.effects == sent.events, what)
    #expect(log.complications == sent.complications, what)
    let files = pair.files(role.peer)
    #expect(log.files.map { files.kept[$0.keptAs ?? ""] ?? [] } == sent.files, what)
    #expect(log.contexts.last == sent.contexts.last, what)
    for lane in Lane.allCases {
      #expect(pair.session(role).outstandingCount(in: lane) == 0, what)
      #expect(pair.session(role.peer).inboxes[lane].isSettled, what)
    }
    #expect(pair.files(role).outgoing.isEmpty && files.incoming.isEmpty && files.placed.isEmpty, what)
    #expect(pair.session(role).nextDeadline == nil, what)
  }

  @Test(arguments: CrashPoint.session.indices, Load.allCases)
  func `loses and repeats nothing`(index: Int, load: Load) throws {
    let point = CrashPoint.session[index]
    var hits = 0
    for pattern in Pattern.allCases {
      for crashing in [NodeRole.watch, .phone] {
        for passage in 1...6 {
          var pair = Pair()
          try pair.drive()
          pair.crash(crashing, at: point.name, passage: passage)
          var sent: (watch: Sent, phone: Sent) = (Sent(), Sent())
          for number in 0..<Self.items {
            try Self.send(load, number, &pair, .watch, &sent.watch)
            if pattern == .bothWays { try Self.send(load, number, &pair, .phone, &sent.phone) }
            if pattern == .oneByOne || load == .context { try pair.drive(for: .seconds(2)) }
          }
          try pair.drive()
          let what: Comment = "\(point.name), \(load), \(pattern), \(crashing), passage \(passage)"
          Self.judge(pair, .watch, sent.watch, what)
          Self.judge(pair, .phone, sent.phone, what)
          let isHit =
            Self.passes(point, load, isSender: crashing == .watch)
            || pattern == .bothWays && Self.passes(point, load, isSender: crashing == .phone)
          #expect(pair.crashes(crashing) == (isHit ? 1 : 0), what)
          #expect(pair.session(crashing).epoch == Epoch(isHit ? 2 : 1), what)
          hits += pair.crashes(crashing)
        }
      }
    }
    let isPassed = [true, false].contains { Self.passes(point, load, isSender: $0) }
    #expect(hits == (isPassed ? 24 : 0))
  }

  /// Both sides crash repeatedly, at drawn points and instants, over a lossy link.
  @Test(arguments: 0..<40)
  func `crashes of both sides over a lossy link lose and repeat nothing`(seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "test")
    let faults = [
      PlannedFault(id: "loss", LossFault(.independent(Probability(0.15) ?? .never))),
      PlannedFault(id: "order", ReorderFault(probability: Probability(0.1) ?? .never, by: .milliseconds(300))),
      PlannedFault(id: "twice", DuplicateFault(probability: Probability(0.2) ?? .never, copies: 1)),
    ]
    var pair = Pair(faults: faults, seed: UInt64(seed))
    var sent: (watch: Sent, phone: Sent) = (Sent(), Sent())
    var crashes = 0
    for step in 0..<60 {
      func pick(_ bound: Int, _ draw: UInt64) -> Int {
        Int(random.number(below: UInt64(bound), for: UInt64(step), draw: draw))
      }
      let role: NodeRole = pick(2, 0) == 0 ? .watch : .phone
      switch pick(10, 1) {
      case 0, 1:
        let point = CrashPoint.session[pick(CrashPoint.session.count, 2)]
        pair.crash(role, at: point.name, passage: 1 + pick(3, 3))
      case 2: pair.restart(role)
      default:
        let load = Load.allCases[pick(Load.allCases.count, 4)]
        // Only the last context counts.
        if load == .context { try pair.context([UInt8(step)], from: role) }
        if load != .context, role == .watch { try Self.send(load, step, &pair, role, &sent.watch) }
        if load != .context, role == .phone { try Self.send(load, step, &pair, role, &sent.phone) }
      }
      try pair.drive(for: .milliseconds(Int64(pick(3_000, 5))))
    }
    for role in [NodeRole.watch, .phone] {
      pair.crash(role, at: "none")
      try pair.context([255], from: role)
      crashes += pair.crashes(role)
    }
    sent.watch.contexts = [[255]]
    sent.phone.contexts = [[255]]
    try pair.drive(stepsMax: 100_000)
    Self.judge(pair, .watch, sent.watch, "seed \(seed)")
    Self.judge(pair, .phone, sent.phone, "seed \(seed)")
    #expect(crashes > 0)
  }
}
