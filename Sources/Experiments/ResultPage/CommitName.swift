import Foundation

/// The commit of the sources that are tested, for the history of results.
package enum CommitName {
  /// Where build servers name it.
  private static let variables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BUILD_SOURCEVERSION", "GIT_COMMIT",
  ]
  private static let digitsMax = 12

  /// The first twelve digits of the commit that a build server names, or else of the repository in the working directory;
  /// nil if there is none.
  package static func find(_ environment: [String: String]) -> String? {
    for variable in variables {
      if let name = environment[variable].flatMap(digits) { return name }
    }
    return fromRepository().flatMap(digits)
  }

  /// Hexadecimal digits only: the name goes into a page.
  private static func digits(_ text: String) -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (7...64).contains(trimmed.utf8.count), trimmed.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return String(trimmed.prefix(digitsMax))
  }

  private static func fromRepository() -> String? {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "rev-parse", "HEAD"]
    let pipe = Pipe()
    git.standardInput = FileHandle.nullDevice
    git.standardOutput = pipe
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return nil }
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    git.waitUntilExit()
    return git.terminationStatus == 0 ? data.map { String(decoding: $0, as: UTF8.self) } : nil
  }
}
