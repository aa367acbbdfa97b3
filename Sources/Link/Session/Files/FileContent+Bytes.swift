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
    let count = Int(min(UInt64(count), byteCount - offset))
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      unsafe fill(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count), from: offset)
      filled = count
    }
  }

  /// The SHA-256 of the file, 32 bytes, in constant memory.
  public var digest: [UInt8] {
    var stream = SHA256Stream()
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    var offset: UInt64 = 0
    while offset < byteCount {
      let count = Int(min(UInt64(piece.count), byteCount - offset))
      unsafe piece.withUnsafeMutableBytes {
        unsafe fill(UnsafeMutableRawBufferPointer(rebasing: $0[..<count]), from: offset)
      }
      stream.append(piece[..<count])
      offset += UInt64(count)
    }
    return stream.finish()
  }

  /// Fills a buffer with the bytes from an offset.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) {
    switch self {
    case .generated(let key, _):
      let random = RandomStream(seed: key, name: "file")
      // Each draw gives eight bytes, keyed by their offset: any part can be generated without the part before it.
      let head = min(buffer.count, Int((8 - offset & 7) & 7))
      if head > 0 { unsafe put(random.bits(for: offset >> 3) >> ((offset & 7) * 8), head, buffer, at: 0) }
      var place = head
      var word = (offset + UInt64(head)) >> 3
      while place + 8 <= buffer.count {
        unsafe buffer.storeBytes(of: random.bits(for: word).littleEndian, toByteOffset: place, as: UInt64.self)
        place += 8
        word += 1
      }
      if place < buffer.count { unsafe put(random.bits(for: word), buffer.count - place, buffer, at: place) }
    }
  }

  /// Writes the low bytes of a word to a buffer, lowest first.
  private func put(_ word: UInt64, _ count: Int, _ buffer: UnsafeMutableRawBufferPointer, at place: Int) {
    for index in 0..<count { unsafe buffer[place + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
  }
}
