import Testing

@testable import WatchSim

/// Distance that could not be run in the time available.
struct RecordedLeapTests {
  @Test func `what a device had counted before is not run in the first second`() throws {
    let points = (0..<60).map { TCXText.point($0, metres: 10_000 + 3 * $0) }
    let workout = try ImporterCatalog.read(TCXText.document([TCXText.activity(points: points)]), fileName: "x.tcx")
    #expect(workout.distanceMeters == 177)
    #expect(workout.findings == ["10000 m of the distance, counted before the first sample, were taken off"])
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.moment(at: 0).distanceMeters == 0)
    #expect(timeline.moment(at: 1).distanceMeters == 3)
    #expect(timeline.moment(at: 59).distanceMeters == 177)
  }

  @Test func `a first sample that comes late keeps what can be run until then`() throws {
    var writer = FITWriter()
    writer.timer(FITWriter.morning, type: 0)
    for second in UInt32(30)...90 { writer.record(FITWriter.morning + second, distance: second * 300) }
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.distanceMeters == 270)
    #expect(workout.makeTimeline()?.moment(at: 15).distanceMeters == 45)
  }

  @Test func `points without a time in front are of the track and not of the replay`() throws {
    let points = (0..<40).map { GPXText.point(nil, north: $0) } + (0..<60).map { GPXText.point($0 * 4, north: 40 + $0) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    #expect(abs(workout.distanceMeters - 99 * 11.119) < 0.5)
    #expect(workout.findings.contains("445 m before the first point with a time are not replayed"))
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.moment(at: 0).distanceMeters == 0)
    #expect(abs(timeline.moment(at: 4).distanceMeters - 11.119) < 0.1)
    #expect(abs(timeline.moment(at: 236).distanceMeters - 59 * 11.119) < 0.5)
  }

  @Test func `a leap within the workout is run as fast as the sport allows, and none of it is lost`() throws {
    let points = (0..<120).map { TCXText.point($0, metres: 3 * $0 + ($0 >= 30 ? 500 : 0)) }
    let laps = [TCXText.lap(0, seconds: 119, metres: 857, [points])]
    func timeline(_ sport: String) throws -> (ReplayTimeline, [String]) {
      let bytes = TCXText.document([TCXText.activity(sport, laps: laps)])
      let workout = try ImporterCatalog.read(bytes, fileName: "x.tcx")
      return (try #require(workout.makeTimeline()), workout.findings)
    }
    let (run, findings) = try timeline("Running")
    #expect(findings == ["1 step faster than 12 m/s while running"])
    #expect(run.moment(at: 29).distanceMeters == 87)
    #expect(run.moment(at: 30).distanceMeters == 99)
    #expect(run.moment(at: 119).distanceMeters == 857)
    for second in 1...119 {
      #expect(run.moment(at: second).distanceMeters - run.moment(at: second - 1).distanceMeters <= 12)
    }
    let (ride, rideFindings) = try timeline("Biking")
    #expect(rideFindings == ["1 step faster than 36 m/s while cycling"])
    #expect(ride.moment(at: 30).distanceMeters == 123)
  }
}
