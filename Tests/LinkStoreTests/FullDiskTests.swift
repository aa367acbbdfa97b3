import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct FullDiskTests {
  @Test func `a full store reports it, and keeps its contents`() throws {
    let folder = try TemporaryDirectory()
    var committed: UInt64 = 0
    do {
      let database = try StoreFile.open(folder: folder.path, DeviceStore<KeyedTables>.components)
      var store = try DeviceStore<KeyedTables>(database)
      _ = try store.begin()
      let pages = try #require(try database.number("PRAGMA page_count"))
      try database.execute("PRAGMA max_page_count=\(pages + 20)")
      var failure: StoreError?
      while failure == nil {
        let entry = QueueEntry.numbered(committed + 1, payload: [UInt8](repeating: 1, count: 3_000))
        do {
          try store.commit([.enqueued(entry)], [.append(list: "a", [1])])
          committed += 1
        } catch { failure = error }
      }
      #expect(failure?.cause == .full)
      #expect(failure?.text.hasPrefix("\(folder.path)/store.sqlite: ") == true)
      // Nothing more is committed: what the store knows is beyond what it holds.
      let expected = try #require(failure)
      #expect(throws: expected) { try store.commit([.acknowledged(.userInfo, SequenceNumber(1))], []) }
      let again = try store.begin()
      #expect(again.session[.userInfo].outboxCount == Int(committed))
      try store.commit([.acknowledged(.userInfo, SequenceNumber(1))], [])
    }
    #expect(committed > 10)
    let database = try StoreFile.open(folder: folder.path, DeviceStore<KeyedTables>.components)
    var store = try DeviceStore<KeyedTables>(database)
    let found = try store.begin()
    #expect(found.session[.userInfo].outboxCount == Int(committed) - 1)
    #expect(found.session[.userInfo].nextSeq == SequenceNumber(committed + 1))
    #expect(found.app.lists["a"]?.count == Int(committed))
    #expect(try StoreFile.findings(in: database) == [])
  }

  /// A file system of 400 KiB, where the system lets a process have one; nothing is checked elsewhere.
  @Test func `store and files report a full disk as such`() async {
    await #expect(processExitsWith: .success) {
      let root = try TemporaryDirectory()
      // Swift does not import its name.
      guard let symbol = dlsym(nil, "unshare") else { return }
      let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
      let newMounts: Int32 = 0x0002_0000
      guard unshare(newMounts) == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
        mount("none", root.path, "tmpfs", 0, "size=400k") == 0
      else { return }
      defer { umount(root.path) }
      try Self.fillDisk(root.path)
    }
  }

  private static func fillDisk(_ folder: String) throws {
    var store = try DeviceStore<KeyedTables>(folder: folder)
    var files = try DiskFiles(folder: folder)
    _ = try store.begin()
    let transfer = Identifier(high: 1, low: 1)
    do {
      try files.carryOut(.create(transfer, .generated(key: 1, byteCount: 1 << 20)))
      Issue.record("a file of 1 MiB has room in 400 KiB")
    } catch { #expect(error.cause == .full) }
    var committed: UInt64 = 0
    var failure: StoreError?
    while failure == nil {
      do {
        try store.commit([.enqueued(.numbered(committed + 1, payload: [UInt8](repeating: 1, count: 3_000)))], [])
        committed += 1
      } catch { failure = error }
    }
    #expect(failure?.cause == .full, "\(failure?.text ?? "")")
    // Unneeded data gives room; then the store is as it was before the failure.
    try files.removeOrphans { _ in false }
    #expect(try store.begin().session[.userInfo].outboxCount == Int(committed))
    try store.commit([.acknowledged(.userInfo, SequenceNumber(1))], [])
  }
}
