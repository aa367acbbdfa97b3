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
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      // Eight bytes a draw, by their place in the file: any part can be made without the part before it.
      var word = random.bits(for: offset >> 3) >> ((offset & 7) * 8)
      for place in offset..<offset + UInt64(count) {
        if place & 7 == 0 { word = random.bits(for: place >> 3) }
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
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
