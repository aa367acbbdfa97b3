/// The bytes of a described file.
extension FileContent {
  /// The size of the file.
  public var byteCount: UInt64 {
    switch self {
    case .generated(_, let byteCount): byteCount
    }
  }

  /// Returns `count` bytes of the file, or fewer at its end.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first one.
  ///   - count: The maximum number of bytes.
  public func bytes(offset: UInt64, count: Int) -> [UInt8] {
    guard offset < byteCount else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), byteCount - offset)))
    var target = bytes.mutableSpan
    fill(&target, from: offset)
    return bytes
  }

  /// The SHA-256 of the file, 32 bytes, in constant memory.
  public var digest: [UInt8] {
    var stream = SHA256Stream()
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    var offset: UInt64 = 0
    while offset < byteCount {
      let count = Int(min(UInt64(piece.count), byteCount - offset))
      var target = piece.mutableSpan
      fill(&target, from: offset)
      stream.append(piece[..<count])
      offset += UInt64(count)
    }
    return stream.finish()
  }

  /// Fills a buffer with the bytes from an offset of the endless sequence that the file is the beginning of.
  private func fill(_ buffer: inout MutableSpan<UInt8>, from offset: UInt64) {
    switch self {
    case .generated(let key, _):
      let random = RandomStream(seed: key, name: "file")
      // Each draw gives eight bytes, keyed by their offset: any part can be generated without the part before it.
      let head = min(buffer.count, Int((8 - offset & 7) & 7))
      if head > 0 { put(random.bits(for: offset >> 3) >> ((offset & 7) * 8), head, &buffer, at: 0) }
      var place = head
      var word = (offset + UInt64(head)) >> 3
      while place + 8 <= buffer.count {
        buffer.store(random.bits(for: word).littleEndian, at: place)
        place += 8
        word += 1
      }
      if place < buffer.count { put(random.bits(for: word), buffer.count - place, &buffer, at: place) }
    }
  }

  /// Writes the low bytes of a word to a buffer, lowest first.
  private func put(_ word: UInt64, _ count: Int, _ buffer: inout MutableSpan<UInt8>, at place: Int) {
    for index in 0..<count { buffer[place + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
  }
}
