import Console
import Foundation
import Link
import WatchSim

/// Recorded workouts with a growing number of parts: the time for a megabyte must not grow with them.
enum ImportMeasurement: BenchMeasurement {
  static let name = "import"
  static let about = "seconds a megabyte takes in recorded workouts of many parts, from 1 to 64 MB"
  static let hasFreeFigures = false

  /// The size ratio of large and small file.
  private static let factor = 64

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let small = setting.pick(tiny: 10_000, quick: 1_000_000, full: 1_000_000)
    let rounds = setting.pick(tiny: 1, quick: 1, full: 5)
    var rows: [BenchRow] = []
    for kind in ImportFile.allCases {
      // One at a time: four files of 64 MB need too much memory.
      let files = [(small, 8), (8 * small, 2), (factor * small, 1)].map { (kind.make(bytes: $0.0), reads: $0.1) }
      let seconds = try BenchRounds.run(rounds, variants: files.count) { (variant) throws(Failure) in
        let (bytes, reads) = files[variant]
        let begin = ContinuousClock.now
        for _ in 0..<reads { try kind.read(bytes) }
        return begin.secondsSince * 1e6 / Double(bytes.count * reads)
      }
      for (index, size) in ["1 MB", "8 MB", "64 MB"].enumerated() {
        rows.append(BenchRow("\(kind.rawValue), \(size)", "s a MB", Spread(seconds[index])))
      }
      rows.append(
        BenchRow("\(kind.rawValue), 64 MB / 1 MB", "ratio", .ratio(seconds[2], to: seconds[0]), .atMost(1.5)))
    }
    return rows
  }
}

/// Generated files with as many parts of one kind as fit in.
enum ImportFile: String, CaseIterable {
  /// FIT files of one record, chained, each truncated.
  case chainedFIT = "chained FIT files"
  /// FIT sessions of one record.
  case sessionsFIT = "sessions of a FIT file"
  /// GPX tracks of a few points.
  case tracks = "tracks of a GPX file"
  /// Records of a health export, each from a source of its own.
  case sources = "sources of a health export"
  /// Events of one activity of a workout.
  case events = "events of one workout"

  /// 2026-04-12T06:30:00Z, Unix seconds and FIT's.
  private static let start = 1_775_975_400
  private static let startFIT = UInt32(start - 631_065_600)

  /// Reads every workout of the file, as `import` does.
  func read(_ bytes: [UInt8]) throws(Failure) {
    do throws(ImportError) {
      switch self {
      case .chainedFIT: _ = try FITImporter.read(bytes, fileName: "bench.fit")
      case .sessionsFIT: _ = try FITImporter.outlines(bytes, fileName: "bench.fit")
      case .tracks: _ = try GPXImporter.outlines(bytes, fileName: "bench.gpx")
      case .sources, .events: _ = try HealthImporter.read(bytes, fileName: "bench.xml")
      }
    } catch {
      throw .environment("bench: \(error)")
    }
  }

  /// Makes a file of about this size; for FIT not above it, as the format's limit is 64 MiB.
  func make(bytes count: Int) -> [UInt8] {
    switch self {
    case .chainedFIT: Self.chained(count)
    case .sessionsFIT: Self.sessions(count)
    case .tracks:
      Self.text("<gpx version=\"1.1\">\n", "</gpx>\n", count) { number in
        var track = "<trk><name>Track \(number)</name><type>running</type><trkseg>\n"
        for point in 0..<8 {
          let place = number * 8 + point
          track +=
            "<trkpt lat=\"50.\(1_000_000 + place % 1_000)\" lon=\"8.5\"><time>\(Self.date(place))Z</time></trkpt>\n"
        }
        return track + "</trkseg></trk>\n"
      }
    case .sources:
      Self.text("<HealthData>\n\(Self.workout("86400"))</Workout>\n", "</HealthData>\n", count) { number in
        let date = "\(Self.date(number % 80_000)) +0000"
        return "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch \(number)\" unit=\"count/min\" "
          + "startDate=\"\(date)\" endDate=\"\(date)\" value=\"140\"/>\n"
      }
    case .events:
      Self.text(
        "<HealthData>\n\(Self.workout("86400"))<WorkoutActivity>\n", "</WorkoutActivity></Workout></HealthData>\n",
        count
      ) { number in
        let type = number % 2 == 0 ? "MotionPaused" : "MotionResumed"
        return "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"\(Self.date(number % 80_000)) +0000\" "
          + "duration=\"\(number)\" durationUnit=\"min\"/>\n"
      }
    }
  }

  // MARK: Text

  private static func text(_ head: String, _ tail: String, _ count: Int, _ part: (Int) -> String) -> [UInt8] {
    var bytes = Array(head.utf8)
    bytes.reserveCapacity(count + 2_000)
    var number = 0
    while bytes.count < count {
      bytes += part(number).utf8
      number += 1
    }
    return bytes + Array(tail.utf8)
  }

  /// A date this many seconds after the start, within April.
  private static func date(_ second: Int) -> String {
    let clock = (6 * 3_600 + 30 * 60 + second) % (86_400 * 20)
    let day = 10 + clock / 86_400
    return "2026-04-\(day)T\(two(clock / 3_600 % 24)):\(two(clock / 60 % 60)):\(two(clock % 60))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func workout(_ seconds: String) -> String {
    "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"1440\" durationUnit=\"min\" "
      + "sourceName=\"Watch\" startDate=\"\(date(0)) +0000\" endDate=\"\(date(86_399)) +0000\">\n"
  }

  // MARK: FIT

  private static func chained(_ count: Int) -> [UInt8] {
    // A record of a time, a distance and a name, then the first bytes of another one.
    let definition: [UInt8] = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 5, 4, 0x86, 200, 32, 0x0D]
    var file: [UInt8] = []
    file.reserveCapacity(count)
    var second: UInt32 = 0
    while true {
      let data =
        definition + [0] + little(startFIT + second % 80_000) + little(second % 80_000 * 300)
        + [UInt8](repeating: 0xFF, count: 32) + [0, 1, 2]
      let part = [12, 0x20, 0, 0] + little(UInt32(data.count)) + Array(".FIT".utf8) + data + [0, 0]
      guard file.count + part.count <= count else { return file }
      file += part
      second += 1
    }
  }

  private static func sessions(_ count: Int) -> [UInt8] {
    // Sessions (start, elapsed, sport, and padding, because the number of messages is limited) of one record each.
    let padding = [UInt8](repeating: 0xFF, count: 200)
    var data: [UInt8] = [0x42, 0, 0, 0, 0, 1, 0, 1, 0x00, 2, 4]
    data += [0x40, 0, 0, 18, 0, 4, 2, 4, 0x86, 7, 4, 0x86, 5, 1, 0x00, 200, UInt8(padding.count), 0x0D]
    data += [0x41, 0, 0, 20, 0, 2, 253, 4, 0x86, 5, 4, 0x86]
    data.reserveCapacity(count)
    var second: UInt32 = 0
    while data.count + padding.count + 60 < count {
      data += [0] + little(startFIT + second * 2) + little(2_900) + [UInt8(second % 2 + 1)] + padding
      data += [1] + little(startFIT + second * 2) + little(second * 300)
      second += 1
    }
    return [12, 0x20, 0, 0] + little(UInt32(data.count)) + Array(".FIT".utf8) + data + [0, 0]
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
