@testable import WatchSim

enum HealthTarget: FuzzTarget {
  static let name = "health"
  static let about = "Apple Health files: outlines, samples, timeline"
  static let lengthMax = 16_384
  static let words = [
    "<Record type=\"", "<Workout ", "startDate=\"", "endDate=\"", "unit=\"", "value=\"", "<!DOCTYPE", "[", "]>",
  ]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    [
      HealthText.document(
        HealthText.rates(20) + HealthText.distances(20) + HealthText.workout(seconds: 20, metres: 60))
    ]
  }

  static func run(_ bytes: [UInt8]) { WorkoutReading.run(bytes, HealthImporter.self) }
}
