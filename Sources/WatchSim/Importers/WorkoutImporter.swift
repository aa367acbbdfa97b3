// The contract of importers. A new format is a new file with a conforming type, and a line in `ImporterCatalog.all`.

/// Reads one format of recorded workouts.
///
/// Importers accept untrusted bytes: reading ends with a workout or an `ImportError`, in time and memory bounded by the
/// number of bytes. Usable damaged files are repaired, with findings.
package protocol WorkoutImporter: Sendable {
  /// The format's name: `GPX`, `FIT`.
  static var name: String { get }

  /// What a user must know beyond the name, for the help of `import`: which file, what several workouts mean. One sentence or
  /// more, or empty.
  static var help: String { get }

  /// The usual file extension, in lower case and without the dot.
  static var fileExtension: String { get }

  /// The largest accepted file, in bytes.
  static var bytesMax: Int { get }

  /// Whether a file looks like this format.
  ///
  /// `head` is its beginning, at most `ImporterCatalog.headBytes`. Content takes precedence over the name.
  static func canRead(_ head: [UInt8], fileName: String) -> Bool

  /// Reads a whole file: its only workout, or, in a format whose parts make a whole, all of them as one.
  ///
  /// - Throws: `ImportError` if `bytes` contain nothing usable, are of another format, exceed a limit, or contain
  ///   several workouts to choose from.
  static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout

  /// Lists the workouts of a file, in its order; at least one.
  ///
  /// - Throws: As ``read(_:fileName:)``.
  static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline]

  /// Reads one workout of a file that may contain several.
  ///
  /// - Parameter number: From 1, in the order of ``outlines(_:fileName:)``.
  /// - Throws: As ``read(_:fileName:)``, and for a number that no workout has.
  static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout
}

/// Reads formats whose files may exceed memory, piece by piece, with other files beside them.
package protocol StreamingImporter: WorkoutImporter {
  /// Lists the workouts of the file at a path.
  static func outlines(path: String) throws(ImportError) -> [WorkoutOutline]

  /// Reads one workout of the file at a path.
  ///
  /// - Parameter number: From 1; nil for the only one.
  static func read(path: String, number: Int?) throws(ImportError) -> RecordedWorkout
}

/// Limits of all formats.
enum ImportLimits {
  /// Limit of samples in one workout: 11 days at one a second.
  static let samplesMax = 1_000_000
}
