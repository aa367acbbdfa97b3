extension Span<UInt8> {
  /// Reads a little-endian integer; the caller has checked the length.
  @inline(__always)
  func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at offset: Int) -> T {
    precondition(offset >= 0 && offset + T.bitWidth / 8 <= count, "a read past the end")
    return T(littleEndian: unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: T.self) })
  }
}
