extension PropertyListWriter {
  /// Returns any value as a binary property list.
  ///
  /// - Throws: When containers are more than 128 deep inside one another, or a dictionary has a key twice.
  public static func bytes(of value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var writer = PropertyListWriter(entryCount: 0)
    // The empty dictionary gives its place at the top to the value, and stays as what `finish` finds full.
    writer.end = PropertyListFormat.headerBytes
    try writer.put(value, depth: 0)
    return writer.finish()
  }

  /// Writes a value whose object is already noted.
  private mutating func put(_ value: PropertyListValue, depth: Int) throws(PropertyListError) {
    reserve(48)
    switch value {
    case .string(let text): putString(text)
    case .integer(let number): putInteger(number)
    case .real(let number): putReal(number, marker: PropertyListFormat.real | 3)
    case .date(let seconds): putReal(seconds, marker: PropertyListFormat.dateMarker)
    case .data(let data): putData(data)
    case .bool(let flag): putByte(flag ? PropertyListFormat.trueMarker : PropertyListFormat.falseMarker)
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
        at: 0, found: "one container more", expected: "at most \(PropertyListFormat.depthMax) inside one another")
    }
  }
}

/// The keys of one dictionary, to find one that is given twice; never iterated.
struct PropertyListKeys {
  private var keys: Set<String> = []

  mutating func insert(_ key: String, at offset: Int) throws(PropertyListError) {
    guard keys.insert(key).inserted else {
      throw PropertyListError(at: offset, found: "the key \(quoted(key)) again", expected: "each key once")
    }
  }
}
