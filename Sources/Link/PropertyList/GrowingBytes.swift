/// Memory that ``PropertyListWriter`` fills, and keeps from one list to the next.
///
/// An array would check at every byte that nothing else refers to it. Every access checks its bounds.
@safe struct GrowingBytes: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes are written; the bytes after them may be overwritten by ``store(_:at:)`` but do not count.
  var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    unsafe base = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  /// Makes room for bytes past the end.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    // Offsets have 32 bits.
    precondition(count + more < 1 << 31, "a property list of at most 2 GiB")
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// Writes an integer inside the reserved bytes, without moving the end.
  @inline(__always)
  func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    precondition(offset >= 0 && offset <= capacity &- MemoryLayout<T>.size, "a write past the reserved bytes")
    unsafe base.storeBytes(of: value, toByteOffset: offset, as: T.self)
  }

  /// Appends a byte for which there is room.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    store(byte, at: count)
    count &+= 1
  }

  /// Appends a literal for which there is room.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes for which there is room.
  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe append($0) } }

  /// Appends bytes; a few of them with two stores that may overlap.
  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let length = bytes.count
    precondition(length <= capacity &- count, "a write past the reserved bytes")
    guard let source = bytes.baseAddress else { return }
    let target = unsafe base + count
    if length > 16 {
      unsafe target.copyMemory(from: source, byteCount: length)
    } else if length >= 8 {
      let tail = unsafe source.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      unsafe target.storeBytes(of: tail, toByteOffset: length - 8, as: UInt64.self)
    } else if length >= 4 {
      let tail = unsafe source.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
      unsafe target.storeBytes(of: tail, toByteOffset: length - 4, as: UInt32.self)
    } else {
      for index in 0..<length { unsafe target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
    }
    count &+= length
  }

  /// A copy of the bytes.
  func copy() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
    return bytes
  }
}
