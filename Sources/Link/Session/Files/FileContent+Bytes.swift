/// The bytes that a description of a file stands for.
extension FileContent {
  /// How large the file is.
  public var byteCount: UInt64 {
    switch self {
    case .generated(_, let byteCount): byteCount
    }
  }

  /// Returns bytes of the file: as many as asked for, or those up to its end.
  ///
  /// - Parameter offset: Where they begin.
  public func bytes(offset: UInt64, count: Int) -> [UInt8] {
    switch self {
    case .generated(let key, let byteCount):
      guard offset < byteCount else { return [] }
      let count = Int(min(UInt64(count), byteCount - offset))
      let random = RandomStream(seed: key, name: "file")
      // Eight bytes a draw, by their place in the file: any part can be made without the part before it.
      let skipped = Int(offset & 7)
      let words = (skipped + count + 7) / 8
      var bytes = unsafe [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, filled in
        let raw = UnsafeMutableRawBufferPointer(buffer)
        for word in 0..<words {
          let bits = random.bits(for: offset >> 3 + UInt64(word)).littleEndian
          unsafe raw.storeBytes(of: bits, toByteOffset: word * 8, as: UInt64.self)
        }
        filled = words * 8
      }
      bytes.removeLast(bytes.count - skipped - count)
      if skipped > 0 { bytes.removeFirst(skipped) }
      return bytes
    }
  }

  /// The SHA-256 of the file, 32 bytes, in constant memory.
  public var digest: [UInt8] {
    var stream = SHA256Stream()
    var offset: UInt64 = 0
    while offset < byteCount {
      let piece = bytes(offset: offset, count: 1 << 16)
      stream.append(piece)
      offset += UInt64(piece.count)
    }
    return stream.finish()
  }
}
