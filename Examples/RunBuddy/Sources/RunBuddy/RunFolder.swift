import Foundation

/// Where an app keeps its files.
public enum RunFolder {
  /// The folder of the command line, its first word unless that is an option; else the app's documents.
  public static func find(_ arguments: [String]) -> URL {
    if let path = arguments.dropFirst().first, !path.hasPrefix("--") { return URL(fileURLWithPath: path) }
    return FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
  }
}
