// Containers, their references, and keys.
//
// Writing a key or registering an element also reserves room for the longest short value, so that short values need not
// check: see `shortValueMax`.

extension PropertyListWriter {
  /// Room for every value except data, strings and containers; an identifier takes 39 bytes.
  static var shortValueMax: Int { 48 }

  /// Registers an object that starts here.
  @inline(__always)
  mutating func addObject() { offsets.append(UInt32(truncatingIfNeeded: bytes.count)) }

  /// Writes an entry's key, registers its value, which must follow, and reserves room for a short one.
  mutating func prepare(_ key: StaticString) {
    precondition(current.isDictionary && current.filled < current.count, "the dictionary has room for the entry")
    assert(key.isASCII, "a key is ASCII")
    let count = key.utf8CodeUnitCount
    if offsets.count + 2 > objectCountMax { widen() }
    bytes.reserve(count + 9 + Self.shortValueMax)
    putReferences()
    addObject()
    putMarker(PropertyListFormat.ascii, count: count)
    bytes.append(key)
    addObject()
  }

  /// The same for a key that is not a literal.
  mutating func prepare(_ key: String) {
    if offsets.count + 2 > objectCountMax { widen() }
    putReferences()
    addObject()
    putString(key)
    addObject()
    bytes.reserve(Self.shortValueMax)
  }

  /// Registers the array's next element, which must follow, and reserves room for a short one.
  mutating func prepareElement() {
    precondition(!current.isDictionary && current.filled < current.count, "the array has room for the element")
    if offsets.count + 1 > objectCountMax { widen() }
    bytes.reserve(Self.shortValueMax)
    putReference(offsets.count, at: current.references + current.filled * referenceSize)
    current.filled += 1
    addObject()
  }

  /// Fills in the references of the next entry: the next two objects are its key and its value.
  @inline(__always)
  private mutating func putReferences() {
    let place = current.references + current.filled * referenceSize
    putReference(offsets.count, at: place)
    putReference(offsets.count + 1, at: place + current.count * referenceSize)
    current.filled += 1
  }

  @inline(__always)
  private mutating func putReference(_ object: Int, at place: Int) {
    if referenceSize == 1 {
      bytes.store(UInt8(truncatingIfNeeded: object), at: place)
    } else {
      for index in 0..<referenceSize {
        bytes.store(UInt8(truncatingIfNeeded: object >> (8 * (referenceSize - 1 - index))), at: place + index)
      }
    }
  }

  /// Writes a container's first bytes and reserves its references; its object is already registered.
  mutating func open(_ marker: UInt8, count: Int, references: Int) -> Container {
    bytes.reserve(17 + references * referenceSize)
    putMarker(marker, count: count)
    let start = bytes.count
    bytes.count += references * referenceSize
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
    let old = bytes.copy()
    let (size, wideSize) = (referenceSize, referenceSize * 2)
    var wide: [UInt8] = []
    var copied = 0
    var object = 0
    // Containers and objects are in the order of their bytes.
    for index in containers.indices {
      let container = containers[index]
      let shift = wide.count - copied
      while object < offsets.count, offsets[object] < container.references {
        offsets[object] += UInt32(shift)
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
    while object < offsets.count {
      offsets[object] += UInt32(shift)
      object += 1
    }
    wide += old[copied...]
    bytes.count = 0
    bytes.reserve(wide.count)
    bytes.append(wide.span)
    referenceSize = wideSize
    objectCountMax = 1 << (8 * wideSize) - 1
    current = containers[currentIndex]
  }

  /// Writes the table of offsets after the objects.
  func putOffsets(size: Int) {
    for (index, offset) in offsets.enumerated() {
      let place = bytes.count + index * size
      switch size {
      case 1: bytes.store(UInt8(truncatingIfNeeded: offset), at: place)
      case 2: bytes.store(UInt16(truncatingIfNeeded: offset).bigEndian, at: place)
      default: bytes.store(offset.bigEndian, at: place)
      }
    }
  }
}
