// Containers, their references, and keys.
//
// Writing a key or registering an element also reserves room for the longest short value, so that short values need not
// check: see `shortValueMax`.

extension PropertyListWriter {
  /// Room for every value except data, strings and containers; an identifier takes 39 bytes.
  static var shortValueMax: Int { 48 }

  /// Reserves bytes past the end.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if capacity - end < count { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    // Offsets have 32 bits.
    precondition(end + count < 1 << 31, "a property list of at most 2 GiB")
    capacity = max(capacity * 2, end + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: end)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// Registers an object that starts here.
  @inline(__always)
  mutating func addObject() {
    if objectCount == offsetCapacity { growOffsets() }
    unsafe offsets[objectCount] = UInt32(truncatingIfNeeded: end)
    objectCount += 1
  }

  @inline(never)
  private mutating func growOffsets() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: offsetCapacity * 2)
    unsafe larger.update(from: offsets, count: objectCount)
    unsafe offsets.deallocate()
    unsafe offsets = larger
    offsetCapacity *= 2
  }

  /// Writes an entry's key, registers its value, which must follow, and reserves room for a short one.
  mutating func prepare(_ key: StaticString) {
    precondition(current.isDictionary && current.filled < current.count, "the dictionary has room for the entry")
    assert(key.isASCII, "a key is ASCII")
    let count = key.utf8CodeUnitCount
    if objectCount + 2 > objectCountMax { widen() }
    reserve(count + 9 + Self.shortValueMax)
    putReferences()
    addObject()
    putMarker(PropertyListFormat.ascii, count: count)
    unsafe Self.copy(key.utf8Start, to: base + end, count: count)
    end += count
    addObject()
  }

  /// The same for a key that is not a literal.
  mutating func prepare(_ key: String) {
    if objectCount + 2 > objectCountMax { widen() }
    putReferences()
    addObject()
    putString(key)
    addObject()
    reserve(Self.shortValueMax)
  }

  /// Registers the array's next element, which must follow, and reserves room for a short one.
  mutating func prepareElement() {
    precondition(!current.isDictionary && current.filled < current.count, "the array has room for the element")
    if objectCount + 1 > objectCountMax { widen() }
    reserve(Self.shortValueMax)
    putReference(objectCount, at: current.references + current.filled * referenceSize)
    current.filled += 1
    addObject()
  }

  /// Fills in the references of the next entry: the next two objects are its key and its value.
  @inline(__always)
  private mutating func putReferences() {
    let place = current.references + current.filled * referenceSize
    putReference(objectCount, at: place)
    putReference(objectCount + 1, at: place + current.count * referenceSize)
    current.filled += 1
  }

  @inline(__always)
  private mutating func putReference(_ object: Int, at place: Int) {
    if referenceSize == 1 {
      unsafe base.storeBytes(of: UInt8(truncatingIfNeeded: object), toByteOffset: place, as: UInt8.self)
    } else {
      unsafe Self.store(UInt64(object), to: base + place, size: referenceSize)
    }
  }

  /// Writes a container's first bytes and reserves its references; its object is already registered.
  mutating func open(_ marker: UInt8, count: Int, references: Int) -> Container {
    reserve(17 + references * referenceSize)
    putMarker(marker, count: count)
    let start = end
    end += references * referenceSize
    return Container(references: start, count: count, isDictionary: marker == PropertyListFormat.dictionary)
  }

  /// Writes a container, with `write` writing its contents.
  mutating func fill<Failure: Error>(
    _ marker: UInt8, count: Int, references: Int, _ write: (inout PropertyListWriter) throws(Failure) -> Void
  ) throws(Failure) {
    if containers.isEmpty { containers.append(current) } else { containers[currentIndex] = current }
    let outer = currentIndex
    current = open(marker, count: count, references: references)
    currentIndex = containers.count
    containers.append(current)
    try write(&self)
    precondition(current.filled == count, "the container has all its entries")
    containers[currentIndex] = current
    currentIndex = outer
    current = containers[outer]
  }

  /// Doubles the size of all references, because there are more objects than it can number.
  @inline(never)
  private mutating func widen() {
    if containers.isEmpty { containers.append(current) } else { containers[currentIndex] = current }
    let old = unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: end))
    let (size, wideSize) = (referenceSize, referenceSize * 2)
    var wide: [UInt8] = []
    var copied = 0
    var object = 0
    // Containers and objects are in the order of their bytes.
    for index in containers.indices {
      let container = containers[index]
      let shift = wide.count - copied
      while object < objectCount, unsafe offsets[object] < container.references {
        unsafe offsets[object] += UInt32(shift)
        object += 1
      }
      wide += old[copied..<container.references]
      containers[index].references = wide.count
      copied = container.references
      for _ in 0..<container.count * (container.isDictionary ? 2 : 1) {
        wide += [UInt8](repeating: 0, count: wideSize - size)
        wide += old[copied..<copied + size]
        copied += size
      }
    }
    let shift = wide.count - copied
    while object < objectCount {
      unsafe offsets[object] += UInt32(shift)
      object += 1
    }
    wide += old[copied...]
    end = 0
    reserve(wide.count)
    unsafe wide.withUnsafeBytes {
      unsafe base.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: $0.count)
    }
    end = wide.count
    referenceSize = wideSize
    objectCountMax = 1 << (8 * wideSize) - 1
    current = containers[currentIndex]
  }

  /// Writes the table of offsets.
  func putOffsets(to target: UnsafeMutableRawPointer, size: Int) {
    switch size {
    case 1:
      for object in 0..<objectCount {
        unsafe target.storeBytes(
          of: UInt8(truncatingIfNeeded: offsets[object]), toByteOffset: object, as: UInt8.self)
      }
    case 2:
      for object in 0..<objectCount {
        unsafe target.storeBytes(
          of: UInt16(truncatingIfNeeded: offsets[object]).bigEndian, toByteOffset: 2 * object, as: UInt16.self)
      }
    default:
      for object in 0..<objectCount {
        unsafe target.storeBytes(of: offsets[object].bigEndian, toByteOffset: 4 * object, as: UInt32.self)
      }
    }
  }
}
