@testable import WatchSim

enum GPXTarget: FuzzTarget {
  static let name = "gpx"
  static let about = "GPX files: outlines, samples, timeline"
  static let lengthMax = 16_384
  static let words = [
    "<trkpt lat=\"", "<time>", "<trkseg>", "<ele>", "<gpxtpx:hr>", "<![CDATA[", "&amp;", "&#x41;", "<!DOCTYPE",
  ]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    [
      tree.file("traces/lap.gpx"),
      GPXText.document([(0..<30).map { GPXText.point($0, north: $0) }, [GPXText.point(nil, north: 1)]]),
    ]
  }

  static func run(_ bytes: [UInt8]) { WorkoutReading.run(bytes, GPXImporter.self) }
}
