package import Link

/// `few-writes`: memory cards wear out.
package struct FewWritesChecker: Checker {
  package static let invariant = "few-writes"
  package static let about =
    "The server replaces a file only if its content changed, and at most once for each change of a day or of the profile, and each start."
  package static let interests: [TraceEvent.Name] =
    ["edge.stored", "edge.upserted", "edge.workouts", "edge.profiled", "edge.restarted"]

  /// The last version of each file.
  private var files: [String: (digest: String, line: Int)] = [:]
  /// Whether a day or the profile changed since a file was written, by file.
  private var hasChanged: [String: Bool] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .dayUpserted, .workoutsStored, .profileExtracted: hasChanged = hasChanged.mapValues { _ in true }
    case .serverRestarted:
      // The contents of the file may be lost.
      files = [:]
      hasChanged = [:]
    case .fileStored(let file):
      defer {
        files[file.file] = (file.digest, line)
        hasChanged[file.file] = false
      }
      guard let known = files[file.file] else { return }
      if known.digest == file.digest {
        report.append(
          Self.violation(
            "the file \(file.file) was written again with the same content", at: event.time, lines: [known.line, line]))
      } else if hasChanged[file.file] == false {
        report.append(
          Self.violation(
            "the file \(file.file) was written twice for the same change of days or profile", at: event.time,
            lines: [known.line, line]))
      }
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
