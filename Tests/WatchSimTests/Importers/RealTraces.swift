// Recorded files of real devices, and what other decoders say of them. They are not part of the repository: without them the tests
// that need them say so and are left out.

import Foundation

enum RealTraces {
  /// The package's folder.
  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The recordings' folder; nil when it is not there.
  static let folder: URL? = {
    let path =
      ProcessInfo.processInfo.environment["WRISTWIRE_REAL_TRACES"]
      ?? packageRoot.appendingPathComponent("../shared/real-traces").standardizedFileURL.path
    let url = URL(fileURLWithPath: path)
    return FileManager.default.fileExists(atPath: url.appendingPathComponent("reference.json").path) ? url : nil
  }()

  static var areMissing: Bool { folder == nil }

  /// The names of all files that have reference figures, in order; pieces of exports without a workout are none.
  static let names: [String] = reference.keys
    .filter { [".fit", ".gpx", ".tcx", ".xml"].contains($0.suffix(4)) && !$0.hasSuffix("record_heart_rate.xml") }
    .filter { name in
      folder.map { FileManager.default.fileExists(atPath: $0.appendingPathComponent(name).path) } ?? false
    }
    .sorted()

  static func path(_ name: String) -> String { folder?.appendingPathComponent(name).path ?? name }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// What another decoder says of a file; nil is not compared.
  struct Reference: Decodable {
    var startTimeUTC: String?
    var elapsed: Double?
    var timer: Double?
    var distance: Double?
    var distanceWithinSegments: Double?
    var heartRateMean: Double?
    var heartRateMax: Double?
    var laps: Int?
    var pauses: Int?
    var samples: Int?
    /// Messages of a chest strap, which the reference decoder left out.
    var strapMessages: Int?
    var workouts: [Reference]?

    enum CodingKeys: String, CodingKey {
      case startTimeUTC = "start_time_utc"
      case elapsed = "elapsed_s"
      case timer = "timer_s"
      case distance = "distance_m"
      case distanceWithinSegments = "distance_haversine_within_segments_m"
      case heartRateMean = "hr_avg_derived"
      case heartRateMax = "hr_max_derived"
      case laps = "n_laps"
      case pauses = "n_pauses"
      case samples
      case strapMessages = "hr_messages"
      case workouts
    }
  }

  static let reference: [String: Reference] = {
    struct File: Decodable { var files: [String: Reference] }
    guard let folder, let data = try? Data(contentsOf: folder.appendingPathComponent("reference.json")),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [:] }
    return file.files
  }()
}
