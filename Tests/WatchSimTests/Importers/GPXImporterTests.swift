import Testing

@testable import WatchSim

/// GPX documents, good and broken.
struct GPXImporterTests {
  private static let start = 1_775_975_400.0
  /// One ten-thousandth of a degree of latitude on a sphere of 6371.0088 km.
  private static let step = 11.119

  private func read(_ text: String) throws(ImportError) -> RecordedWorkout {
    try GPXImporter.read(Array(text.utf8), fileName: "run.gpx")
  }

  @Test func `a run's figures are those that were written`() throws {
    let points = (0..<100).map {
      GPXText.point($0 * 4, north: $0, extra: GPXText.extensions(heartRate: 100 + $0 % 2, cadence: 84))
    }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.format == "GPX")
    #expect(workout.sport == "running")
    #expect(workout.start == Self.start)
    #expect(workout.elapsedSeconds == 396)
    #expect(workout.timerSeconds == 396)
    #expect(abs(workout.distanceMeters - 99 * Self.step) < 0.1)
    #expect(workout.averageHeartRate == 100.5)
    #expect(workout.maximumHeartRate == 101)
    #expect(workout.samples[0].cadence == 168, "84 strides are 168 steps")
    #expect(workout.samples[0].altitude == 100.5)
    #expect(workout.lapCount == 0)
    #expect(workout.pauseCount == 0)
    #expect(workout.summary.device == "test")
    #expect(workout.findings == [])
  }

  @Test func `legs are whole millimetres`() throws {
    let workout = try GPXImporter.read(
      GPXText.document([(0..<50).map { GPXText.point($0, north: $0 * $0 % 97) }]), fileName: "x")
    for distance in workout.samples.compactMap(\.distance) {
      #expect(distance == (distance * 1_000).rounded() / 1_000)
    }
  }

  @Test func `the way between segments does not count and its time is a pause`() throws {
    let first = (0..<10).map { GPXText.point($0, north: $0) }
    let second = (0..<10).map { GPXText.point(70 + $0, north: 1_000 + $0) }
    let workout = try GPXImporter.read(GPXText.document([first, [], second]), fileName: "x")
    #expect(abs(workout.distanceMeters - 18 * Self.step) < 0.1)
    #expect(workout.pauses == [.init(from: Self.start + 9, to: Self.start + 70, kind: .inferred)])
    #expect(workout.timerSeconds == 18)
    #expect(workout.findings == ["1 empty segment", "1 pause inferred from a gap"])
  }

  @Test func `a long standstill within a segment is a pause and a bridged gap is none`() throws {
    let still = [0, 1, 2, 3, 100, 101].map { GPXText.point($0, north: min($0, 3)) }
    #expect(try GPXImporter.read(GPXText.document([still]), fileName: "x").timerSeconds == 4)
    // 97 s with 97 steps of 11 m: a lost signal, not a rest.
    let tunnel = [0, 1, 2, 3, 100, 101].map { GPXText.point($0, north: $0) }
    #expect(try GPXImporter.read(GPXText.document([tunnel]), fileName: "x").pauseCount == 0)
  }

  @Test func `the way made within a gap keeps its time`() throws {
    // 4 steps a second apart, then 100 s for two steps' way: at 11 m/s that took 2 s, so 98 s were spent standing.
    let points = [0, 1, 2, 3].map { GPXText.point($0, north: $0) } + [GPXText.point(103, north: 5)]
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.pauses == [.init(from: Self.start + 3, to: Self.start + 101, kind: .inferred)])
    let timeline = try #require(workout.makeTimeline())
    #expect(abs(timeline.moment(at: 103).distanceMeters - 5 * Self.step) < 0.1)
    #expect(timeline.moment(at: 100).distanceMillimetres == timeline.moment(at: 3).distanceMillimetres)
  }

  @Test func `points without a time stay on the map`() throws {
    let points = (0..<20).map { GPXText.point($0 % 2 == 0 ? $0 : nil, north: $0) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.sampleCount == 20)
    #expect(workout.isReplayable)
    #expect(abs(workout.distanceMeters - 19 * Self.step) < 0.1)
    let few = (0..<20).map { GPXText.point($0 % 3 == 0 ? $0 : nil, north: $0) }
    #expect(
      try GPXImporter.read(GPXText.document([few]), fileName: "x").replayObstacle
        == .mostlyWithoutTimes(timed: 7, samples: 20))
  }

  @Test func `equal times and missing times cannot be replayed`() throws {
    let equal = (0..<5).map { GPXText.point(7, north: $0) }
    #expect(try GPXImporter.read(GPXText.document([equal]), fileName: "x").replayObstacle == .equalTimes)
    let none = (0..<5).map { GPXText.point(nil, north: $0) }
    let workout = try GPXImporter.read(GPXText.document([none]), fileName: "x")
    #expect(workout.replayObstacle == .tooFewTimes(0))
    #expect(workout.start == nil)
    #expect(abs(workout.distanceMeters - 4 * Self.step) < 0.1)
  }

  @Test func `points out of order are sorted and counted`() throws {
    let order = [0, 1, 3, 2, 4]
    let workout = try GPXImporter.read(
      GPXText.document([order.map { GPXText.point($0, north: $0) }]), fileName: "x")
    #expect(workout.samples.compactMap(\.time) == (0..<5).map { Self.start + Double($0) })
    #expect(workout.findings.contains("1 step back in time, sorted"))
  }

  @Test func `a document type with attribute lists is cut away`() throws {
    let type =
      "<!DOCTYPE gpx [<!ELEMENT gpx (trk)> <!ATTLIST gpx version CDATA #REQUIRED creator CDATA #IMPLIED>\n"
      + "<!ENTITY a \"b>\"> ]>\n"
    let workout = try GPXImporter.read(
      GPXText.document([(0..<9).map { GPXText.point($0, north: $0) }], before: type), fileName: "x")
    #expect(workout.sampleCount == 9)
    #expect(workout.findings == ["a document type declaration of \(type.utf8.count - 1) bytes was cut away"])
  }

  @Test func `an entity bomb does not go off`() throws {
    let bomb =
      "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\">"
      + (1..<10).map { "<!ENTITY a\($0) \"" + String(repeating: "&a\($0 - 1);", count: 10) + "\">" }.joined() + "]>"
    let workout = try GPXImporter.read(
      GPXText.document([(0..<9).map { GPXText.point($0, north: $0) }], type: "&a9;", before: bomb), fileName: "x")
    #expect(workout.sport == "&a9;")
  }

  @Test func `elements nested too deep are an error with line and column`() {
    let text = "<gpx>\n" + String(repeating: "<a>", count: 70)
    do {
      _ = try read(text)
      Issue.record("it was read")
    } catch {
      #expect(
        error.description
          == "run.gpx:2:193: error: found an element nested deeper, expected at most 64 levels of elements")
    }
  }

  @Test func `an attribute without an end is an error`() {
    let text = "<gpx creator=\"" + String(repeating: "x", count: 70_000) + "\"/>"
    do {
      _ = try read(text)
      Issue.record("it was read")
    } catch {
      #expect(error.position == .text(line: 1, column: 6))
    }
  }

  @Test func `control bytes are blanks`() throws {
    let points = (0..<5).map { GPXText.point($0, north: $0, extra: "<name>\u{0B}</name>") }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.sampleCount == 5)
    #expect(workout.findings == ["5 control bytes read as blanks"])
  }

  @Test func `a byte order mark and blank lines in front are stepped over`() throws {
    let document = GPXText.document([(0..<5).map { GPXText.point($0, north: $0) }])
    let marked = [0xEF, 0xBB, 0xBF] + Array("\n\n  ".utf8) + document
    #expect(try ImporterCatalog.read(marked, fileName: "x").sampleCount == 5)
  }

  @Test func `a cut file gives the complete points before the cut`() throws {
    let document = GPXText.document([(0..<50).map { GPXText.point($0, north: $0) }])
    let text = String(decoding: document, as: UTF8.self)
    let half = String(text[..<(text.firstRange(of: "lat=\"50.0030\"")?.upperBound ?? text.endIndex)])
    let workout = try read(half)
    #expect(workout.sampleCount == 30)
    #expect(workout.findings.count == 1)
    #expect(workout.findings.first?.hasPrefix("the file is cut at byte") == true)
  }

  @Test func `damaged tags lose nothing but themselves`() throws {
    var text = String(decoding: GPXText.document([(0..<30).map { GPXText.point($0, north: $0) }]), as: UTF8.self)
    text = text.replacing("<trkpt lat=\"50.0010\" lon=\"8.5\">", with: "<trkpt lat=50.0010 lon=\"8.5\"")
    text = text.replacing("06:30:15Z</time></trkpt>", with: "06:30:15Z</time>")
    text = text.replacing("06:30:20Z</time>", with: "06:30:20Z</tim>")
    let workout = try read(text)
    #expect(workout.sampleCount == 30)
    #expect(workout.findings.contains { $0.contains("not well-formed") })
    #expect(workout.findings.contains { $0.contains("out of order") })
  }

  @Test func `a route is not a recording`() {
    do {
      _ = try read("<gpx><rte><rtept lat=\"1\" lon=\"2\"/></rte>\n</gpx>")
      Issue.record("a route was read")
    } catch {
      #expect(
        error.description
          == "run.gpx:2:7: error: found only 1 route points or waypoints, expected a track with points (trkpt)")
    }
  }

  @Test func `values outside of their range are left out`() throws {
    let workout = try read(
      """
      <gpx><trk><trkseg>
      <trkpt lat="91" lon="8"><time>2026-04-12T06:30:00Z</time><extensions><hr>900</hr></extensions></trkpt>
      <trkpt lat="nan" lon="8"><time>2026-04-12T06:30:01Z</time><extensions><hr>0</hr></extensions></trkpt>
      <trkpt lat="0x10" lon="8"><time>yesterday</time><extensions><hr>61.6</hr><power>200</power></extensions></trkpt>
      <trkpt lat=" 50.5 " lon="8"><time>2026-04-12T08:30:03.5+02:00</time><speed>3.25</speed></trkpt>
      </trkseg></trk></gpx>
      """)
    #expect(workout.samples.map { $0.position != nil } == [false, false, false, true])
    #expect(workout.samples.map(\.heartRate) == [nil, nil, 62, nil])
    #expect(workout.samples.map(\.power) == [nil, nil, 200, nil])
    #expect(workout.samples.map(\.speed) == [nil, nil, nil, 3.25])
    #expect(workout.samples.map(\.time) == [Self.start, Self.start + 1, nil, Self.start + 3.5])
    #expect(workout.findings.contains("3 points without a usable position"))
    #expect(workout.findings.contains("1 time cannot be read"))
    #expect(workout.findings.contains("1 value cannot be read"))
  }

  @Test(arguments: [("9", "running"), ("1", "cycling"), ("Running", "running"), ("", nil)] as [(String, String?)])
  func `the sport is read from free text and codes`(type: String, sport: String?) throws {
    let points = (0..<3).map { GPXText.point($0, north: $0) }
    #expect(try GPXImporter.read(GPXText.document([points], type: type), fileName: "x").sport == sport)
  }

  @Test func `cadence is strides where the sport or the pace says so`() throws {
    func cadence(type: String?, stepSeconds: Int) throws -> Double? {
      let points = (0..<30).map {
        GPXText.point($0 * stepSeconds, north: $0, extra: GPXText.extensions(heartRate: 100, cadence: 85))
      }
      return try GPXImporter.read(GPXText.document([points], type: type), fileName: "x").samples[0].cadence
    }
    #expect(try cadence(type: "cycling", stepSeconds: 4) == 85)
    #expect(try cadence(type: nil, stepSeconds: 4) == 170, "11 m in 4 s is a runner's pace")
    #expect(try cadence(type: nil, stepSeconds: 1) == 85, "11 m/s is not")
  }

  @Test func `a runner faster than 12 m/s is noted`() throws {
    let points = (0..<5).map { GPXText.point($0, north: $0 == 3 ? 50 : $0) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(workout.findings == ["1 position far off the course was left out"])
  }
}
