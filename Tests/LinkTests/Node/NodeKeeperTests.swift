import Link
import Testing

@Suite struct `A node's keeper` {
  /// The calls of store and files, in order.
  final class Diary {
    var words: [String] = []
  }

  /// A store that records each commit as a word.
  struct Store: NodeStore {
    let diary: Diary
    var starts: UInt32 = 0
    var fails = false

    mutating func commit(_ changes: [SessionChange], _ app: [String]) throws(StoreError) {
      if fails { throw StoreError(.system, "no disk") }
      let names = changes.map { if case .handled(_, let seq) = $0 { "\(seq.rawValue)" } else { "?" } }
      diary.words.append("commit " + (names + app).joined(separator: " "))
    }
    mutating func begin() -> (session: SessionRecord, app: Void) {
      starts += 1
      var record = SessionRecord()
      record.epoch = Epoch(starts)
      return (record, ())
    }
    mutating func page(_ order: PageOrder) -> StorePage {
      diary.words.append("page \(order.after.rawValue)")
      return .inbox(order.lane, [])
    }
  }

  struct Files: FileBox {
    let diary: Diary
    mutating func carryOut(_ order: FileOrder) {
      switch order {
      case .write(_, let offset, _): diary.words.append("write \(offset)")
      case .discardIncoming: diary.words.append("discard")
      default: diary.words.append("other")
      }
    }
    mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(offset), count: count)
    }
  }

  /// A node that does on each call what a test specifies.
  struct Node: HostedNode {
    typealias Record = Void
    var script: [(changes: [String], items: [Turn.Item])]
    var reported: [String] = []
    var nextDeadline: VirtualTime? { nil }
    var isWorkoutOver: Bool { false }

    mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
      guard !script.isEmpty else { return }
      let step = script.removeFirst()
      reported += step.changes
      turn.items += step.items
    }
    mutating func takeChanges() -> [String] {
      defer { reported = [] }
      return reported
    }
  }

  private let diary = Diary()
  private static let transfer = Identifier(high: 1, low: 2)
  private static func change(_ seq: UInt64) -> Turn.Item { .change(.handled(.userInfo, SequenceNumber(seq))) }
  private static let line = Turn.Item.event(TraceEvent("line", at: .start, on: .phone))
  private static let frame = Frame(kind: .chunk, channel: .file, epoch: Epoch(1), seq: SequenceNumber(1), offset: 7)
  private static let page = Turn.Item.page(PageOrder(.inbox, .userInfo, after: SequenceNumber(5)))

  private func keeper(
    _ script: [(changes: [String], items: [Turn.Item])], fails: Bool = false
  ) throws -> NodeKeeper<Node, Store, Files> {
    try NodeKeeper(store: Store(diary: diary, fails: fails), files: Files(diary: diary)) { _, _ in Node(script: script)
    }
  }

  /// The kinds of an output's items.
  private func words(_ turn: Turn) -> [String] {
    turn.items.map { item in
      switch item {
      case .frame(let frame): "frame \(frame.payload)"
      case .event: "line"
      case .crashPoint(let point): point.name
      case .commit: "commit"
      default: "other"
      }
    }
  }

  @Test func `the transactions of one grant become one commit, in order, and an open one waits`() throws {
    var keeper = try keeper([
      (["a", "b"], [Self.change(1), .appChange(0), .commit, Self.line, .appChange(1), .commit]),
      (["c"], [.appChange(0), .commit]), ([], [Self.change(2)]), ([], [.commit]),
    ])
    var turn = Turn(isRecording: true)
    #expect(try keeper.receive(nil, in: &turn) == nil)
    #expect(try keeper.receive(nil, in: &turn) == nil)
    #expect(diary.words.isEmpty)
    try keeper.endGrant()
    #expect(diary.words == ["commit 1 a b c"])
    _ = try keeper.receive(nil, in: &turn)
    try keeper.endGrant()
    #expect(diary.words.count == 1)
    _ = try keeper.receive(nil, in: &turn)
    try keeper.endGrant()
    try keeper.endGrant()
    #expect(diary.words == ["commit 1 a b c", "commit 2"])
  }

  @Test func `a page is read from committed entries, and the node's output for it comes last`() throws {
    var keeper = try keeper([
      (["a", "b"], [.appChange(0), .commit, Self.page, Self.line, .appChange(1), .commit, Self.page]),
      (["c", "d"], [.appChange(1), .appChange(0), .commit]), (["e"], [.appChange(0), .commit, Self.line]),
    ])
    var turn = Turn(isRecording: true)
    #expect(try keeper.receive(nil, in: &turn) == nil)
    #expect(diary.words == ["commit a", "page 5", "commit b", "page 5"])
    try keeper.endGrant()
    #expect(diary.words.last == "commit d c e")
    #expect(words(turn).last == "line" && turn.items.count == 13)
  }

  @Test func `files are written at once and discarded after the commit`() throws {
    let discard = Turn.Item.file(.discardIncoming(Self.transfer))
    var keeper = try keeper([
      ([], [.file(.write(Self.transfer, offset: 3, [1])), Self.change(1), .commit, discard]), ([], [discard]),
    ])
    var turn = Turn(isRecording: true)
    _ = try keeper.receive(nil, in: &turn)
    try keeper.endGrant()
    #expect(diary.words == ["write 3", "commit 1", "discard"])
    _ = try keeper.receive(nil, in: &turn)
    try keeper.endGrant()
    #expect(diary.words == ["write 3", "commit 1", "discard", "discard"])
  }

  @Test func `a chunk becomes a frame with the file's bytes`() throws {
    var keeper = try keeper([([], [Self.line, .chunk(Self.frame, count: 3), Self.line])])
    var turn = Turn(isRecording: true)
    _ = try keeper.receive(nil, in: &turn)
    #expect(words(turn) == ["line", "frame [7, 7, 7]", "line"])
  }

  @Test func `at an armed point everything before it has happened, and nothing after it`() throws {
    let items: [Turn.Item] = [
      Self.change(1), .commit, Self.line, .crashPoint(.inboxCommitted), Self.change(2), .commit,
      .file(.write(Self.transfer, offset: 3, [1])), Self.line, .crashPoint(.inboxAcked), .frame(Self.frame),
      .file(.write(Self.transfer, offset: 4, [1])), Self.change(3), .commit,
    ]
    for (armed, at, commits, count) in [
      ([CrashPoint.inboxAcked, .fileChunk], CrashPoint.inboxAcked, ["write 3", "commit 1 2"], 9),
      ([CrashPoint.inboxCommitted], .inboxCommitted, ["commit 1"], 4),
    ] {
      diary.words = []
      var keeper = try keeper([([], items), ([], [Self.change(4), .commit])])
      keeper.armed = armed
      var turn = Turn(isRecording: true)
      turn.items = [Self.line, .handled]
      #expect(try keeper.receive(nil, in: &turn) == at)
      #expect(diary.words == commits)
      #expect(turn.items.count == 2 + count && words(turn).last == at.name)
    }
    diary.words = []
    var keeper = try keeper([([], items)])
    var turn = Turn(isRecording: true)
    #expect(try keeper.receive(nil, in: &turn) == nil)
    try keeper.endGrant()
    #expect(diary.words == ["write 3", "write 4", "commit 1 2 3"])
  }

  @Test func `at a point between a file and its commit the grant is lost`() throws {
    let items: [Turn.Item] = [
      Self.change(1), .commit, .file(.write(Self.transfer, offset: 3, [1])), .file(.moveToInbox(Self.transfer)),
      .file(.keep(Self.transfer, as: "x")), Self.change(2), .commit, .file(.discardIncoming(Self.transfer)),
    ]
    for (point, words) in [
      (CrashPoint.writeUncommitted, ["write 3"]), (.moveUncommitted, ["write 3", "other"]),
      (.keepUncommitted, ["write 3", "other", "other"]),
    ] {
      diary.words = []
      var keeper = try keeper([([], items)])
      keeper.armed = [point]
      var turn = Turn(isRecording: true)
      keeper.beginGrant()
      #expect(try keeper.receive(nil, in: &turn) == point && point.losesGrant)
      #expect(diary.words == words)
    }
    for (point, words) in [(CrashPoint.discardPending, [String]()), (.discardBegun, ["discard"])] {
      diary.words = []
      var keeper = try keeper([([], items + [.file(.remove("x"))]), ([], items)])
      keeper.armed = [point]
      var turn = Turn(isRecording: true)
      keeper.beginGrant()
      #expect(try keeper.receive(nil, in: &turn) == nil)
      #expect(try keeper.endGrant() == point && !point.losesGrant)
      #expect(diary.words == ["write 3", "other", "other", "commit 1 2"] + words)
      // A host that does not begin grants has none of these points.
      keeper.armed = CrashPoint.files
      #expect(try keeper.receive(nil, in: &turn) == nil)
    }
  }

  @Test func `a restart loses uncommitted changes and starts the next epoch`() throws {
    var keeper = try keeper([([], [Self.change(1), .commit, .file(.discardIncoming(Self.transfer))])])
    var turn = Turn(isRecording: true)
    _ = try keeper.receive(nil, in: &turn)
    try keeper.restart { record, _ in
      #expect(record.epoch == Epoch(2))
      return Node(script: [([], [Self.change(2), .commit])])
    }
    #expect(keeper.epoch == Epoch(2))
    _ = try keeper.receive(nil, in: &turn)
    try keeper.endGrant()
    #expect(diary.words == ["commit 2"])
  }

  @Test func `a store that fails ends the grant`() throws {
    var keeper = try keeper([([], [Self.change(1), .commit])], fails: true)
    var turn = Turn(isRecording: true)
    _ = try keeper.receive(nil, in: &turn)
    #expect(throws: StoreError(.system, "no disk")) { try keeper.endGrant() }
  }

  @Test func `a clock includes its offset and its drift since it was set`() {
    var clock = NodeClock(startedAt: 1_000)
    #expect(clock.reading(at: VirtualTime(nanoseconds: 5)) == 1_005)
    clock.set(offset: -90_000_000_000, driftPPM: 40, at: .start + .seconds(100))
    #expect(clock.reading(at: .start + .seconds(100)) == 1_000 + 10_000_000_000)
    // 40 millionths of 1000 s are 40 ms.
    #expect(clock.reading(at: .start + .seconds(1_100)) == 1_000 + 1_010_040_000_000)
    clock.set(offset: 0, driftPPM: 0, at: .start + .seconds(1_200))
    #expect(clock.reading(at: .start + .seconds(1_200)) == 1_000 + 1_200_000_000_000)
    clock.set(offset: .max, driftPPM: 500_000, at: .start)
    _ = clock.reading(at: .distantFuture)
  }
}
