import Foundation
import Testing

/// What another decoder says of real recordings; they are not part of the repository.
private enum Recordings {
  static let folder: String? = {
    let path =
      ProcessInfo.processInfo.environment["WRISTWIRE_REAL_TRACES"]
      ?? CommandChild.packageRoot.appending(path: "../shared/real-traces").standardizedFileURL.path()
    return FileManager.default.fileExists(atPath: path + "/reference.json") ? path : nil
  }()

  /// Read each time: values of any type are not shared between tests.
  static func reference() -> [String: [String: Any]] {
    guard let folder, let data = FileManager.default.contents(atPath: folder + "/reference.json"),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return [:] }
    return object["files"] as? [String: [String: Any]] ?? [:]
  }

  static let names = reference().keys
    .filter { $0.hasSuffix(".fit") || $0.hasSuffix(".gpx") }
    .filter { name in folder.map { FileManager.default.fileExists(atPath: "\($0)/\(name)") } ?? false }
    .sorted()

  /// The reference decoder read half of it: its totals are of no use.
  static let withoutTotals = ["fit/fitparse__nick.fit"]
}

@Suite(.disabled(if: Recordings.folder == nil, "no recorded files: set WRISTWIRE_REAL_TRACES"))
struct RealWorkoutTests {
  @Test(arguments: Recordings.names)
  func `a real recording's figures are those of the reference`(name: String) throws {
    let folder = try #require(Recordings.folder)
    let reference = try #require(Recordings.reference()[name])
    let child = try CommandChild.call(["import", "\(folder)/\(name)", "--json"])
    #expect(child.status == 0, "\(child.errors)")
    let object = try child.object()
    #expect(object["format"] as? String == (name.hasSuffix(".fit") ? "FIT" : "GPX"))
    if let start = reference["start_time_utc"] as? String {
      let wanted = try seconds(start)
      #expect(abs(try seconds(try #require(object["start"] as? String)) - wanted) < 0.0015)
    }
    func compare(_ key: String, _ wanted: Any?, tolerance: Double) {
      guard let wanted = wanted as? Double else { return }
      guard let found = object[key] as? Double else {
        Issue.record("\(key): found \(String(describing: object[key])), expected \(wanted)")
        return
      }
      #expect(abs(found - wanted) <= tolerance, "\(key): found \(found), expected \(wanted)")
    }
    if !Recordings.withoutTotals.contains(name) {
      compare("elapsedSeconds", reference["elapsed_s"], tolerance: 0.0015)
      compare("timerSeconds", reference["timer_s"], tolerance: 0.0015)
      let distance = (reference["distance_haversine_within_segments_m"] ?? reference["distance_m"]) as? Double
      compare("distanceMeters", distance, tolerance: 0.005 * (distance ?? 0))
    }
    // The reference decoder leaves out what a chest strap recorded itself.
    let hasStrap = (reference["hr_messages"] as? Int ?? 0) > 0
    if !hasStrap { compare("averageHeartRate", reference["hr_avg_derived"], tolerance: 0.0056) }
    compare("maximumHeartRate", reference["hr_max_derived"], tolerance: 0)
    compare("laps", reference["n_laps"], tolerance: 0)
    compare("pauses", reference["n_pauses"], tolerance: 0)
    if reference["hr_avg_derived"] is NSNull, !hasStrap { #expect(object["averageHeartRate"] is NSNull) }
  }

  @Test func `there are enough of them`() { #expect(Recordings.names.count >= 6) }

  @Test(arguments: Recordings.names.filter { $0.contains("running") || $0.contains("track_cs") })
  func `a real run becomes a trace that holds`(name: String) throws {
    let folder = try #require(Recordings.folder)
    let temporary = try TemporaryFolder()
    let trace = temporary.path("run.jsonl")
    let child = try CommandChild.call(["import", "\(folder)/\(name)", "-o", trace])
    #expect(child.status == 0, "\(child.errors)")
    #expect(try CommandChild.call(["check", trace]).status == 0)
  }

  /// Unix seconds of an ISO 8601 date in UTC, with a fraction or without.
  private func seconds(_ text: String) throws -> Double {
    let parts = text.replacing("Z", with: "").split(separator: ".")
    let whole = try Date("\(parts[0])Z", strategy: .iso8601).timeIntervalSince1970
    return whole + (parts.count > 1 ? try #require(Double("0.\(parts[1])")) : 0)
  }
}
