import Testing

@testable import WatchSim

/// Recordings whose parts are out of order, twice in the file, incomplete or contradictory: what `import` says is what a
/// replay amounts to.
struct ReplayAgreementTests {
  private static let start = FITWriter.morning

  /// Kinds of recordings, each with elapsed seconds, timer seconds and metres.
  private static let kinds:
    [(name: String, bytes: @Sendable () -> [UInt8], elapsed: Double, timer: Double, metres: Double)] = [
      ("track in every lap.tcx", trackInEveryLap, 600, 600, 1_800),
      ("swapped tracks.tcx", swappedTracks, 599, 599, 1_797),
      (
        "cumulative segments.gpx", { GPXText.document([points(0..<50), points(0..<100), points(0..<150)]) }, 149, 149,
        1_656.7
      ),
      ("the same track twice.gpx", { GPXText.document([points(0..<100), points(0..<100)]) }, 99, 99, 1_100.8),
      ("reversed.gpx", { GPXText.document([points(0..<100).reversed()]) }, 99, 99, 1_100.8),
      ("swapped halves.fit", swappedHalves, 600, 600, 1_800),
      ("twice.csv", { Array("time,distance\n\(rows(0..<100))time,distance\n\(rows(0..<100))".utf8) }, 99, 99, 297),
      ("swapped.csv", { Array("time,distance\n\(rows(50..<100))\(rows(0..<50))".utf8) }, 99, 99, 297),
      ("reversed.csv", { Array("time,distance\n\(rows((0..<100).reversed()))".utf8) }, 99, 99, 297),
      ("speeds.csv", { Array("time,speed\n\(rows(0..<100, "3"))".utf8) }, 99, 99, 297),
      ("speeds.fit", { records(to: 600, speed: 3_000) }, 600, 600, 1_800),
      ("total.fit", { records(to: 600) }, 600, 600, 1_800),
      ("late stop.fit", { records(to: 600, distance: true, stop: 900) }, 600, 600, 1_800),
      ("clock set.fit", { records(to: 600, distance: true, jump: 1_000_000) }, 600, 600, 1_800),
      ("first lap.fit", firstLap, 1_800, 1_800, 5_400),
      (
        "no points.tcx",
        { TCXText.document([TCXText.activity(laps: [TCXText.lap(0, seconds: 600, metres: 1_800, [])])]) },
        600, 600, 1_800
      ),
      ("long timer.tcx", longTimer, 300, 300, 250),
    ]

  @Test(arguments: kinds.indices)
  func `import and replay agree on recordings of each kind`(index: Int) throws {
    let kind = Self.kinds[index]
    let workout = try ImporterCatalog.read(kind.bytes(), fileName: kind.name)
    #expect(abs(workout.elapsedSeconds - kind.elapsed) < 1, "\(kind.name)")
    #expect(abs(workout.timerSeconds - kind.timer) < 1, "\(kind.name)")
    #expect(abs(workout.distanceMeters - kind.metres) < 1, "\(kind.name)")
    #expect(workout.timerSeconds <= workout.elapsedSeconds)
    let replay = ReplayFigures(try #require(workout.makeTimeline(), "\(kind.name)"))
    #expect(abs(replay.elapsedSeconds - kind.elapsed) <= 1, "\(kind.name)")
    #expect(abs(replay.timerSeconds - kind.timer) <= 1, "\(kind.name)")
    #expect(abs(replay.distanceMeters - kind.metres) < 1, "\(kind.name)")
    #expect(workout.differences(from: replay) == [], "\(kind.name)")
  }

  @Test(arguments: RealTraces.names)
  func `import says why a replay of a real recording differs`(name: String) throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path(name))
    #expect(workout.timerSeconds <= workout.elapsedSeconds)
    guard let timeline = workout.makeTimeline() else { return }
    let replay = ReplayFigures(timeline)
    let differences = workout.differences(from: replay)
    func isSaid(_ figure: String) -> Bool { differences.contains { $0.hasPrefix(figure) } }
    #expect(abs(replay.elapsedSeconds - workout.elapsedSeconds) <= 1)
    let pauses = Double(workout.pauseCount)
    #expect(abs(replay.timerSeconds - workout.timerSeconds) <= 1 + pauses / 2 || isSaid("timer"))
    #expect(
      abs(replay.distanceMeters - workout.distanceMeters) <= max(1, 0.001 * workout.distanceMeters)
        || isSaid("distance"))
    if let mean = workout.averageHeartRate {
      #expect(abs((replay.averageHeartRate ?? 0) - mean) <= 0.5 || isSaid("mean heart rate"))
    }
    #expect(replay.maximumHeartRate == workout.maximumHeartRate || isSaid("highest heart rate"))
  }

  @Test func `one bad fix costs a position, and not the distance`() throws {
    var course = Self.points(0..<100)
    course[50] = "<trkpt lat=\"50.2\" lon=\"8.5\"><time>2026-04-12T06:30:50Z</time></trkpt>"
    course[70] = "<trkpt lat=\"0.0\" lon=\"0.0\"><time>2026-04-12T06:31:10Z</time></trkpt>"
    let workout = try GPXImporter.read(GPXText.document([course]), fileName: "x")
    #expect(abs(workout.distanceMeters - 1_100.8) < 1)
    #expect(workout.findings.contains("1 position far off the course was left out"))
    #expect(workout.findings.contains("1 position of exactly 0, 0 is no fix"))
  }

  @Test func `heart rates of other vocabularies are read, and unknown elements are named`() throws {
    let extra = "<extensions><bpm>133</bpm><glucose>5</glucose></extensions>"
    let points = (0..<20).map { GPXText.point($0, north: $0, extra: extra) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.averageHeartRate == 133)
    #expect(workout.findings == ["not understood, and not read, at most of the points: 'glucose'"])
  }

  @Test(
    arguments: [("SwimBikeRun", 13_920.0), ("Running", 3_600), ("Cycling", 9_600), ("Swimming", 720)])
  func `a workout's distance is that of its sport, or the sum of its legs`(sport: String, metres: Double) throws {
    let legs = [("DistanceCycling", "9600"), ("DistanceSwimming", "720")].map { type, sum in
      "<WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\" sum=\"\(sum)\" unit=\"m\"/>"
    }
    let text = HealthText.workout(seconds: 3_000, metres: 3_600, sport: sport, more: legs.joined())
    let workout = try ImporterCatalog.read(HealthText.document(text), fileName: "export.xml")
    #expect(workout.distanceMeters == metres)
  }

  @Test func `developer fields stand for missing fields of records`() throws {
    var writer = FITWriter()
    writer.fileID()
    for (number, native, name) in [(0, 5, "distance"), (1, 3, "heart_rate")] as [(UInt8, UInt8, String)] {
      writer.message(
        206,
        [
          .uint8(0, 0), .uint8(1, number), .uint8(2, number == 0 ? 0x86 : 0x02),
          .init(number: 3, type: 0x07, bytes: Array(name.utf8) + [0]), .uint16(14, 20), .uint8(15, native),
        ])
    }
    writer.define(20, [(253, 4, 0x86)], developer: [(0, 4, 0), (1, 1, 0)])
    for second in UInt32(0)...60 {
      writer.values([.uint32(253, Self.start + second), .uint32(0, second * 3), .uint8(1, 150)])
    }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.distanceMeters == 180 && workout.distanceSource == .device)
    #expect(workout.averageHeartRate == 150)
  }

  @Test func `swapped neighbours keep the file's order for the distance`() throws {
    let order = (0..<50).flatMap { [2 * $0 + 1, 2 * $0] }
    let points = (0..<100).map { GPXText.point(order[$0], north: $0) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(abs(workout.distanceMeters - 99 * 11.119) < 0.5)
  }
}

extension ReplayAgreementTests {
  private static func points(_ range: Range<Int>) -> [String] { range.map { GPXText.point($0, north: $0) } }

  private static func rows(_ seconds: some Sequence<Int>, _ value: String? = nil) -> String {
    seconds.map { "\(1_775_975_400 + $0),\(value ?? String($0 * 3))\n" }.joined()
  }

  private static func trackInEveryLap() -> [UInt8] {
    let points = (0...120).map { TCXText.point($0 * 5, metres: $0 * 15) }
    let laps = (0..<3).map { TCXText.lap($0 * 200, seconds: 200, metres: 600, [points]) }
    return TCXText.document([TCXText.activity(laps: laps)])
  }

  private static func swappedTracks() -> [UInt8] {
    let halves = [300..<600, 0..<300].map { $0.map { TCXText.point($0, metres: $0 * 3) } }
    return TCXText.document([TCXText.activity(laps: [TCXText.lap(0, seconds: 599, metres: 1_797, halves)])])
  }

  private static func longTimer() -> [UInt8] {
    let points = (1...10).map { TCXText.point($0 * 30, metres: $0 * 25) }
    return TCXText.document([TCXText.activity("Other", laps: [TCXText.lap(0, seconds: 308, metres: 250, [points])])])
  }

  private static func swappedHalves() -> [UInt8] {
    var writer = FITWriter()
    writer.fileID()
    for second in Array(UInt32(300)...600) + Array(0..<300) {
      writer.record(start + second, distance: second * 300, heartRate: 140)
    }
    writer.session(start: start, elapsed: 600_000, timer: 600_000, distance: 180_000)
    return writer.file()
  }

  private static func records(
    to end: UInt32, distance: Bool = false, speed: UInt16? = nil, stop: UInt32 = 600, jump: UInt32 = 0
  ) -> [UInt8] {
    var writer = FITWriter()
    writer.fileID()
    writer.timer(start, type: 0)
    for second in UInt32(0)...end {
      var fields: [FITWriter.Field] = [.uint32(253, start + second + (second > 200 ? jump : 0)), .uint8(3, 140)]
      if distance { fields.append(.uint32(5, second * 300)) }
      if let speed { fields.append(.uint16(6, speed)) }
      writer.message(20, fields)
    }
    writer.timer(start + stop + jump, type: 4)
    writer.session(start: start, elapsed: end * 1_000, timer: end * 1_000, distance: end * 300)
    return writer.file()
  }

  private static func firstLap() -> [UInt8] {
    var writer = FITWriter()
    writer.fileID()
    for second in UInt32(0)...600 { writer.record(start + second, distance: second * 300, heartRate: 140) }
    for lap in UInt32(0)..<3 {
      writer.message(
        19,
        [
          .uint32(253, start + (lap + 1) * 600), .uint32(2, start + lap * 600), .uint32(7, 600_000),
          .uint32(8, 600_000), .uint32(9, 180_000),
        ])
    }
    writer.session(start: start, elapsed: 1_800_000, timer: 1_800_000, distance: 540_000)
    return writer.file()
  }
}
