import Simulator
import CBuild
import Foundation
import Link

/// Which program this is: for `--version`, and for a bundle that another program will repeat.
package struct BuildIdentity: Equatable {
  /// The release's number.
  var version: String
  /// The commit of the sources; nil if the build did not name it.
  var commit: String?
  /// SHA-256 of the program's file, 64 hexadecimal digits; nil if it cannot be read.
  var digest: String?

  /// The commit that this program was built from, with `-dirty` behind it where the sources had changed; nil if unknown.
  static let commit: String? = cb_commit().map { String(cString: $0) }

  /// This program, whose file is read once.
  package static let own = BuildIdentity(
    version: Version.text, commit: commit, digest: WorkoutDigest.text(ofFile: ProcessRun.ownPath))

  /// The line that `--version` prints.
  package static var line: String { "sim-runner \(Version.text)" + (commit.map { " (commit \($0))" } ?? "") }
}
