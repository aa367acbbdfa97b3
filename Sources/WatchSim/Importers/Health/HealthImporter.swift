// Apple Health exports: workouts whose routes are GPX files beside the export, and whose heart rates, steps and
// distances are records in the same file.

import Foundation

/// Reads workouts from an Apple Health export.
package enum HealthImporter: StreamingImporter {
  package static let name = "Apple Health"
  package static let help =
    """
    An export is its unpacked folder, or the file export.xml in it; routes are read from the GPX files
    beside it. With several workouts it needs --workout.
    """
  package static let fileExtension = "xml"
  /// Exports of any size are read in pieces.
  package static let bytesMax = Int.max - 1

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    // Excerpts of exports without the root element are in circulation too.
    if let root = XMLScanner.rootName(of: head) { return ["HealthData", "Workout"].contains(root) }
    // The document type declaration is longer than the head.
    return head.firstRange(of: Array("<!DOCTYPE HealthData".utf8)) != nil
  }

  // MARK: In memory

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    try read(nil, from: fileName) { ByteSource(bytes) }
  }

  package static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout {
    try read(number, from: fileName) { ByteSource(bytes) }
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    try workouts(nil, from: fileName, ByteSource(bytes)).outlines
  }

  // MARK: Files

  package static func outlines(path: String) throws(ImportError) -> [WorkoutOutline] {
    let handle = try ImporterCatalog.openFile(path, named: path)
    defer { try? handle.close() }
    return try workouts(nil, from: path, ByteSource(handle)).outlines
  }

  package static func read(path: String, number: Int?) throws(ImportError) -> RecordedWorkout {
    let handle = try ImporterCatalog.openFile(path, named: path)
    defer { try? handle.close() }
    return try read(number, from: path) { () throws(ImportError) -> ByteSource in
      do { try handle.seek(toOffset: 0) } catch {
        throw ImportError(file: path, found: "a file that cannot be read twice", expected: "an ordinary file")
      }
      return ByteSource(handle)
    }
  }

  // MARK: Both

  private static func workouts(
    _ number: Int?, from file: String, _ source: ByteSource
  ) throws(ImportError) -> (outlines: [WorkoutOutline], kept: HealthExportWorkout?, findings: ImportFindings) {
    var reader = HealthExportReader(source)
    let found: (outlines: [WorkoutOutline], kept: HealthExportWorkout?)
    do throws(XMLStream.Problem) { found = try reader.readWorkouts(keeping: number) } catch {
      throw failure(error, file)
    }
    guard !found.outlines.isEmpty else {
      throw ImportError(file: file, found: "no workout", expected: "an export with a workout (Workout)")
    }
    return (found.outlines, found.kept, reader.findings())
  }

  private static func read(
    _ number: Int?, from file: String, _ source: () throws(ImportError) -> ByteSource
  ) throws(ImportError) -> RecordedWorkout {
    let (outlines, kept, findings) = try workouts(number, from: file, try source())
    if number == nil, outlines.count > 1 { throw severalWorkouts(outlines.count, in: file) }
    guard let workout = kept else { throw noSuchWorkout(number ?? 1, of: outlines.count, in: file) }
    guard let start = workout.start, let end = workout.end ?? workout.duration.map({ start + $0 }), end >= start else {
      throw ImportError(
        file: file, found: "a workout without the dates of its start and end",
        expected: "startDate and endDate such as 2026-04-12 08:30:00 +0200")
    }
    var assembly = HealthAssembly(workout, start: start, end: end, findings: findings)
    var reader = HealthExportReader(try source())
    do throws(XMLStream.Problem) {
      try reader.readRecords(from: start, to: end) { assembly.add($0) }
    } catch {
      throw failure(error, file)
    }
    for reference in workout.routes { assembly.readRoute(reference, beside: file) }
    return RecordedWorkout(assembling: assembly.raw())
  }

  static func failure(_ problem: XMLStream.Problem, _ file: String) -> ImportError {
    switch problem {
    case .unreadable: ImportError(file: file, found: "a file that cannot be read", expected: "a readable file")
    case .malformed(let problem, let line, let column):
      ImportError(
        file: file, position: .text(line: line, column: column), found: problem.found, expected: problem.expected)
    }
  }
}
