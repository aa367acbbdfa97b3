/// Writes one dictionary as a binary property list, in one pass and in the order of the calls.
///
/// ```swift
/// var writer = PropertyListWriter(entryCount: 3)
/// writer.string("kind", "liveMetrics")
/// writer.integer("v", 1)
/// writer.nested("lastSplit", entryCount: 1) { $0.real("paceSecPerKm", 271.5) }
/// let payload = writer.finish()
/// ```
///
/// Equal calls give equal bytes. The format is Apple's `bplist00` (CoreFoundation's CFBinaryPList.c): header, objects,
/// the table of their offsets, trailer. Equal objects are written repeatedly, which Apple's readers accept. Keys are
/// ASCII and unique. The number of entries is known in advance, so the references of the dictionary are reserved and
/// filled in with the objects.
///
/// The writer cannot be copied, because it owns the memory it writes to. The result does not share that memory.
public struct PropertyListWriter: ~Copyable {
  /// A container that is being filled.
  struct Container {
    /// The offset of its references.
    var references: Int
    /// Entries of a dictionary, elements of an array.
    var count: Int
    /// How many of them are written.
    var filled = 0
    var isDictionary: Bool
  }

  var bytes = GrowingBytes(capacity: 1024)
  /// The offset of each object.
  var offsets: [UInt32] = []
  /// Bytes of one reference; grows with the number of objects.
  var referenceSize = 1
  /// The most objects that references of this size can number; Apple's reader needs one spare value.
  var objectCountMax = 255
  /// The container being filled.
  var current = Container(references: 0, count: 0, isDictionary: true)
  var currentIndex = 0
  /// All containers, once there is a second one; the entry of the current one is stale.
  var containers: [Container] = []

  /// Starts a dictionary.
  ///
  /// - Parameter entryCount: The exact number of entries that will be written.
  public init(entryCount: Int) {
    offsets.reserveCapacity(128)
    start(entryCount: entryCount)
  }

  /// Starts another dictionary and keeps the memory.
  public mutating func reset(entryCount: Int) {
    referenceSize = 1
    objectCountMax = 255
    currentIndex = 0
    containers.removeAll(keepingCapacity: true)
    start(entryCount: entryCount)
  }

  private mutating func start(entryCount: Int) {
    bytes.store(PropertyListFormat.magic.bigEndian, at: 0)
    bytes.count = PropertyListFormat.headerBytes
    offsets.removeAll(keepingCapacity: true)
    addObject()
    current = open(PropertyListFormat.dictionary, count: entryCount, references: 2 * entryCount)
  }

  /// Writes a string.
  public mutating func string(_ key: StaticString, _ value: String) {
    prepare(key)
    putString(value)
  }

  /// Writes an integer.
  public mutating func integer(_ key: StaticString, _ value: Int64) {
    prepare(key)
    putInteger(value)
  }

  /// Writes a number.
  public mutating func real(_ key: StaticString, _ value: Double) {
    prepare(key)
    putReal(value, marker: PropertyListFormat.real | 3)
  }

  /// Writes a Boolean.
  public mutating func bool(_ key: StaticString, _ value: Bool) {
    prepare(key)
    bytes.append(value ? PropertyListFormat.trueMarker : PropertyListFormat.falseMarker)
  }

  /// Writes bytes.
  public mutating func data(_ key: StaticString, _ value: [UInt8]) {
    prepare(key)
    putData(value)
  }

  /// Writes a date, in seconds since 2001-01-01T00:00:00Z.
  public mutating func date(_ key: StaticString, _ value: Double) {
    prepare(key)
    putReal(value, marker: PropertyListFormat.dateMarker)
  }

  /// Writes an identifier as the string of its 36 characters.
  public mutating func identifier(_ key: StaticString, _ value: Identifier) {
    prepare(key)
    putIdentifier(value)
  }

  /// Writes a nested dictionary; `write` must write exactly as many entries.
  public mutating func nested(
    _ key: StaticString, entryCount: Int, _ write: (inout PropertyListWriter) -> Void
  ) {
    prepare(key)
    fill(PropertyListFormat.dictionary, count: entryCount, references: 2 * entryCount, write)
  }

  /// Writes an array; `write` must call ``element(entryCount:_:)`` exactly once for each element.
  public mutating func array(_ key: StaticString, count: Int, _ write: (inout PropertyListWriter) -> Void) {
    prepare(key)
    fill(PropertyListFormat.array, count: count, references: count, write)
  }

  /// Writes a dictionary as the next element of the array; `write` must write exactly as many entries.
  public mutating func element(entryCount: Int, _ write: (inout PropertyListWriter) -> Void) {
    prepareElement()
    fill(PropertyListFormat.dictionary, count: entryCount, references: 2 * entryCount, write)
  }

  /// Writes the end of the list, and returns the property list.
  ///
  /// Afterwards only ``reset(entryCount:)`` may be called.
  public mutating func finish() -> [UInt8] {
    precondition(currentIndex == 0 && current.filled == current.count, "the dictionary has all its entries")
    let table = bytes.count
    let offsetSize = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : 4
    let trailer = table + offsets.count * offsetSize
    bytes.reserve(offsets.count * offsetSize + PropertyListFormat.trailerBytes)
    putOffsets(size: offsetSize)
    // Writes six unused bytes and the two sizes at once.
    bytes.store(UInt64(offsetSize << 8 | referenceSize).bigEndian, at: trailer)
    bytes.store(UInt64(offsets.count).bigEndian, at: trailer + 8)
    bytes.store(UInt64(0), at: trailer + 16)
    bytes.store(UInt64(table).bigEndian, at: trailer + 24)
    bytes.count = trailer + PropertyListFormat.trailerBytes
    return bytes.copy()
  }
}
