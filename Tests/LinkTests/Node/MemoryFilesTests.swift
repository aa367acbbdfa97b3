import Link
import Testing

@Suite struct MemoryFilesTests {
  private let a = Identifier(high: 1, low: 2)

  @Test func `received files are stored as lengths`() {
    var files = MemoryFiles()
    files.carryOut(.write(a, offset: 0, [1, 2, 3]))
    files.carryOut(.write(a, offset: 1, [4, 5, 6, 7]))
    for _ in 0..<2 { files.carryOut(.moveToInbox(a)) }
    for _ in 0..<2 { files.carryOut(.keep(a, as: "x")) }
    #expect(files.kept == ["x": 5])
    for _ in 0..<2 { files.carryOut(.discardIncoming(a)) }
    #expect(files.kept == ["x": 5])
  }

  @Test func `sent files are generated from their description`() {
    var files = MemoryFiles()
    let content = FileContent.generated(key: 5, byteCount: 1_000)
    files.carryOut(.create(a, content))
    #expect(files.read(a, offset: 990, count: 100) == content.bytes(offset: 990, count: 10))
    #expect(files.read(a, offset: 1_000, count: 100) == [])
    files.carryOut(.discardOutgoing(a))
    #expect(files == MemoryFiles())
  }

  @Test func `files that no transfer needs are removed`() {
    var files = MemoryFiles()
    let b = Identifier(high: 3, low: 4)
    for transfer in [a, b] {
      files.carryOut(.create(transfer, .generated(key: 1, byteCount: 1)))
      files.carryOut(.write(transfer, offset: 0, [1]))
    }
    var other = MemoryFiles()
    other.carryOut(.create(a, .generated(key: 1, byteCount: 1)))
    other.carryOut(.write(a, offset: 0, [1]))
    files.removeOrphans { $0 == a }
    #expect(files == other)
  }

  @Test func `an impossible order traps`() async {
    await #expect(processExitsWith: .failure) {
      var files = MemoryFiles()
      files.carryOut(.write(Identifier(high: 1, low: 2), offset: 1, [1]))
    }
    await #expect(processExitsWith: .failure) {
      var files = MemoryFiles()
      files.carryOut(.moveToInbox(Identifier(high: 1, low: 2)))
    }
  }
}

@Suite struct FileContentTests {
  @Test func `any part is generated without the part before it`() {
    let content = FileContent.generated(key: 42, byteCount: 1_003)
    let whole = content.bytes(offset: 0, count: 2_000)
    #expect(whole.count == 1_003 && content.byteCount == 1_003)
    for offset in 0..<40 {
      for count in 0..<40 {
        #expect(content.bytes(offset: UInt64(offset), count: count) == Array(whole[offset..<offset + count]))
      }
    }
    #expect(content.bytes(offset: 996, count: 100) == Array(whole[996...]))
    #expect(content.bytes(offset: 1_003, count: 1) == [])
    #expect(content.bytes(offset: .max, count: 1) == [])
    // Far larger than any memory.
    let huge = FileContent.generated(key: 42, byteCount: 1 << 40)
    #expect(huge.bytes(offset: 1 << 40 - 3, count: 10).count == 3)
    #expect(huge.bytes(offset: 0, count: 1_003) == whole)
  }

  @Test func `the bytes are the same everywhere, and differ by their key`() {
    let content = FileContent.generated(key: 1, byteCount: 100_000)
    #expect(Digest.text(content.digest) == "cbe3f6c088c462052f6ba64a22c59f30a90b62a83d21b732a7d645f5d41193ac")
    #expect(content.digest == Digest.sha256(content.bytes(offset: 0, count: 100_000)))
    #expect(FileContent.generated(key: 2, byteCount: 100_000).digest != content.digest)
    let empty = FileContent.generated(key: 1, byteCount: 0).digest
    #expect(empty == Digest.sha256([]))
  }
}
