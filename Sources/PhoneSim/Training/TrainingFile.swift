import Link

/// A reference to a file that the user adds: its name and its digest.
///
/// There is no file.
package struct TrainingFile: Sendable, Equatable {
  package var name: String
  /// SHA-256 in 64 hexadecimal digits.
  package var digest: String

  /// Reads `file` and `digest` of an event; nil after reporting errors.
  ///
  /// Without a digest it is that of the name.
  init?(_ reader: JSONObjectReader) {
    let name = reader.string("file", required: true)
    let given = reader.string("digest")
    guard let name, reader.has("digest") == (given != nil) else { return nil }
    guard (1...200).contains(name.utf8.count) else {
      reader.value("file")?.refuse(expected: "1 to 200 bytes")
      return nil
    }
    let digest = given ?? Digest.text(Digest.sha256(Array(name.utf8)))
    guard digest.utf8.count == 64, digest.utf8.allSatisfy({ Self.digits.contains($0) }) else {
      reader.value("digest")?.refuse(expected: "64 hexadecimal digits in lower case")
      return nil
    }
    self.name = name
    self.digest = digest
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
