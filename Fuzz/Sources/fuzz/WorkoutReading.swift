@testable import WatchSim

/// What is done with every format of recorded workouts.
enum WorkoutReading {
  static func run<Importer: WorkoutImporter>(_ bytes: [UInt8], _ importer: Importer.Type) {
    _ = importer.canRead(Array(bytes.prefix(ImporterCatalog.headBytes)), fileName: "x")
    let outlines = try? importer.outlines(bytes, fileName: "x")
    for number in [nil, 1, outlines?.count] {
      let workout: RecordedWorkout?
      if let number {
        workout = try? importer.read(bytes, fileName: "x", number: number)
      } else {
        workout = try? importer.read(bytes, fileName: "x")
      }
      guard let workout, workout.isReplayable else { continue }
      _ = workout.makeTimeline()
    }
  }
}
