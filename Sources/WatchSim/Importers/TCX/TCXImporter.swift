// TCX, version 2 (Garmin's TrainingCenterDatabase): activities of laps of tracks of points. Distance and laps are the
// device's own; pauses have no element of their own and appear as gaps, or as breaks between two tracks of a lap.

/// Reads TCX activities.
package enum TCXImporter: WorkoutImporter {
  package static let name = "TCX"
  package static let help = "A file with several activities needs --workout."
  package static let fileExtension = "tcx"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    // Some writers omit the root element.
    if let root = XMLScanner.rootName(of: head) { return ["TrainingCenterDatabase", "Activities"].contains(root) }
    return fileName.lowercased().hasSuffix(".tcx") && XMLScanner.beginsWithTag(head)
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    guard reader.activities.count == 1 else { throw severalWorkouts(reader.activities.count, in: fileName) }
    return RecordedWorkout(assembling: reader.recording(0))
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    let reader = try scan(bytes, fileName: fileName)
    return reader.activities.indices.map { index in
      WorkoutOutline(RecordedWorkout(assembling: reader.recording(index)), number: index + 1)
    }
  }

  package static func read(
    _ bytes: [UInt8], fileName: String, number: Int
  ) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    guard reader.activities.indices.contains(number - 1) else {
      throw noSuchWorkout(number, of: reader.activities.count, in: fileName)
    }
    return RecordedWorkout(assembling: reader.recording(number - 1))
  }

  private static func scan(_ bytes: [UInt8], fileName: String) throws(ImportError) -> TCXReader {
    var reader = TCXReader(bytes)
    do throws(XMLProblem) {
      try reader.read()
    } catch {
      throw ImportError(error, in: bytes, file: fileName)
    }
    guard reader.activities.contains(where: { !$0.samples.isEmpty || !$0.laps.isEmpty }) else {
      throw ImportError(
        file: fileName, position: XMLScanner.position(of: bytes.count, in: bytes), found: reader.contentWithoutPoints,
        expected: "an activity with points (Trackpoint)")
    }
    return reader
  }
}
