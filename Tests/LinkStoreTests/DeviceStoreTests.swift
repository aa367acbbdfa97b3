import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct DeviceStoreTests {
  private typealias Store = DeviceStore<KeyedTables>

  private func lane(_ changes: [SessionChange], rows: Int) throws {
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, Store.components)
    var store = try Store(database)
    _ = try store.begin()
    try store.commit([.enqueued(.numbered(1)), .received(.numbered(1))], [])
    let before = database.changedRowsInAll
    try store.commit(changes, [])
    #expect(database.changedRowsInAll - before == rows, "\(changes)")
  }

  @Test func `a closed store continues where it stopped`() throws {
    let folder = try TemporaryDirectory()
    do {
      var store = try Store(folder: folder.path)
      var memory = MemorySessionStore()
      #expect(try store.begin().session == memory.beginEpoch())
      try store.commit([.enqueued(.numbered(1))], [.set(key: "a", [1])])
    }
    var store = try Store(folder: folder.path)
    let second = try store.begin()
    #expect(second.session.epoch == Epoch(2))
    #expect(second.session[.userInfo].outbox == [.numbered(1)])
    #expect(second.session[.userInfo].nextSeq == SequenceNumber(2))
    #expect(second.app.values == ["a": [1]])
  }

  @Test func `what comes and goes in one transaction is not written`() throws {
    let two = SequenceNumber(2)
    // A new entry is one row, and no more: what the lane amounts to follows from it.
    try lane([.enqueued(.numbered(2))], rows: 1)
    try lane([.received(.numbered(2))], rows: 1)
    // The lane's row alone.
    try lane([.enqueued(.numbered(2)), .acknowledged(.userInfo, two)], rows: 1)
    try lane([.enqueued(.numbered(2)), .voided(.userInfo, two), .acknowledged(.userInfo, two)], rows: 1)
    // The row of number 1 goes, the lane's is written once.
    try lane([.received(.numbered(2)), .handled(.userInfo, two)], rows: 2)
    try lane([.handled(.userInfo, SequenceNumber(1)), .received(.numbered(2)), .handled(.userInfo, two)], rows: 2)
    try lane([.acknowledged(.userInfo, SequenceNumber(1)), .handled(.userInfo, SequenceNumber(1))], rows: 3)
    // Of what is overwritten only the last.
    try lane([.budget(ComplicationBudget(used: 1)), .budget(ComplicationBudget(used: 2))], rows: 1)
    try lane([.contextSet(SequenceNumber(1), [1]), .contextSet(two, [2]), .contextAcknowledged(two)], rows: 1)
    let file = PartialFile(transfer: Identifier(high: 1, low: 1), seq: two, flags: [], offer: [1])
    try lane([.partial(file), .partial(nil), .partial(file)], rows: 1)
    try lane([.partial(file), .partial(nil)], rows: 0)
    // Another lane's row is not touched.
    try lane([.acknowledged(.file, two)], rows: 0)
  }

  @Test func `nothing to commit is no transaction`() throws {
    let folder = try TemporaryDirectory()
    var store = try Store(folder: folder.path)
    _ = try store.begin()
    let log = "\(folder.path)/store.sqlite-wal"
    let before = try FileSystem.byteCount(of: log)
    try store.commit([], [])
    #expect(try FileSystem.byteCount(of: log) == before)
    try store.commit([], [], journal: (1, []))
    #expect(try FileSystem.byteCount(of: log) > before)
  }

  @Test func `a start reads a page of each box, however long they are`() throws {
    let folder = try TemporaryDirectory()
    var pages: [Int] = []
    for count in [1_000, 7_000] as [UInt64] {
      do {
        var store = try Store(folder: folder.path)
        let record = try store.begin().session
        let payload = [UInt8](repeating: 1, count: 256)
        for lane in Lane.allCases {
          let first = record[lane].nextSeq.rawValue
          try store.commit(
            (first..<first + count).map { .enqueued(.numbered($0, lane, payload: payload)) }, [])
          try store.commit(
            (first..<first + count).map { .received(.numbered($0, lane, payload: payload)) }, [])
        }
      }
      let database = try StoreFile.open(folder: folder.path, Store.components)
      var store = try Store(database)
      let before = database.readPages
      let record = try store.begin().session
      pages.append(database.readPages - before)
      #expect(before < 100, "more than what stays small was checked")
      #expect(record[.file].outbox.count == LaneRecord.pageMax)
      #expect(record[.file].outboxCount == (count == 1_000 ? 1_000 : 8_000))
      #expect(record[.file].receivedThrough == SequenceNumber(UInt64(record[.file].outboxCount)))
    }
    // Two boxes of three lanes: a level or two more of each tree, and a page of rows that happens to be cut elsewhere.
    #expect(pages[1] <= pages[0] + 6 * 4, "\(pages)")
  }

  @Test func `the transfers whose files are needed are listed, however many wait before them`() throws {
    let folder = try TemporaryDirectory()
    var store = try Store(folder: folder.path)
    _ = try store.begin()
    var expected: Set<Identifier> = []
    try store.commit([.enqueued(.numbered(1)), .received(.numbered(1, .complication))], [])
    #expect(try store.fileTransfers() == [])
    for number in 1...200 as ClosedRange<UInt64> {
      try store.commit([.enqueued(.numbered(number, .file))], [])
      expected.insert(QueueEntry.numbered(number, .file).transfer)
    }
    let received = QueueEntry(
      transfer: Identifier(high: 7, low: 7), lane: .file, seq: SequenceNumber(1), flags: [], payload: [])
    let partial = PartialFile(
      transfer: Identifier(high: 8, low: 8), seq: SequenceNumber(2), flags: [], offer: [])
    try store.commit([.received(received), .partial(partial)], [])
    #expect(try store.fileTransfers() == expected.union([received.transfer, partial.transfer]))
  }

  @Test func `the journal is the last one that was committed`() throws {
    let folder = try TemporaryDirectory()
    var store = try Store(folder: folder.path)
    _ = try store.begin()
    #expect(try store.lastJournal() == nil)
    try store.commit([], [.set(key: "a", [1])], journal: (7, [1, 2]))
    try store.commit([], [.set(key: "a", [2])])
    try store.commit([], [], journal: (UInt64.max, []))
    let last = try #require(try store.lastJournal())
    #expect(last.number == .max && last.answer == [])
  }

  @Test func `an app's values and lists come back as they were`() throws {
    let folder = try TemporaryDirectory()
    var expected = KeyedRecord()
    let lives: [[KeyedChange]] = [
      [.set(key: "state", [1]), .append(list: "log", [1]), .append(list: "log", []), .append(list: "other", [9])],
      [.set(key: "state", []), .append(list: "log", [3]), .set(key: "gone", [1])],
      [.removeAll(list: "log"), .append(list: "log", [4]), .set(key: "gone", nil), .removeAll(list: "none")],
      [],
    ]
    for life in lives {
      var store = try Store(folder: folder.path)
      #expect(try store.begin().app == expected)
      try store.commit([], life)
      for change in life { expected.apply(change) }
    }
    #expect(expected.lists == ["log": [[4]], "other": [[9]]])
  }
}

extension QueueEntry {
  /// An entry that differs by its number.
  static func numbered(_ number: UInt64, _ lane: Lane = .userInfo, payload: [UInt8] = [1, 2, 3]) -> Self {
    QueueEntry(
      transfer: Identifier(high: number, low: number), lane: lane, seq: SequenceNumber(number), flags: .dictionary,
      payload: payload)
  }
}
