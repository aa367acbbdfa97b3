package import Link

/// `few-writes`: memory cards wear out.
package struct FewWritesChecker: Checker {
  package static let invariant = "few-writes"
  package static let about =
    "The server replaces a file only if its content changed, and at most once for each change of a day or of the profile, and each start."

  /// The last version of each file.
  private var files: [String: (digest: String, line: Int)] = [:]
  /// Whether a day or the profile changed since a file was written, by file.
  private var hasChanged: [String: Bool] = [:]

  package init(header: TraceHeader) {}

  package mutating func dayUpserted(_: DayUpserted, at event: Occurrence, into report: inout Report) {
    hasChanged = hasChanged.mapValues { _ in true }
  }

  package mutating func workoutsStored(_: WorkoutsStored, at event: Occurrence, into report: inout Report) {
    hasChanged = hasChanged.mapValues { _ in true }
  }

  package mutating func profileExtracted(_: ProfileExtracted, at event: Occurrence, into report: inout Report) {
    hasChanged = hasChanged.mapValues { _ in true }
  }

  package mutating func serverRestarted(_: ServerRestarted, at event: Occurrence, into report: inout Report) {
    // The contents of the file may be lost.
    files = [:]
    hasChanged = [:]
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    defer {
      files[file.file] = (file.digest, event.line)
      hasChanged[file.file] = false
    }
    guard let known = files[file.file] else { return }
    if known.digest == file.digest {
      report.add(
        "the file \(file.file) was written again with the same content", at: event.time,
        lines: [known.line, event.line])
    } else if hasChanged[file.file] == false {
      report.add(
        "the file \(file.file) was written twice for the same change of days or profile", at: event.time,
        lines: [known.line, event.line])
    }
  }
}
