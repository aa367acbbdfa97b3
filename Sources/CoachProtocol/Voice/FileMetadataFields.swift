import Link

/// Reads and checks the entries of a file's metadata.
struct FileMetadataFields {
  private var cursor: PropertyListCursor

  /// Opens a property list whose top level is a dictionary.
  init(_ bytes: [UInt8]) throws(FileMetadataError) {
    do throws(PropertyListError) { cursor = try PropertyListCursor(bytes) } catch {
      throw FileMetadataError("a file's metadata: \(error)")
    }
  }

  /// A required string.
  mutating func string(_ key: StaticString) throws(FileMetadataError) -> String {
    guard let text = try optionalString(key) else { throw missing(key) }
    return text
  }

  /// Nil if absent.
  mutating func optionalString(_ key: StaticString) throws(FileMetadataError) -> String? {
    do throws(PropertyListError) { return try cursor.string(key) } catch { throw wrong(key, error) }
  }

  /// An integer within bounds; nil if absent.
  mutating func integer(_ key: StaticString, _ bounds: ClosedRange<Int64>) throws(FileMetadataError) -> Int64? {
    let value: Int64?
    do throws(PropertyListError) { value = try cursor.integer(key) } catch { throw wrong(key, error) }
    guard let value else { return nil }
    guard bounds.contains(value) else {
      throw FileMetadataError("\(key) is \(value), expected \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return value
  }

  /// A required number within bounds.
  mutating func real(_ key: StaticString, _ bounds: ClosedRange<Double>) throws(FileMetadataError) -> Double {
    let value: Double?
    do throws(PropertyListError) { value = try cursor.real(key) } catch { throw wrong(key, error) }
    guard let value else { throw missing(key) }
    // NaN is in no range.
    guard bounds.contains(value) else {
      throw FileMetadataError("\(key) is \(value), expected \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return value
  }

  /// Nil if absent.
  mutating func identifier(_ key: StaticString) throws(FileMetadataError) -> Identifier? {
    do throws(PropertyListError) { return try cursor.identifier(key) } catch { throw wrong(key, error) }
  }

  func missing(_ key: StaticString) -> FileMetadataError { FileMetadataError("a file's metadata: no \(key)") }

  private func wrong(_ key: StaticString, _ error: PropertyListError) -> FileMetadataError {
    FileMetadataError("\(key) is \(error.found) at byte \(error.offset), expected \(error.expected)")
  }
}
