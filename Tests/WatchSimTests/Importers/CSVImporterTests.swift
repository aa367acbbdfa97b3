import Testing

@testable import WatchSim

struct CSVImporterTests {
  /// A file of 60 samples, one a second, at 3 m/s.
  static func document() -> [UInt8] {
    let rows = (0..<60).map { second in "\(TCXText.time(second)),\(3 * second),\(120 + second)" }
    return Array((["time,distance,heart_rate"] + rows).joined(separator: "\n").utf8)
  }

  private static func read(_ text: String) throws -> RecordedWorkout {
    try CSVImporter.read(Array(text.utf8), fileName: "run.csv")
  }

  @Test func `columns are found by name, with the units they state`() throws {
    let workout = try Self.read(
      """
      Time (UTC);Latitude;Longitude;Distances (km);Speed (km/h);HR (bpm);Colour
      2026-04-12T06:30:00Z;52,5;13,25;0;10,8;141;red
      2026-04-12T06:30:10Z;52,5003;13,25;0,03;10,8;"142";blue
      """)
    let second = try #require(workout.samples.last)
    #expect(workout.samples.count == 2 && workout.findings == [])
    #expect(second.position == Position(latitude: 52.5003, longitude: 13.25))
    #expect(second.distance == 30 && second.heartRate == 142)
    #expect(abs((second.speed ?? 0) - 3) < 1e-9)
    #expect(workout.start == 1_775_975_400 && workout.elapsedSeconds == 10 && workout.distanceMeters == 30)
  }

  @Test(arguments: [
    ("1775975400", "1775975460"), ("1775975400000", "1775975460000"), ("2026-04-12 06:30:00", "2026-04-12 06:31:00"),
  ])
  func `times are ISO 8601, Unix seconds or Unix milliseconds`(from: String, to: String) throws {
    let workout = try Self.read("timestamp\tdist\n\(from)\t0\n\(to)\t180\n")
    #expect(workout.start == 1_775_975_400 && workout.elapsedSeconds == 60)
  }

  @Test func `a file with elapsed times alone begins on a fixed date, and says so`() throws {
    let workout = try Self.read("elapsed,distance\r\n0:00,0\r\n1:30,300\r\n1:00:30.5,9000\r\n")
    #expect(workout.samples.compactMap(\.time).map { $0 - 1_577_836_800 } == [0, 90, 3_630.5])
    #expect(workout.findings.contains("the file has no date: the start is 2020-01-01T00:00:00Z"))
  }

  @Test func `damage costs its value, and is counted`() throws {
    let workout = try Self.read(
      """
      time,distance (furlong),hr,lat,lon
      2026-04-12T06:30:00Z,1,900,95,13
      yesterday,1,140,52,13
      2026-04-12T06:30:02Z,1
      """)
    #expect(workout.samples.count == 3 && workout.samples.allSatisfy { $0.distance == nil })
    for finding in [
      "column 'distance (furlong)' has an unknown unit and was left out", "1 line has too few fields",
      "1 position out of range", "1 time cannot be read", "1 value cannot be read",
    ] {
      #expect(workout.findings.contains(finding), "\(workout.findings)")
    }
  }

  @Test(arguments: [
    ("distance,hr\n0,140", "run.csv:1:1: error: found no column of times, expected a line of column names"),
    ("time,distance\n\n", "run.csv:2:1: error: found no sample, expected a sample a line"),
  ])
  func `a table without times or samples is refused`(text: String, expected: String) {
    let error = #expect(throws: ImportError.self) { try Self.read(text) }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "it was read")")
  }

  @Test func `a table of something else is not recognised`() {
    for text in ["name,size\na,1\n", "time\n1\n", "hello", ""] {
      let isRecognised = CSVImporter.canRead(Array(text.utf8), fileName: "x.csv")
      #expect(!isRecognised, "\(text)")
    }
  }
}
