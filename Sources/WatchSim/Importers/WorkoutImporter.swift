// What an importer promises. A new format is a file of its own that conforms, and a line in `ImporterCatalog.all`.

/// Reads one format of recorded workouts.
///
/// Importers take bytes from anywhere: whatever they hold, reading ends with a workout or with an `ImportError`, in time and memory
/// bounded by the bytes' number. Damage that leaves something usable is repaired and named in the workout's findings.
package protocol WorkoutImporter: Sendable {
  /// The format's name as the user reads it: `GPX`, `FIT`.
  static var name: String { get }

  /// How the format's file names usually end, in lower case and without the dot.
  static var fileExtension: String { get }

  /// The largest file accepted, in bytes.
  static var bytesMax: Int { get }

  /// Whether a file looks like this format.
  ///
  /// `head` is its beginning, at most `ImporterCatalog.headBytes`. What the bytes say goes before what the name says.
  static func canRead(_ head: [UInt8], fileName: String) -> Bool

  /// Reads a whole file: its only workout, or, in a format whose parts make a whole, all of them as one.
  ///
  /// - Throws: `ImportError` when nothing usable is in `bytes`, the format is another one, a limit is passed, or one of
  ///   several workouts has to be chosen.
  static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout

  /// Lists the workouts of a file, in its order; at least one.
  ///
  /// - Throws: As ``read(_:fileName:)``.
  static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline]

  /// Reads one workout of a file that may hold several.
  ///
  /// - Parameter number: Which one, from 1, in the order of ``outlines(_:fileName:)``.
  /// - Throws: As ``read(_:fileName:)``, and for a number that no workout has.
  static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout
}

/// Reads a format whose files may be far larger than memory, piece by piece, and other files beside them.
package protocol StreamingImporter: WorkoutImporter {
  /// Lists the workouts of the file at a path.
  static func outlines(path: String) throws(ImportError) -> [WorkoutOutline]

  /// Reads one workout of the file at a path.
  ///
  /// - Parameter number: Which one, from 1; nil for the only one.
  static func read(path: String, number: Int?) throws(ImportError) -> RecordedWorkout
}

/// Limits that hold for every format.
enum ImportLimits {
  /// Most samples one workout may hold: 11 days at one a second.
  static let samplesMax = 1_000_000
}
