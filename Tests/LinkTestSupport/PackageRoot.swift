public import Foundation

/// Where the package stands.
public enum PackageRoot {
  /// Its folder.
  public static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
