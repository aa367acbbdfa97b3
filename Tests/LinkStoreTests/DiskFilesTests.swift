import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct DiskFilesTests {
  private let a = Identifier(high: 1, low: 2)
  private let b = Identifier(high: 3, low: 4)

  private func names(_ root: borrowing TemporaryDirectory, _ box: String) throws -> [String] {
    try FileSystem.names(in: "\(root.path)/\(box)")
  }

  private func bytes(_ root: borrowing TemporaryDirectory, _ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(root.path)/\(path)")))
  }

  @Test func `a sent file is read as described`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    let content = FileContent.generated(key: 9, byteCount: 300_001)
    // Twice: as a process does that was killed before it had noted the first.
    for _ in 0..<2 { try files.carryOut(.create(a, content)) }
    try files.carryOut(.create(b, .generated(key: 1, byteCount: 0)))
    #expect(try names(root, "outgoing") == [a.text, b.text])
    for (offset, count) in [(0, 131_072), (131_072, 131_072), (262_144, 131_072), (300_001, 10), (17, 5)]
      as [(UInt64, Int)]
    {
      #expect(try files.read(a, offset: offset, count: count) == content.bytes(offset: offset, count: count))
    }
    #expect(try files.read(b, offset: 0, count: 10) == [])
    for _ in 0..<2 { try files.carryOut(.discardOutgoing(a)) }
    #expect(try names(root, "outgoing") == [b.text])
    #expect(throws: StoreError.self) { _ = try files.read(a, offset: 0, count: 1) }
  }

  @Test func `a half-made file is made again`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    try Data(repeating: 1, count: 5_000).write(to: URL(filePath: "\(root.path)/outgoing/\(a.text).new"))
    let content = FileContent.generated(key: 2, byteCount: 100)
    try files.carryOut(.create(a, content))
    #expect(try bytes(root, "outgoing/\(a.text)") == content.bytes(offset: 0, count: 100))
    #expect(try names(root, "outgoing") == [a.text])
  }

  @Test func `what is received goes through its boxes, however often an order is repeated`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    try files.carryOut(.write(a, offset: 0, [1, 2, 3]))
    try files.carryOut(.write(a, offset: 3, [4, 5, 6]))
    // A chunk whose commit was lost with its process comes again; what stood behind it does not count.
    try files.carryOut(.write(a, offset: 2, [7, 8]))
    #expect(try bytes(root, "partial/\(a.text)") == [1, 2, 7, 8])
    for _ in 0..<2 { try files.carryOut(.moveToInbox(a)) }
    #expect(try names(root, "partial") == [])
    #expect(try bytes(root, "inbox/\(a.text)") == [1, 2, 7, 8])
    for _ in 0..<2 { try files.carryOut(.keep(a, as: "run.wav")) }
    // An older state of the store still finds it in the inbox.
    #expect(try names(root, "inbox") == [a.text])
    try files.carryOut(.discardIncoming(a))
    #expect(try names(root, "inbox") == [])
    #expect(try names(root, "kept") == ["run.wav"])
    #expect(try bytes(root, "kept/run.wav") == [1, 2, 7, 8])
    try files.carryOut(.write(b, offset: 0, [1]))
    for _ in 0..<2 { try files.carryOut(.discardIncoming(b)) }
    try files.carryOut(.write(b, offset: 0, []))
    try files.carryOut(.moveToInbox(b))
    #expect(try bytes(root, "inbox/\(b.text)") == [])
    try files.carryOut(.discardIncoming(b))
    #expect(try names(root, "inbox") == [])
  }

  @Test func `two boxes of one folder are two lives of a process`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path, durability: .full)
    try files.carryOut(.write(a, offset: 0, [1, 2, 3]))
    files = try DiskFiles(folder: root.path, durability: .full)
    try files.carryOut(.write(a, offset: 3, [4]))
    try files.carryOut(.moveToInbox(a))
    #expect(try bytes(root, "inbox/\(a.text)") == [1, 2, 3, 4])
  }

  @Test func `a last chunk comes again after a crash between the move to the inbox and its commit`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    try files.carryOut(.write(a, offset: 0, [1, 2, 3]))
    try files.carryOut(.write(a, offset: 3, [4, 5]))
    try files.carryOut(.moveToInbox(a))
    files = try DiskFiles(folder: root.path)
    try files.removeOrphans { $0 == a }
    #expect(try files.takeBack(a) == 5)
    try files.carryOut(.write(a, offset: 3, [4, 5]))
    #expect(try names(root, "inbox") == [])
    try files.carryOut(.moveToInbox(a))
    #expect(try bytes(root, "inbox/\(a.text)") == [1, 2, 3, 4, 5])
  }

  @Test func `a file that was kept without a commit is received again`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    try files.carryOut(.write(a, offset: 0, [1, 2, 3]))
    for _ in 0..<2 {
      try files.carryOut(.write(a, offset: 3, [4, 5]))
      try files.carryOut(.moveToInbox(a))
      try files.carryOut(.keep(a, as: "x"))
      files = try DiskFiles(folder: root.path)
      try files.removeOrphans { $0 == a }
      #expect(try files.takeBack(a) == 5)
      #expect(try names(root, "inbox") == [])
    }
    try files.carryOut(.moveToInbox(a))
    try files.carryOut(.keep(a, as: "x"))
    try files.carryOut(.discardIncoming(a))
    #expect(try bytes(root, "kept/x") == [1, 2, 3, 4, 5])
    #expect(try files.keptNames() == ["x"])
    // Of a file that is nowhere nothing was received.
    #expect(try files.takeBack(b) == 0)
  }

  @Test func `a copy stands for a second name`() throws {
    let root = try TemporaryDirectory()
    try Data(repeating: 7, count: 300_000).write(to: URL(filePath: "\(root.path)/a"))
    #expect(try FileSystem.copy("\(root.path)/a", as: "\(root.path)/b"))
    #expect(try bytes(root, "b") == [UInt8](repeating: 7, count: 300_000))
    #expect(try !FileSystem.copy("\(root.path)/none", as: "\(root.path)/c"))
  }

  @Test func `what is missing or shorter than it was is damage`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    for order in [FileOrder.moveToInbox(a), .keep(a, as: "x"), .write(a, offset: 1, [1])] {
      do {
        try files.carryOut(order)
        Issue.record("\(order) was carried out")
      } catch { #expect(error.cause == .corrupt && error.text.contains(a.text)) }
    }
  }

  @Test func `what a crash left is removed, and nothing else`() throws {
    let root = try TemporaryDirectory()
    var files = try DiskFiles(folder: root.path)
    for transfer in [a, b] {
      try files.carryOut(.create(transfer, .generated(key: 1, byteCount: 10)))
      try files.carryOut(.write(transfer, offset: 0, [1]))
      try files.carryOut(.moveToInbox(transfer))
      try files.carryOut(.write(transfer, offset: 0, [1]))
    }
    try files.carryOut(.keep(b, as: "kept"))
    try Data([1]).write(to: URL(filePath: "\(root.path)/outgoing/\(a.text).new"))
    try files.removeOrphans { $0 == a }
    for box in ["outgoing", "partial", "inbox"] { #expect(try names(root, box) == [a.text]) }
    #expect(try names(root, "kept") == ["kept"])
  }

  @Test func `a name leads nowhere else`() async {
    for name in ["", ".", "..", "../x", "a/b", ".hidden", "a\0b", String(repeating: "x", count: 201)] {
      #expect(!MemoryFiles.isName(name), "\(name)")
    }
    for name in ["a", "voice 1.wav", "läuft.wav", "a..b", String(repeating: "x", count: 200)] {
      #expect(MemoryFiles.isName(name))
    }
    await #expect(processExitsWith: .failure) {
      var files = try DiskFiles(folder: try TemporaryDirectory().path)
      try files.carryOut(.keep(Identifier(high: 1, low: 2), as: "../store.sqlite"))
    }
  }
}
