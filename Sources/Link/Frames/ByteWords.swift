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

  /// Whether a literal is at an offset; a few bytes are compared as words that may overlap.
  @inline(__always)
  func matches(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count &- length else { return false }
    return unsafe withUnsafeBytes { bytes in
      let known = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: length)
      @inline(__always) func differ<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, _ index: Int) -> Bool {
        unsafe bytes.loadUnaligned(fromByteOffset: offset &+ index, as: T.self)
          != known.loadUnaligned(fromByteOffset: index, as: T.self)
      }
      if length >= 8 {
        for index in stride(from: 0, to: length &- 8, by: 8) where differ(UInt64.self, index) { return false }
        return !differ(UInt64.self, length &- 8)
      }
      if length >= 4 { return !differ(UInt32.self, 0) && !differ(UInt32.self, length &- 4) }
      for index in 0..<length where differ(UInt8.self, index) { return false }
      return true
    }
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
