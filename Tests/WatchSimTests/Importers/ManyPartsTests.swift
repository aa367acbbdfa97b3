import Testing

@testable import WatchSim

/// Files of very many parts: what is said of them stays short, and nothing is looked through once a part.
struct ManyPartsTests {
  @Test func `findings are counted past a hundred, and a line is kept once`() {
    var findings = ImportFindings()
    for number in 0..<1_000 {
      findings.add("finding \(number)")
      findings.add("always the same")
    }
    #expect(findings.lines.count == ImportFindings.linesMax + 1)
    #expect(findings.lines.prefix(2) == ["finding 0", "always the same"])
    #expect(findings.lines.last == "901 further findings are not listed")
  }

  @Test func `a hundred thousand chained files are read`() throws {
    var part = FITWriter()
    part.record(FITWriter.morning, distance: 0)
    var cut = part.file()
    // The data end within a message.
    part.data += [0, 1]
    cut = part.file()
    var bytes: [UInt8] = []
    for _ in 0..<100_000 { bytes += cut }
    let workout = try FITImporter.read(bytes, fileName: "x")
    #expect(workout.sampleCount == 100_000)
    #expect(workout.findings.count <= ImportFindings.linesMax + 10)
  }

  @Test func `tracks of a document stay separate, and its damage is counted once`() throws {
    let tracks = (0..<5_000).map { number in
      "<trk><name>T\(number)\u{0B}</name><trkseg>\(GPXText.point(1, north: number % 9))"
        + "\(GPXText.point(2, north: number % 9 + 1))</trkseg></trk>"
    }
    let bytes = Array("<gpx>\(tracks.joined())<trk></trk></gpx>".utf8)
    #expect(try GPXImporter.outlines(bytes, fileName: "x").count == 5_000)
    let last = try GPXImporter.read(bytes, fileName: "x", number: 5_000)
    #expect(last.sampleCount == 2)
    #expect(last.findings.contains("5000 control bytes read as blanks"))
  }

  @Test func `of twenty thousand sources the workout's own is taken, else the one with the most`() throws {
    let strangers = (0..<20_000).map {
      HealthText.record("HeartRate", "90", unit: "count/min", 5, 5, source: "S\($0)")
    }
    let twice = HealthText.record("HeartRate", "91", unit: "count/min", 6, 6, source: "S7")
    let workout = HealthText.workout(seconds: 60, metres: 180)
    let own = HealthText.document(strangers.joined() + HealthText.rates(60) + twice + workout)
    #expect(try HealthImporter.read(own, fileName: "x").maximumHeartRate == 159)
    let foreign = HealthText.document(strangers.joined() + twice + workout)
    let read = try HealthImporter.read(foreign, fileName: "x")
    #expect(read.samples.compactMap(\.heartRate) == [90, 91])
    #expect(read.findings.contains("19999 records of other sources were left out"))
  }

  @Test func `forty thousand events of one activity are taken once each`() throws {
    let events = (0..<20_000).map { HealthText.event($0 % 2 == 0 ? "MotionPaused" : "MotionResumed", $0 / 2) }
    let pause = HealthText.event("Pause", 20) + HealthText.event("Resume", 30)
    let part = "<WorkoutActivity>\(events.joined())\(events.joined())\(pause)</WorkoutActivity>"
    let workout = HealthText.workout(seconds: 60, metres: 180, more: pause + part)
    let read = try HealthImporter.read(HealthText.document(HealthText.distances(60) + workout), fileName: "x")
    #expect(read.pauseCount == 1)
    #expect(read.findings.contains("10000 standstills that the watch noticed did not stop its timer"))
  }

  @Test func `what two parts share is of the later one`() throws {
    var writer = FITWriter()
    writer.fileID()
    for second in UInt32(0)...1_200 { writer.record(FITWriter.morning + second, distance: second * 300) }
    for (start, elapsed) in [(0, 600_900), (600, 600_000)] as [(UInt32, UInt32)] {
      writer.message(
        19,
        [
          .uint32(253, FITWriter.morning + start + 600), .uint32(2, FITWriter.morning + start),
          .uint32(7, elapsed), .uint32(9, 180_000),
        ])
      writer.session(
        start: FITWriter.morning + start, sport: start == 0 ? 2 : 1, elapsed: elapsed, timer: elapsed, distance: 180_000
      )
    }
    let bytes = writer.file()
    let ride = try FITImporter.read(bytes, fileName: "x", number: 1)
    let run = try FITImporter.read(bytes, fileName: "x", number: 2)
    #expect(ride.lapCount == 1 && run.lapCount == 1)
    #expect(ride.sampleCount == 600 && run.sampleCount == 601)
    #expect(run.distanceMeters == 1_800)
    #expect(run.makeTimeline()?.moment(at: 600).distanceMeters == 1_800)
    #expect(try FITImporter.outlines(bytes, fileName: "x").map(\.sport) == ["cycling", "running"])
  }

  @Test func `sessions with one start are listed once`() throws {
    var writer = FITWriter()
    for second in UInt32(0)...100 { writer.record(FITWriter.morning + second, distance: second * 300) }
    for _ in 0..<2_000 { writer.session(start: FITWriter.morning, elapsed: 100_000) }
    #expect(try FITImporter.outlines(writer.file(), fileName: "x").count == 1)
  }
}
