import Foundation
import Testing

@testable import WatchSim

/// What Apple Health exports do, written small.
@Suite struct HealthImporterTests {
  private func read(_ content: String, doctype: String = "", number: Int? = nil) throws -> RecordedWorkout {
    let bytes = HealthText.document(content, doctype: doctype)
    return try number.map { try HealthImporter.read(bytes, fileName: "x.xml", number: $0) }
      ?? ImporterCatalog.read(bytes, fileName: "x.xml")
  }

  @Test func `heart rates and distances of the workout's time are joined to it`() throws {
    let before = HealthText.record("HeartRate", "200", unit: "count/min", -60, -60)
    let after = HealthText.record("HeartRate", "201", unit: "count/min", 90, 90)
    let workout = try read(
      before + HealthText.rates(60) + after + HealthText.distances(60) + HealthText.workout(seconds: 60, metres: 190))
    #expect(workout.format == "Apple Health" && workout.sport == "running")
    #expect(workout.maximumHeartRate == 159 && workout.averageHeartRate == 136.166_666_666_666_66)
    // The records say 180 m; the stated distance is what counts.
    #expect(workout.distanceMeters == 190 && workout.elapsedSeconds == 60)
    #expect(workout.makeTimeline()?.moment(at: 30).distanceMeters == 95)
  }

  @Test func `the timer stops at pauses, not at standstills, and a last pause is the end`() throws {
    let events = [
      HealthText.event("Pause", 20), HealthText.event("Resume", 30), HealthText.event("MotionPaused", 40),
      HealthText.event("MotionResumed", 45), HealthText.event("Pause", 60),
    ].joined()
    let workout = try read(
      HealthText.distances(60) + HealthText.workout(seconds: 60, metres: 150, timer: 50, more: events))
    #expect(workout.pauses == [.init(from: workout.start! + 20, to: workout.start! + 30, kind: .manual)])
    #expect(workout.timerSeconds == 50)
    #expect(workout.findings.contains { $0.hasPrefix("1 standstill") })
  }

  @Test func `a value that is given twice counts once`() throws {
    let pause = HealthText.event("Pause", 20) + HealthText.event("Resume", 30)
    let part =
      "<WorkoutActivity startDate=\"\(HealthText.date(0))\" endDate=\"\(HealthText.date(60))\">\(pause)"
      + "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" sum=\"9\" unit=\"km\"/></WorkoutActivity>"
    let inner =
      "<Correlation type=\"x\">\(HealthText.record("HeartRate", "220", unit: "count/min", 10, 10))</Correlation>"
    let workout = try read(
      inner + HealthText.rates(60) + HealthText.workout(seconds: 60, metres: 150, more: pause + part))
    #expect(workout.pauseCount == 1 && workout.distanceMeters == 150 && workout.maximumHeartRate == 159)
  }

  @Test func `the watch's own records win over the phone's, however its name is spelled`() throws {
    let phone = (0..<80).map {
      HealthText.record("DistanceWalkingRunning", "0.01", unit: "km", $0 % 60, $0 % 60 + 1, source: "Simon’s iPhone")
    }.joined()
    let workout = try read(
      phone + HealthText.distances(60)
        + HealthText.workout(seconds: 60, metres: 180, source: "A\u{00A0}Watch "))
    #expect(workout.makeTimeline()?.moment(at: 20).distanceMeters == 60)
    #expect(workout.findings.contains("80 records of other sources were left out"))
  }

  @Test(arguments: [("mi", "1", 1_609.344), ("yd", "100", 91.44), ("m", "250", 250.0), ("km", "0,3", 0)])
  func `units follow the phone's settings`(unit: String, value: String, metres: Double) throws {
    let text = HealthText.workout(seconds: 600, metres: 0).replacing(
      "sum=\"0.0\" unit=\"km\"", with: "sum=\"\(value)\" unit=\"\(unit)\"")
    #expect(try read(text).distanceMeters == metres)
  }

  @Test func `totals of older exports are read, and unknown units are reported`() throws {
    let old = HealthText.workout(seconds: 60, metres: 0)
      .replacing(" sourceName", with: " totalDistance=\"2.5\" totalDistanceUnit=\"mi\" sourceName")
      .replacing("HKQuantityTypeIdentifierDistanceWalkingRunning", with: "HKQuantityTypeIdentifierBasalEnergyBurned")
    #expect(try read(old).distanceMeters == 4_023.36)
    let strange = try read(HealthText.workout(seconds: 60, metres: 5).replacing("unit=\"km\"", with: "unit=\"verst\""))
    #expect(strange.findings.contains("the unit 'verst' is not known"))
  }

  @Test func `a broken document type, control bytes and missing summer time do no harm`() throws {
    let doctype = """
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: 12 -->
      <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
      <!ATTLIST HealthData
        locale CDATA #REQUIRED
      >
      <!ATTLIST VisionPrescription
        type CDATA #REQUIRED
      <!ELEMENT RightEye EMPTY>
      <!ATTLIST RightEye sphere CDATA #IMPLIED
      >
      >
      ]>

      """
    let text =
      HealthText.rates(60) + HealthText.workout(seconds: 60, metres: 100).replacing("A Watch", with: "A\u{0B}Watch")
    let workout = try read(text, doctype: doctype)
    #expect(workout.start == 1_775_975_400 && workout.distanceMeters == 100)
    #expect(workout.findings.contains { $0.hasPrefix("a document type declaration of") })
    #expect(workout.findings.contains("1 control byte read as a blank"))
  }

  @Test func `an export with several workouts wants a number`() throws {
    let content =
      HealthText.workout(seconds: 60, metres: 100)
      + HealthText.workout(seconds: 30, metres: 50, at: 600, sport: "FunctionalStrengthTraining")
    let outlines = try HealthImporter.outlines(HealthText.document(content), fileName: "x")
    #expect(outlines.map(\.sport) == ["running", "functional strength training"])
    #expect(outlines.map(\.distance) == [100, 50] && outlines.map(\.elapsed) == [60, 30])
    let error = #expect(throws: ImportError.self) { try read(content) }
    #expect(error?.description.contains("found 2 workouts, expected a choice: import --workout N") == true)
    #expect(try read(content, number: 2).distanceMeters == 50)
    #expect(throws: ImportError.self) { try read(content, number: 3) }
    #expect(throws: ImportError.self) { try read(HealthText.rates(3)) }
  }

  @Test func `a route is read from its file and scaled; one outside of the folder is not`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ww-health-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "in/workout-routes"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let points = (0..<60).map { second in
      "<trkpt lon=\"13.4\" lat=\"\(52.5 + Double(second) * 0.00003)\"><time>\(TCXText.time(second))</time></trkpt>"
    }
    let gpx = Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
    try gpx.write(to: folder.appending(path: "in/workout-routes/r.gpx"))
    try gpx.write(to: folder.appending(path: "outside.gpx"))
    func export(_ path: String) throws -> RecordedWorkout {
      let route = "<WorkoutRoute><FileReference path=\"\(path)\"/></WorkoutRoute>"
      let file = folder.appending(path: "in/Exportación.xml")
      try Data(HealthText.document(HealthText.workout(seconds: 60, metres: 200, more: route))).write(to: file)
      return try ImporterCatalog.read(path: folder.appending(path: "in").path)
    }
    let good = try export("/workout-routes/r.gpx")
    #expect(good.samples.count { $0.position != nil } == 60)
    #expect(good.distanceMeters == 200)
    #expect(abs((good.makeTimeline()?.moment(at: 30).distanceMeters ?? 0) - 30 * 200 / 59) < 0.5)
    for path in ["/../outside.gpx", "workout-routes/../../outside.gpx", "/etc/passwd", "/workout-routes/none.gpx"] {
      let bad = try export(path)
      #expect(!bad.samples.contains { $0.position != nil })
      #expect(bad.findings.contains { $0.hasPrefix("the route ") }, "\(path)")
    }
  }
}

/// Documents larger than memory.
@Suite struct XMLStreamTests {
  private func tags(_ stream: XMLStream) throws -> [XMLEvent] {
    var stream = stream
    var tags: [XMLEvent] = []
    while case let event = try stream.next(), event != .finished { tags.append(event) }
    return tags
  }

  @Test(arguments: [1, 2, 7, 64, 1_000])
  func `pieces of any length give the same tags`(pieceBytes: Int) throws {
    let content =
      HealthText.rates(5) + "<!-- a > comment --><![CDATA[<no>]]>" + HealthText.workout(seconds: 60, metres: 9)
    let bytes = HealthText.document(content, doctype: "<!DOCTYPE HealthData [<!ATTLIST a b CDATA #IMPLIED>]>\n")
    let whole = try tags(XMLStream(ByteSource(bytes)))
    #expect(whole.count > 15)
    #expect(try tags(XMLStream(ByteSource(bytes, pieceBytes: pieceBytes))) == whole)
  }

  @Test func `what is held does not grow with the document`() throws {
    let piece = Array(HealthText.rates(400).utf8)
    let head = Array("<HealthData>".utf8)
    // 8 MB, made as it is read.
    var left = 8 << 20
    var isFirst = true
    var stream = XMLStream(
      ByteSource {
        defer { isFirst = false }
        if isFirst { return head }
        guard left > 0 else { return [] }
        left -= piece.count
        return piece
      })
    var most = 0
    var count = 0
    while case let event = try stream.next(), event != .finished {
      most = max(most, stream.windowBytes)
      if event == .start("Record") { count += 1 }
    }
    #expect(count > 37_000)
    #expect(most < 2 * piece.count)
  }

  @Test func `an error names its line, however far into the file`() throws {
    let long = String(repeating: "x", count: 70_000)
    let text = String(repeating: "<a/>\n", count: 5_000) + "  <b c=\"\(long)\"/>"
    var stream = XMLStream(ByteSource(Array(text.utf8), pieceBytes: 1_000))
    do {
      while try stream.next() != .finished {}
      Issue.record("the attribute was taken")
    } catch {
      guard case .malformed(_, let line, let column) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(line == 5_001 && column > 2)
    }
  }

  @Test func `a declaration that never ends is refused`() {
    let text = "<!DOCTYPE HealthData [" + String(repeating: "<!ELEMENT a EMPTY>", count: 80_000)
    #expect(throws: ImportError.self) { try HealthImporter.read(Array(text.utf8), fileName: "x") }
  }
}
