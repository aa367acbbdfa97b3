import Testing

@testable import Link

@Suite struct `The machines of a file transfer` {
  // MARK: Offers

  private static let digest = [UInt8](repeating: 7, count: 32)
  private static let metadata = (try? PropertyListWriter.bytes(of: .dictionary([.init("n", .integer(1))]))) ?? []

  @Test(
    arguments: [
      ("a", 0), ("note.m4a", 1), ("Läufer 🏃.gpx", 1 << 40), (String(repeating: "n", count: 255), 5),
    ] as [(String, UInt64)])
  func `an encoded offer decodes to the same one`(name: String, byteCount: UInt64) throws {
    for metadata in [[], Self.metadata] {
      let offer = FileOffer(name: name, byteCount: byteCount, digest: Self.digest, metadata: metadata)
      #expect(offer.problem == nil)
      #expect(FileOffer(offer.encoded) == offer)
      #expect(FileOffer(offer.encoded + [1, 2]) == offer, "a longer one of a later version")
    }
  }

  @Test func `an offer's layout is the documented one`() {
    let offer = FileOffer(name: "ab", byteCount: 0x0102, digest: Self.digest, metadata: [])
    #expect(
      Digest.text(offer.encoded)
        == "0100" + "0201000000000000" + String(repeating: "07", count: 32) + "0200" + "6162" + "00000000")
  }

  @Test(arguments: ["", ".", "..", "a/b", "/", "a\0", String(repeating: "n", count: 256)])
  func `a name that is not a single path component is refused`(name: String) {
    let offer = FileOffer(name: name, byteCount: 1, digest: Self.digest)
    #expect(offer.problem == .invalidParameter)
    #expect(FileOffer(offer.encoded) == nil)
  }

  @Test func `an impossible size, digest or metadata is refused`() {
    #expect(FileOffer(name: "a", byteCount: 1 << 40 + 1, digest: Self.digest).problem == .invalidParameter)
    #expect(FileOffer(name: "a", byteCount: .max, digest: Self.digest).problem == .invalidParameter)
    #expect(FileOffer(name: "a", byteCount: 1, digest: [1]).problem == .invalidParameter)
    let large = [UInt8](repeating: 0, count: 65_537)
    #expect(FileOffer(name: "a", byteCount: 1, digest: Self.digest, metadata: large).problem == .payloadTooLarge)
    for garbage in [[1, 2, 3], Array("bplist00".utf8), Array(Self.metadata.dropLast())] {
      let offer = FileOffer(name: "a", byteCount: 1, digest: Self.digest, metadata: garbage)
      #expect(offer.problem == .payloadUnsupportedTypes)
      #expect(FileOffer(offer.encoded) == nil)
    }
    let array = (try? PropertyListWriter.bytes(of: .array([]))) ?? []
    #expect(
      FileOffer(name: "a", byteCount: 1, digest: Self.digest, metadata: array).problem == .payloadUnsupportedTypes)
  }

  @Test func `decoding any bytes as an offer or an answer terminates`() {
    let good = FileOffer(name: "note", byteCount: 9, digest: Self.digest, metadata: Self.metadata).encoded
    for count in 0..<good.count { #expect(FileOffer(Array(good.prefix(count))) == nil) }
    let random = RandomStream(seed: 3, name: "offers")
    for round: UInt64 in 0..<20_000 {
      var bytes = good
      for change: UInt64 in 0..<3 {
        let place = Int(random.number(below: UInt64(bytes.count), for: round, draw: change * 2))
        bytes[place] = UInt8(truncatingIfNeeded: random.bits(for: round, draw: change * 2 + 1))
      }
      if let offer = FileOffer(bytes) { #expect(offer.problem == nil && FileOffer(offer.encoded) == offer) }
    }
    for count in 0..<9 { #expect(FileAnswer([UInt8](repeating: 0, count: count)) == nil) }
    for status in 0...255 as ClosedRange<UInt8> {
      let answer = FileAnswer([status] + [UInt8](repeating: 1, count: 8))
      #expect((answer != nil) == (status < 6))
    }
    #expect(FileAnswer(FileAnswer(.full, 77).encoded + [0]) == FileAnswer(.full, 77))
  }

  // MARK: Receiving

  private static func receiver(_ bytes: [UInt8]) -> FileReceiver {
    let offer = FileOffer(name: "a", byteCount: UInt64(bytes.count), digest: Digest.sha256(bytes))
    let frame = Frame(
      kind: .data, channel: .file, epoch: Epoch(1), seq: SequenceNumber(1), transfer: Identifier(high: 1, low: 1),
      payload: offer.encoded)
    return FileReceiver(frame, offer: offer)
  }

  /// Chunks of any size and offset, repeated, with restarts from the stored state between them.
  @Test(arguments: 0..<32)
  func `a receiver accepts each byte once, in order, from any chunks`(seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "chunks")
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: random.bits(for: UInt64($0), draw: 9)) }
    var receiver = Self.receiver(bytes)
    var file: [UInt8] = []
    for step: UInt64 in 0..<400 {
      let offset = Int(random.number(below: 610, for: step, draw: 0))
      let count = Int(random.number(below: 90, for: step, draw: 1))
      guard receiver.contains(offset: UInt64(offset), count: count) else {
        #expect(count == 0 || offset + count > bytes.count)
        continue
      }
      let before = file.count
      if let fresh = receiver.acceptChunk(Array(bytes[offset..<offset + count]), at: UInt64(offset)) {
        #expect(fresh.offset == UInt64(before) && !fresh.bytes.isEmpty)
        file += fresh.bytes
      }
      #expect(file.count == (offset <= before ? max(before, offset + count) : before))
      #expect(receiver.partial.receivedBytes == UInt64(file.count))
      #expect(receiver.isWhole == (file.count == bytes.count))
      if step % 17 == 0 { receiver = try #require(FileReceiver(receiver.partial)) }
    }
    #expect(file == Array(bytes.prefix(file.count)))
    _ = receiver.acceptChunk(Array(bytes[file.count...]), at: UInt64(file.count))
    #expect(receiver.isWhole && receiver.isAsOffered)
    receiver.restart()
    #expect(!receiver.isWhole && receiver.partial.receivedBytes == 0)
    _ = receiver.acceptChunk(bytes.map { $0 ^ 1 }, at: 0)
    #expect(receiver.isWhole && !receiver.isAsOffered)
  }

  @Test func `a chunk outside its file is detected at any offset`() {
    let receiver = Self.receiver([UInt8](repeating: 0, count: 10))
    for (offset, count, isInside) in [
      (UInt64(0), 10, true), (0, 11, false), (0, 0, false), (9, 1, true), (10, 1, false), (10, 0, false),
      (.max, 1, false), (.max - 4, 5, false), (1 << 63, 4_096, false),
    ] { #expect(receiver.contains(offset: offset, count: count) == isInside) }
  }

  @Test func `a partial file that no session stores is refused`() {
    let good = Self.receiver([1, 2, 3]).partial
    #expect(FileReceiver(good) != nil)
    var wrong = good
    wrong.receivedBytes = 2
    #expect(FileReceiver(wrong) == nil, "an impossible digest state")
    wrong = good
    wrong.digestState = []
    #expect(FileReceiver(wrong) == nil)
    wrong = good
    wrong.offer = []
    #expect(FileReceiver(wrong) == nil)
  }

  // MARK: Sending

  /// A sender in the middle of a large file, with nothing sent yet.
  private static func sender(byteCount: UInt64 = 1 << 30) -> FileSender {
    var sender = FileSender()
    sender.beginFile(byteCount: byteCount)
    sender.recordOfferSent()
    _ = sender.receive(FileAnswer(.ready), to: 1, offset: 1, isCrowded: false, at: .start)
    return sender
  }

  /// Sends the chunks that fit in the window and acknowledges each `after` its sending; returns their sizes.
  private static func round(
    _ sender: inout FileSender, at now: inout VirtualTime, after: VirtualTime.Span, isCrowded: Bool = false
  ) -> [Int] {
    var chunks: [(offset: UInt64, count: Int)] = []
    while let chunk = sender.nextChunk(isCrowded: isCrowded, at: now) { chunks.append(chunk) }
    now = now + after
    for chunk in chunks {
      _ = sender.receive(
        FileAnswer(.received, chunk.offset + UInt64(chunk.count)), to: sender.round, offset: chunk.offset,
        isCrowded: isCrowded, at: now)
    }
    return chunks.map(\.count)
  }

  @Test func `an answer that a newer one has overtaken sends nothing again`() throws {
    var sender = Self.sender()
    var now = VirtualTime.start
    _ = Self.round(&sender, at: &now, after: .milliseconds(20))
    let chunks = [sender.nextChunk(isCrowded: false, at: now), sender.nextChunk(isCrowded: false, at: now)]
    let first = try #require(chunks[0]).offset
    let second = try #require(chunks[1]).offset
    func answer(_ bytes: UInt64) -> FileSender.Outcome {
      sender.receive(FileAnswer(.received, bytes), to: sender.round, offset: second, isCrowded: false, at: now)
    }
    #expect(answer(second) == .progressed && sender.acknowledged == second)
    // The answer to the second chunk, which came before the first.
    let sent = sender.sent
    #expect(answer(first) == .unchanged && sender.acknowledged == second && sender.sent == sent)
  }

  @Test func `the window doubles with each prompt round trip, up to eight chunks of 128 KiB`() {
    var sender = Self.sender()
    var now = VirtualTime.start
    var rounds: [[Int]] = []
    for _ in 0..<11 { rounds.append(Self.round(&sender, at: &now, after: .milliseconds(100))) }
    #expect(rounds.map { $0.reduce(0, +) } == [4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024].map { $0 * 1_024 })
    #expect(rounds[0] == [4_096] && rounds[3] == [Int](repeating: 4_096, count: 8))
    #expect(rounds[5] == [Int](repeating: 16_384, count: 8) && rounds[10] == [Int](repeating: 131_072, count: 8))
  }

  @Test func `the window halves with each slow round trip, down to one small chunk`() {
    var sender = Self.sender()
    var now = VirtualTime.start
    for _ in 0..<10 { _ = Self.round(&sender, at: &now, after: .milliseconds(20)) }
    var bytes: [Int] = []
    let slow = VirtualTime.Span(nanoseconds: 100_000_001)
    for _ in 0..<10 { bytes.append(Self.round(&sender, at: &now, after: slow).reduce(0, +)) }
    #expect(bytes == [1024, 512, 256, 128, 64, 32, 16, 8, 4, 4].map { $0 * 1_024 })
  }

  @Test func `while other traffic waits one small chunk is in flight, whatever the window, which does not grow`() {
    var sender = Self.sender()
    var now = VirtualTime.start
    for _ in 0..<10 { _ = Self.round(&sender, at: &now, after: .milliseconds(20)) }
    let window = sender.windowBytes
    for _ in 0..<5 { #expect(Self.round(&sender, at: &now, after: .milliseconds(20), isCrowded: true) == [4_096]) }
    #expect(sender.windowBytes == window)
    // Chunks already in flight are awaited first.
    _ = sender.nextChunk(isCrowded: false, at: now)
    #expect(sender.nextChunk(isCrowded: true, at: now) == nil)
  }

  @Test func `a timeout goes back, and every second one queries the receiver`() {
    var sender = Self.sender()
    let now = VirtualTime.start
    var asked: [Bool] = []
    for _ in 0..<6 {
      while sender.nextChunk(isCrowded: false, at: now) != nil {}
      let asks = sender.handleTimeout()
      asked.append(asks)
      guard asks else {
        #expect(sender.sent == sender.acknowledged)
        continue
      }
      sender.recordOfferSent()
      _ = sender.receive(
        FileAnswer(.ready, 0), to: sender.attempt, offset: UInt64(sender.attempt), isCrowded: false, at: now)
    }
    #expect(asked == [false, true, false, true, false, true])
    #expect(sender.waits == 7, "without progress the waits grow")
    #expect(sender.windowBytes == FileSender.chunkBytesMin)
  }

  @Test func `a chunk after a gap sends the sender back to the gap, once`() {
    var sender = Self.sender()
    var now = VirtualTime.start
    for _ in 0..<2 { _ = Self.round(&sender, at: &now, after: .milliseconds(20)) }
    let base = sender.acknowledged
    let round = sender.round
    while sender.nextChunk(isCrowded: false, at: now) != nil {}
    #expect(sender.sent == base + 16_384)
    // The first of four is lost; the receiver reports it three times.
    let gap = FileAnswer(.received, base)
    for offset: UInt64 in [4_096, 8_192, 12_288] {
      let outcome = sender.receive(gap, to: round, offset: base + offset, isCrowded: false, at: now)
      #expect(outcome == (offset == 4_096 ? .progressed : .unchanged))
    }
    #expect(sender.sent == base && sender.round == round + 1)
    // A receiver that has lost bytes is detected by the query that follows two timeouts.
    _ = sender.nextChunk(isCrowded: false, at: now)
    _ = sender.receive(FileAnswer(.received, 0), to: round + 1, offset: base, isCrowded: false, at: now)
    #expect(sender.acknowledged == base)
    while !sender.handleTimeout() { _ = sender.nextChunk(isCrowded: false, at: now) }
    sender.recordOfferSent()
    let attempt = sender.attempt
    _ = sender.receive(FileAnswer(.ready), to: attempt, offset: UInt64(attempt), isCrowded: false, at: now)
    #expect(sender.acknowledged == 0 && sender.sent == 0)
  }

  @Test func `late and doubled answers change nothing`() {
    var sender = Self.sender()
    var now = VirtualTime.start
    _ = Self.round(&sender, at: &now, after: .milliseconds(20))
    let before = sender
    for (answer, attempt, offset) in [
      (FileAnswer(.ready, 0), UInt16(1), UInt64(1)), (FileAnswer(.received, 4_096), 1, 0),
      (FileAnswer(.received, 0), 99, 4_096), (FileAnswer(.digestMismatch), 99, 0),
      (FileAnswer(.received, 1 << 30 + 1), 1, 0), (FileAnswer(.complete, .max), 1, 0),
    ] {
      #expect(sender.receive(answer, to: attempt, offset: offset, isCrowded: false, at: now) == .unchanged)
      #expect(sender == before)
    }
  }

  @Test func `a file fails at its third wrong digest`() {
    var sender = Self.sender(byteCount: 10)
    for failure in 1...3 {
      #expect(sender.nextChunk(isCrowded: false, at: .start)?.count == 10)
      let round = sender.round
      let outcome = sender.receive(FileAnswer(.digestMismatch), to: round, offset: 0, isCrowded: false, at: .start)
      #expect(outcome == (failure == 3 ? .failed(.digestMismatch) : .progressed))
      let again = sender.receive(FileAnswer(.digestMismatch), to: round, offset: 0, isCrowded: false, at: .start)
      if failure < 3 { #expect(again == .unchanged, "a copy of the answer counts once") }
    }
  }

  // MARK: Generated files

  /// The content of a box in a file, by the path of its types.
  private func box(_ path: String..., in file: [UInt8]) -> [UInt8] {
    var content = file[...]
    for type in path {
      var place = content.startIndex
      // The header of a table of descriptions comes before its boxes.
      if type == "mp4a" { place += 8 }
      while place + 8 <= content.endIndex {
        let size = content[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        if Array(content[place + 4..<place + 8]) == Array(type.utf8) {
          content = content[place + 8..<place + size]
          break
        }
        guard size >= 8 else { return [] }
        place += size
      }
      guard place < content.endIndex || content.count > 0 else { return [] }
    }
    return Array(content)
  }

  private func number(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `a recording is an M4A of its length, the same in any pieces, and no two are equal`() {
    for milliseconds in [1, 400, 4_000, 10_001, 30_000] as [UInt64] {
      let size = M4AContainer.size(milliseconds: milliseconds)
      for extra in [0, 1, 9_000] as [UInt64] {
        let content = FileContent.recording(key: 7, milliseconds: milliseconds, byteCount: size + extra)
        let whole = content.bytes(offset: 0, count: .max)
        #expect(whole.count == Int(size + extra) && content.digest == Digest.sha256(whole))
        let header = box("moov", "trak", "mdia", "mdhd", in: whole)
        #expect(number(header, at: 12) == 32_000 && number(header, at: 16) == Int(milliseconds) * 32)
        let table = ["moov", "trak", "mdia", "minf", "stbl"]
        let times = box(table[0], table[1], table[2], table[3], table[4], "stts", in: whole)
        let samples = (0..<number(times, at: 4)).map { number(times, at: 8 + 8 * $0) * number(times, at: 12 + 8 * $0) }
        #expect(samples.reduce(0, +) == Int(milliseconds) * 32)
        let sizes = box(table[0], table[1], table[2], table[3], table[4], "stsz", in: whole)
        let first = number(box(table[0], table[1], table[2], table[3], table[4], "stco", in: whole), at: 8)
        let (each, count) = (number(sizes, at: 4), number(sizes, at: 8))
        #expect(first + each * count + Int(extra) == whole.count && box("mdat", in: whole).count + first == whole.count)
        for frame in 0..<count {
          let start = first + each * frame
          #expect(Array(whole[start..<start + 6]) == [0, 0, 0, 0x06, 0xFE, 0xC0] && whole[start + each - 1] & 15 == 14)
        }
        for offset in stride(from: 0, to: min(whole.count, 3_000), by: 97) {
          let piece = content.bytes(offset: UInt64(offset), count: 301)
          #expect(piece == Array(whole[offset..<min(offset + 301, whole.count)]))
        }
        let other = FileContent.recording(key: 8, milliseconds: milliseconds, byteCount: size + extra)
        #expect(other.digest != content.digest)
      }
    }
  }

  @Test func `a generated file is the same in any pieces`() {
    let content = FileContent.generated(key: 42, byteCount: 1_003)
    let whole = content.bytes(offset: 0, count: 5_000)
    #expect(whole.count == 1_003 && Set(whole).count > 200)
    for offset in stride(from: 0, to: 1_003, by: 7) {
      let piece = content.bytes(offset: UInt64(offset), count: 13)
      #expect(piece == Array(whole[offset..<min(offset + 13, 1_003)]))
    }
    #expect(content.bytes(offset: 1_003, count: 1).isEmpty && content.bytes(offset: .max, count: 1).isEmpty)
    #expect(content.digest == Digest.sha256(whole))
    #expect(FileContent.generated(key: 43, byteCount: 1_003).bytes(offset: 0, count: 1_003) != whole)
    #expect(FileContent.generated(key: 1, byteCount: 0).digest == Digest.sha256([]))
  }
}
