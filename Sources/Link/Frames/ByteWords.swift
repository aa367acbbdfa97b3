// Bytes as words and as arrays: the only code of this module that reads and writes memory at an offset. Every access
// checks its bounds once.

extension Span<UInt8> {
  /// Reads an integer in the machine's order.
  @inlinable @inline(__always)
  package func word<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at offset: Int) -> T {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<T>.size, "a read past the end")
    return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
  }

  /// Reads a little-endian integer.
  @inlinable @inline(__always)
  package func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at offset: Int) -> T {
    T(littleEndian: word(T.self, at: offset))
  }

  /// Reads a big-endian integer.
  @inlinable @inline(__always)
  package func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, at offset: Int) -> T {
    T(bigEndian: word(T.self, at: offset))
  }

  /// Appends a copy of the bytes to an array.
  @inlinable @inline(__always)
  package func append(to bytes: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }
}

extension MutableSpan<UInt8> {
  /// Writes an integer in the machine's order.
  @inlinable @inline(__always)
  package mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<T>.size, "a write past the end")
    unsafe withUnsafeMutableBytes { unsafe $0.storeBytes(of: value, toByteOffset: offset, as: T.self) }
  }

  /// Copies bytes to an offset.
  @inlinable @inline(__always)
  package mutating func store(_ bytes: Span<UInt8>, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- bytes.count, "a write past the end")
    unsafe withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
      }
    }
  }
}
