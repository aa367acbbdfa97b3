import Testing

@testable import WatchSim

/// What TCX files of real devices do, written small.
@Suite struct TCXImporterTests {
  private func read(_ activities: [String]) throws -> RecordedWorkout {
    try ImporterCatalog.read(TCXText.document(activities), fileName: "x.tcx")
  }

  @Test func `distance, heart rate and device are the file's`() throws {
    let workout = try read([TCXText.activity(points: (0..<60).map { TCXText.point($0, metres: 3 * $0) })])
    #expect(workout.distanceMeters == 177 && workout.distanceSource == .device)
    #expect(workout.maximumHeartRate == 140 && workout.summary.device == "A watch")
    #expect(workout.elapsedSeconds == 59 && workout.timerSeconds == 59 && workout.lapCount == 1)
  }

  @Test func `cadence of runners counts one foot, of cyclists the pedals`() throws {
    let more = "<Cadence>90</Cadence>"
    let extensions = "<Extensions><ns3:TPX><ns3:RunCadence>85</ns3:RunCadence></ns3:TPX></Extensions>"
    let points = { (text: String) in (0..<3).map { TCXText.point($0, metres: $0, more: text) } }
    #expect(try read([TCXText.activity("Running", points: points(extensions))]).samples[0].cadence == 170)
    #expect(try read([TCXText.activity("Biking", points: points(more))]).samples[0].cadence == 90)
  }

  @Test func `a lap's last point that is written again counts once`() throws {
    let first = (0...30).map { TCXText.point($0, metres: 3 * $0) }
    let second = (30...59).map { TCXText.point($0, metres: 3 * $0) }
    let workout = try read([
      TCXText.activity(laps: [
        TCXText.lap(0, seconds: 30, metres: 90, [first]), TCXText.lap(30, seconds: 29, metres: 87, [second]),
      ])
    ])
    #expect(workout.sampleCount == 60 && workout.lapCount == 2 && workout.distanceMeters == 177)
    #expect(workout.findings == ["1 point was written twice"])
  }

  @Test func `a timer that stood shows where no point was`() throws {
    let points =
      (0...30).map { TCXText.point($0, metres: 3 * $0) } + (150...180).map { TCXText.point($0, metres: 3 * ($0 - 119)) }
    let workout = try read([TCXText.activity(laps: [TCXText.lap(0, seconds: 62, metres: 183, [points])])])
    #expect(workout.elapsedSeconds == 180 && workout.timerSeconds == 62)
    #expect(workout.pauseCount == 1)
    #expect(workout.pauses[0].to - workout.pauses[0].from == 118)
  }

  @Test func `a timer that never stood has no pauses, however few the points are`() throws {
    let points = stride(from: 0, through: 300, by: 50).map { TCXText.point($0, metres: $0) }
    let workout = try read([TCXText.activity("Other", laps: [TCXText.lap(0, seconds: 300, metres: 300, [points])])])
    #expect(workout.pauseCount == 0 && workout.timerSeconds == 300)
  }

  @Test func `a lap that is cut has the totals of its points`() throws {
    let points = (0..<600).map { TCXText.point($0, metres: 3 * $0) }
    let first = TCXText.lap(0, seconds: 60, metres: 180, [(0..<60).map { TCXText.point($0, metres: 3 * $0) }])
    let lap = TCXText.lap(60, seconds: 1_424, metres: 4_272, [Array(points[60...])])
    let text = String(decoding: TCXText.document([TCXText.activity(laps: [first, lap])]), as: UTF8.self)
    let end = try #require(text.firstRange(of: TCXText.time(94))).lowerBound
    let workout = try ImporterCatalog.read(Array(text[..<end].utf8), fileName: "x.tcx")
    #expect(workout.elapsedSeconds == 93 && workout.timerSeconds == 93)
    #expect(workout.distanceMeters == 279 && workout.lapCount == 2)
    #expect(
      workout.findings.contains("the last lap is cut: its totals are of more than its points, which were taken instead")
    )
    let whole = try read([TCXText.activity(laps: [TCXText.lap(0, seconds: 1_424, metres: 102, [Array(points[..<35])])])]
    )
    #expect(whole.elapsedSeconds == 34 && whole.timerSeconds == 34)
    #expect(whole.findings.contains("the device's timer of 1424 s is longer than the workout of 34 s, which was taken"))
  }

  @Test func `several activities are listed and chosen by number`() throws {
    let bytes = TCXText.document([
      TCXText.activity("Biking", points: (0..<20).map { TCXText.point($0, metres: 3 * $0) }),
      TCXText.activity("Running", points: (0..<10).map { TCXText.point($0, metres: 3 * $0) }),
    ])
    let outlines = try TCXImporter.outlines(bytes, fileName: "x")
    #expect(outlines.map(\.sport) == ["cycling", "running"] && outlines.map(\.number) == [1, 2])
    #expect(try TCXImporter.read(bytes, fileName: "x", number: 2).sampleCount == 10)
    #expect(try TCXImporter.read(bytes, fileName: "x", number: 1).sampleCount == 20)
    let error = #expect(throws: ImportError.self) { try TCXImporter.read(bytes, fileName: "x") }
    #expect(error?.description.contains("found 2 workouts, expected a choice: import --workout N") == true)
    #expect(throws: ImportError.self) { try TCXImporter.read(bytes, fileName: "x", number: 3) }
    #expect(throws: ImportError.self) { try TCXImporter.read(bytes, fileName: "x", number: 0) }
  }

  @Test func `of a multisport session the sports are chosen, and no transition belongs to one`() throws {
    func points(_ seconds: Range<Int>) -> [String] { seconds.map { TCXText.point($0, metres: 3 * $0) } }
    func track(_ seconds: Range<Int>) -> String { "<Track>\(points(seconds).joined())</Track>" }
    let first = TCXText.activity("Other", points: points(0..<20))
    let next = TCXText.activity("Running", laps: [TCXText.lap(30, seconds: 9, metres: 27, [points(30..<40)])])
    for closing in ["</Transition>", ""] {
      let bytes = TCXText.document([
        "<MultiSportSession><Id>\(TCXText.time(0))</Id><FirstSport>\(first)</FirstSport><NextSport>",
        "<Transition StartTime=\"\(TCXText.time(20))\"><TotalTimeSeconds>9</TotalTimeSeconds>\(track(20..<30))\(closing)",
        "\(next)</NextSport></MultiSportSession>",
      ])
      #expect(throws: ImportError.self) { try TCXImporter.read(bytes, fileName: "x") }
      #expect(try TCXImporter.outlines(bytes, fileName: "x").map(\.sport) == ["other", "running"])
      let swim = try TCXImporter.read(bytes, fileName: "x", number: 1)
      #expect(swim.sampleCount == 20 && swim.elapsedSeconds == 19)
      #expect(swim.findings.contains("1 transition from sport to sport was left out"))
      let run = try TCXImporter.read(bytes, fileName: "x", number: 2)
      #expect(run.sampleCount == 10 && run.elapsedSeconds == 9)
    }
  }

  @Test func `an activity that says nothing is none to choose from`() throws {
    let bytes = TCXText.document([
      "<Activity Sport=\"Other\"><Id>\(TCXText.time(0))</Id></Activity>",
      TCXText.activity("Running", points: (0..<10).map { TCXText.point($0, metres: 3 * $0) }),
    ])
    #expect(try TCXImporter.read(bytes, fileName: "x").sport == "running")
  }

  @Test func `a course is refused with the reason that it is one`() {
    let text = "<TrainingCenterDatabase><Courses><Course><Track>" + TCXText.point(0, metres: 0)
    let error = #expect(throws: ImportError.self) {
      try ImporterCatalog.read(
        Array((text + "</Track></Course></Courses></TrainingCenterDatabase>").utf8), fileName: "x")
    }
    #expect(error?.found.contains("a course") == true)
  }

  @Test func `a missing root, blanks before the head and a byte order mark do no harm`() throws {
    let whole = String(
      decoding: TCXText.document([TCXText.activity(points: (0..<5).map { TCXText.point($0, metres: $0) })]),
      as: UTF8.self)
    let bare = whole.replacing(
      "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\">", with: ""
    )
    .replacing("</TrainingCenterDatabase>", with: "")
    for text in ["\u{FEFF}" + whole, "\n\n" + whole, bare] {
      #expect(try ImporterCatalog.read(Array(text.utf8), fileName: "x.tcx").sampleCount == 5)
    }
    #expect(
      try ImporterCatalog.read(Array(bare.utf8), fileName: "x.tcx").findings.contains("the root element is missing"))
  }
}

/// Several workouts in formats that hold one as a rule.
@Suite struct SeveralWorkoutsTests {
  @Test func `tracks of a GPX file are one workout, or one each`() throws {
    let points = (0..<30).map { GPXText.point($0, north: $0) }
    let later = (100..<120).map { GPXText.point($0, north: $0) }
    let text =
      "<gpx><trk><name>One</name><trkseg>\(points.joined())</trkseg></trk>"
      + "<trk><name>Two</name><type>cycling</type><trkseg>\(later.joined())</trkseg></trk></gpx>"
    let bytes = Array(text.utf8)
    let outlines = try GPXImporter.outlines(bytes, fileName: "x")
    #expect(outlines.map(\.name) == ["One", "Two"])
    let whole = try GPXImporter.read(bytes, fileName: "x")
    #expect(whole.sampleCount == 50 && whole.findings.contains("2 tracks were read as one workout"))
    let second = try GPXImporter.read(bytes, fileName: "x", number: 2)
    #expect(!second.findings.contains { $0.contains("tracks") })
    #expect(second.sampleCount == 20 && second.sport == "cycling")
    #expect(throws: ImportError.self) { try GPXImporter.read(bytes, fileName: "x", number: 3) }
  }

  @Test(.disabled(if: RealTraces.areMissing, "no recorded files: set WRISTWIRE_REAL_TRACES"))
  func `a triathlon of a FIT file is read part by part`() throws {
    let path = RealTraces.path("fit/fitparse__sample_mulitple_header.fit")
    let outlines = try ImporterCatalog.outlines(path: path)
    #expect(outlines.map(\.sport) == ["swimming", "transition", "cycling", "transition", "running"])
    let whole = try ImporterCatalog.read(path: path)
    let parts = try outlines.indices.map { try ImporterCatalog.read(path: path, number: $0 + 1) }
    #expect(abs(parts.reduce(0) { $0 + $1.distanceMeters } - whole.distanceMeters) < 0.01 * whole.distanceMeters)
    #expect(throws: ImportError.self) { try ImporterCatalog.read(path: path, number: 6) }
  }
}
