// A one-line description of each workout in a file with several.

/// One workout of a file, to choose by.
package struct WorkoutOutline: Sendable, Equatable {
  /// Its position in the file, from 1, which selects it.
  package var number: Int
  /// In lower case; nil if not named.
  package var sport: String?
  /// Unix seconds; nil if unknown.
  package var start: Double?
  /// Seconds by the wall clock; nil if unknown.
  package var elapsed: Double?
  /// Metres; nil if unknown.
  package var distance: Double?
  /// Its name in the file; nil if it has none.
  package var name: String?
}

extension WorkoutOutline {
  init(_ workout: RecordedWorkout, number: Int) {
    self.init(
      number: number, sport: workout.sport, start: workout.start, elapsed: workout.elapsedSeconds,
      distance: workout.distanceMeters)
  }
}

extension WorkoutImporter {
  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    [WorkoutOutline(try read(bytes, fileName: fileName), number: 1)]
  }

  package static func read(
    _ bytes: [UInt8], fileName: String, number: Int
  ) throws(ImportError) -> RecordedWorkout {
    guard number == 1 else { throw noSuchWorkout(number, of: 1, in: fileName) }
    return try read(bytes, fileName: fileName)
  }

  /// The error for a file with several workouts if none was chosen.
  static func severalWorkouts(_ count: Int, in fileName: String) -> ImportError {
    ImportError(
      file: fileName, found: "\(count) workouts",
      expected: "a choice: import --workout N, or \"workout\": N beside \"import\" in a scenario or in the header of a"
        + " trace (import --list shows them)")
  }

  /// The error for a number that no workout of a file has.
  static func noSuchWorkout(_ number: Int, of count: Int, in fileName: String) -> ImportError {
    ImportError(
      file: fileName, found: count == 1 ? "1 workout" : "\(count) workouts",
      expected: "one with the number \(number) (--list shows them)")
  }
}
