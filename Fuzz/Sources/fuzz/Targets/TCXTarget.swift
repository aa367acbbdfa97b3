@testable import WatchSim

enum TCXTarget: FuzzTarget {
  static let name = "tcx"
  static let about = "TCX files: outlines, samples, timeline"
  static let lengthMax = 16_384
  static let words = [
    "<Trackpoint>", "<Time>", "<DistanceMeters>", "<HeartRateBpm>", "<Lap StartTime=\"", "<![CDATA[", "&lt;",
  ]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    [TCXText.document([TCXText.activity(points: (0..<30).map { TCXText.point($0, metres: 3 * $0) })])]
  }

  static func run(_ bytes: [UInt8]) { WorkoutReading.run(bytes, TCXImporter.self) }
}
