// GPX 1.1 and 1.0 (Topografix): tracks of points with positions, mostly with times, and extensions for heart rate, cadence, speed and
// power in several vocabularies. Routes and waypoints are plans, not recordings, and are left out. GPX knows no laps, no timer and no
// distance: pauses are inferred and distance is the great-circle sum within segments.

/// Reads GPX tracks.
package enum GPXImporter: WorkoutImporter {
  package static let name = "GPX"
  package static let fileExtension = "gpx"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    if let root = XMLScanner.rootName(of: head) { return root == "gpx" }
    // A document type declaration may fill the whole head; then the name decides.
    return fileName.lowercased().hasSuffix(".gpx")
      && head.first { !ASCII.isBlank($0) && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } == UInt8(ascii: "<")
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    var reader = GPXReader(bytes)
    do throws(XMLProblem) {
      try reader.read()
    } catch {
      throw ImportError(
        file: fileName, place: XMLScanner.place(of: error.offset, in: bytes), found: error.found,
        expected: error.expected)
    }
    guard !reader.samples.isEmpty else {
      throw ImportError(
        file: fileName, place: XMLScanner.place(of: bytes.count, in: bytes), found: reader.contentWithoutPoints,
        expected: "a track with points (trkpt)")
    }
    return RecordedWorkout(assembling: reader.recording(bytes))
  }
}
