extension PropertyListWriter {
  /// Returns any value as a binary property list.
  ///
  /// - Throws: If containers are nested more than 128 deep, or a dictionary repeats a key.
  public static func bytes(of value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var writer = PropertyListWriter(entryCount: 0)
    // The value replaces the empty dictionary at the top, which remains as the complete container that `finish`
    // expects.
    writer.bytes.count = PropertyListFormat.headerBytes
    try writer.put(value, depth: 0)
    return writer.finish()
  }

  /// Writes a value whose object is already registered.
  private mutating func put(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
    bytes.reserve(48)
    switch value {
    case .string(let text): putString(text)
    case .integer(let number): putInteger(number)
    case .real(let number): putReal(number, marker: PropertyListFormat.real | 3)
    case .date(let seconds): putReal(seconds, marker: PropertyListFormat.dateMarker)
    case .data(let data): putData(data)
    case .bool(let flag): bytes.append(flag ? PropertyListFormat.trueMarker : PropertyListFormat.falseMarker)
    case .array(let elements):
      try checkDepth(depth)
      try fill(PropertyListFormat.array, count: elements.count, references: elements.count) {
        writer throws(PropertyListError) in
        for element in elements {
          writer.prepareElement()
          try writer.put(element, depth: depth + 1)
        }
      }
    case .dictionary(let entries):
      try checkDepth(depth)
      var keys = PropertyListKeys()
      for entry in entries { try keys.insert(entry.key, at: 0) }
      try fill(PropertyListFormat.dictionary, count: entries.count, references: 2 * entries.count) {
        writer throws(PropertyListError) in
        for entry in entries {
          writer.prepare(entry.key)
          try writer.put(entry.value, depth: depth + 1)
        }
      }
    }
  }

  private func checkDepth(_ depth: Int) throws(PropertyListError) {
    guard depth < PropertyListFormat.depthMax else {
      throw PropertyListError(
        at: 0, found: "one more container", expected: "at most \(PropertyListFormat.depthMax) nested containers")
    }
  }
}

/// The keys of one dictionary, to find duplicates; never iterated.
struct PropertyListKeys {
  private var keys: Set<String> = []

  mutating func insert(_ key: String, at offset: Int) throws(PropertyListError) {
    guard keys.insert(key).inserted else {
      throw PropertyListError(at: offset, found: "the key \(quoted(key)) again", expected: "unique keys")
    }
  }
}
