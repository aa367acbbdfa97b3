import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

/// One transaction, and a log that ends anywhere in it: what a process leaves that is killed between two writes.
@Suite struct TornLogTests {
  private typealias Store = DeviceStore<KeyedTables>

  private static let one = SequenceNumber(1)
  private static let commits: [(session: [SessionChange], app: [KeyedChange])] = [
    ([.enqueued(.numbered(4))], []), ([.enqueued(.numbered(9))], []),
    ([.acknowledged(.userInfo, one)], []), ([.voided(.userInfo, one)], []),
    ([.received(.numbered(64))], []), ([.received(.numbered(66))], []),
    ([.handled(.userInfo, SequenceNumber(60))], []),
    ([.contextSet(one, [UInt8](repeating: 1, count: 20_000))], []),
    ([.partial(PartialFile(transfer: Identifier(high: 1, low: 1), seq: one, flags: [], offer: [1]))], []),
    ([], [.append(list: "a", [UInt8](repeating: 1, count: 20_000))]),
    (
      [
        .enqueued(.numbered(4, payload: [UInt8](repeating: 1, count: 20_000))), .handled(.userInfo, one),
        .budget(ComplicationBudget(day: 1, used: 1)),
      ], [.set(key: "a", [1]), .removeAll(list: "b")]
    ),
  ]

  @Test(arguments: commits.indices)
  func `a transaction is there or it is not, wherever the log ends`(index: Int) throws {
    let root = try TemporaryDirectory()
    let folder = "\(root.path)/whole"
    var store = try Store(folder: folder)
    _ = try store.begin()
    try store.commit((1...3).map { .enqueued(.numbered($0)) } + (1...63).map { .received(.numbered($0)) }, [])
    let bytes = try FileSystem.byteCount(of: "\(folder)/\(StoreFile.name)-wal")
    try store.commit(Self.commits[index].session, Self.commits[index].app)
    let log = try Data(contentsOf: URL(filePath: "\(folder)/\(StoreFile.name)-wal"))
    // A page and its head of 24 bytes, each written by itself.
    let frameBytes = 24 + 4_096
    let ends = Array(stride(from: Int(bytes), through: log.count, by: frameBytes))
    #expect(ends.count >= 2 && ends.last == log.count)
    let before = try start(folder, log.prefix(Int(bytes)), in: "\(root.path)/before")
    let after = try start(folder, log, in: "\(root.path)/after")
    #expect(before.session != after.session || before.app != after.app)
    for end in ends.flatMap({ [$0, $0 + 24, $0 + frameBytes - 1] }) where end < log.count {
      let found = try start(folder, log.prefix(end), in: "\(root.path)/\(end)")
      #expect(found.session == before.session && found.app == before.app, "cut at \(end) of \(log.count)")
    }
  }

  /// What a start finds on a copy of a store with another log.
  private func start(
    _ folder: String, _ log: Data, in copy: String
  ) throws -> (session: SessionRecord, app: KeyedRecord) {
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: "\(folder)/\(StoreFile.name)", toPath: "\(copy)/\(StoreFile.name)")
    try log.write(to: URL(filePath: "\(copy)/\(StoreFile.name)-wal"))
    var store = try Store(folder: copy)
    return try store.begin()
  }
}
