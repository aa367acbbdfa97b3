public import Foundation

/// The folder of the package.
public enum PackageRoot {
  /// Its folder.
  public static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
