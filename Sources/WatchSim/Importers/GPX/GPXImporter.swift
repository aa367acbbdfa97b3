// GPX 1.1 and 1.0 (Topografix): tracks of points with positions, mostly with times, and extensions for heart rate,
// cadence, speed and power in several vocabularies. Routes and waypoints are plans, not recordings, and are ignored.
// GPX has no laps, timer or distance: pauses are inferred, and distance is the great-circle sum within segments.

/// Reads GPX tracks.
package enum GPXImporter: WorkoutImporter {
  package static let name = "GPX"
  package static let help = "Tracks of one file are read as one workout, unless --workout chooses one."
  package static let fileExtension = "gpx"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    if let root = XMLScanner.rootName(of: head) { return root == "gpx" }
    // A document type declaration may fill the whole head; then the name decides.
    return fileName.lowercased().hasSuffix(".gpx") && XMLScanner.beginsWithTag(head)
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    RecordedWorkout(assembling: try scan(bytes, fileName: fileName).recording())
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    let reader = try scan(bytes, fileName: fileName)
    let tracks = reader.tracksWithPoints
    guard tracks.count > 1 else { return [WorkoutOutline(try read(bytes, fileName: fileName), number: 1)] }
    return tracks.enumerated().map { offset, track in
      var outline = WorkoutOutline(
        RecordedWorkout(assembling: reader.recording(track: track)), number: offset + 1)
      outline.name = reader.tracks[track].name
      return outline
    }
  }

  package static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout {
    let reader = try scan(bytes, fileName: fileName)
    let tracks = reader.tracksWithPoints
    // Points outside of any track are read as one track, and so is a single track.
    if tracks.count <= 1, number == 1 { return RecordedWorkout(assembling: reader.recording()) }
    guard tracks.indices.contains(number - 1) else {
      throw noSuchWorkout(number, of: max(tracks.count, 1), in: fileName)
    }
    return RecordedWorkout(assembling: reader.recording(track: tracks[number - 1]))
  }

  private static func scan(_ bytes: [UInt8], fileName: String) throws(ImportError) -> GPXReader {
    var reader = GPXReader(bytes)
    do throws(XMLProblem) {
      try reader.read()
    } catch {
      throw ImportError(error, in: bytes, file: fileName)
    }
    guard !reader.samples.isEmpty else {
      throw ImportError(
        file: fileName, position: XMLScanner.position(of: bytes.count, in: bytes), found: reader.contentWithoutPoints,
        expected: "a track with points (trkpt)")
    }
    return reader
  }
}
