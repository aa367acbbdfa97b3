import Link

/// A reference to a file that the user adds: its name and its digest.
///
/// There is no file.
package struct TrainingFile: Sendable, Equatable {
  package var name: String
  /// SHA-256 in 64 hexadecimal digits.
  package var digest: String

  /// Whether the digest is one.
  var hasDigest: Bool {
    digest.utf8.count == 64 && digest.utf8.allSatisfy { Self.digits.contains($0) }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
