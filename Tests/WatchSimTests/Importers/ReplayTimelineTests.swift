import Testing

@testable import WatchSim

/// A recording as the simulated watch sees it.
struct ReplayTimelineTests {
  private let start = Double(FITWriter.morning) + 631_065_600

  @Test func `each second tells state, timer, distance and heart rate`() throws {
    let workout = try FITImporter.read(FITWriter.run().file(), fileName: "x")
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.start == start)
    #expect(timeline.wallSeconds == 660)
    #expect(timeline.moment(at: 0).state == .running)
    #expect(timeline.moment(at: 0).distanceMillimetres == 0)
    #expect(timeline.moment(at: 150).distanceMeters == 450)
    #expect(timeline.moment(at: 150).heartRate == 140)
    #expect(timeline.moment(at: 299).state == .running)
    for second in 300..<360 {
      let moment = timeline.moment(at: second)
      #expect(moment.state == .paused)
      #expect(moment.timerMilliseconds == 300_000)
      #expect(moment.distanceMillimetres == 900_000)
    }
    #expect(timeline.moment(at: 360).state == .running)
    #expect(timeline.moment(at: 400).timerSeconds == 340)
    #expect(timeline.moment(at: 400).distanceMeters == 1_020)
    #expect(timeline.moment(at: 400).heartRate == 150)
    #expect(timeline.moment(at: 400).cadence == 170)
    #expect(timeline.moment(at: 659).state == .running)
    #expect(timeline.moment(at: 660).state == .ended)
    #expect(timeline.moment(at: 660).distanceMeters == 1_800)
    #expect(timeline.moment(at: 660).timerSeconds == 600)
  }

  @Test func `seconds outside of the workout give its first and its last`() throws {
    let timeline = try #require(try FITImporter.read(FITWriter.run().file(), fileName: "x").makeTimeline())
    #expect(timeline.moment(at: -5) == timeline.moment(at: 0))
    #expect(timeline.moment(at: 1_000_000) == timeline.moment(at: 660))
  }

  @Test func `a pause's distance does not count`() throws {
    // Positions only. The runner walks 100 steps of 11.1 m each way; 40 of them during the pause.
    var writer = FITWriter()
    let time = FITWriter.morning
    writer.timer(time, type: 0)
    for second in 0...100 {
      writer.record(time + UInt32(second), latitude: 50 + Double(second) * 0.0001, longitude: 8.5)
    }
    writer.timer(time + 30, type: 4)
    writer.timer(time + 70, type: 0)
    writer.timer(time + 100, type: 4)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(abs(workout.distanceMeters - 60 * 11.119) < 0.5)
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.moment(at: 69).distanceMillimetres == timeline.moment(at: 30).distanceMillimetres)
    #expect(abs(timeline.moment(at: 100).distanceMeters - 60 * 11.119) < 0.5)
    #expect(abs(timeline.moment(at: 80).distanceMeters - 40 * 11.119) < 0.5)
  }

  @Test func `a stop between two samples takes its share of their leg`() throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    writer.timer(time, type: 0)
    // 100 s for about 111 m, of which the timer stood for 50.
    writer.record(time, latitude: 50, longitude: 8.5)
    writer.record(time + 100, latitude: 50.001, longitude: 8.5)
    writer.timer(time + 25, type: 4)
    writer.timer(time + 75, type: 0)
    let timeline = try #require(try FITImporter.read(writer.file(), fileName: "x").makeTimeline())
    #expect(abs(timeline.moment(at: 100).distanceMeters - 55.6) < 0.1)
    #expect(abs(timeline.moment(at: 50).distanceMeters - 27.8) < 0.1)
  }

  @Test func `what a device counted during a pause is spread over the time behind it`() throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    writer.timer(time, type: 0)
    for (second, distance) in [(0, 0), (100, 30_000), (200, 30_600), (300, 60_600)] as [(UInt32, UInt32)] {
      writer.record(time + second, distance: distance)
    }
    writer.timer(time + 100, type: 4)
    writer.timer(time + 200, type: 0)
    writer.timer(time + 300, type: 4)
    let timeline = try #require(try FITImporter.read(writer.file(), fileName: "x").makeTimeline())
    #expect(timeline.moment(at: 150).distanceMeters == 300)
    #expect(timeline.moment(at: 200).distanceMeters == 300)
    #expect(timeline.moment(at: 250).distanceMeters == 453)
    #expect(timeline.moment(at: 300).distanceMeters == 606)
  }

  @Test func `a gap is bridged at constant speed and values are held`() throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    writer.timer(time, type: 0)
    writer.record(time, distance: 0, heartRate: 120)
    writer.record(time + 60, distance: 18_000, heartRate: 160)
    writer.timer(time + 60, type: 4)
    let timeline = try #require(try FITImporter.read(writer.file(), fileName: "x").makeTimeline())
    #expect(timeline.moment(at: 20).distanceMeters == 60)
    #expect(timeline.moment(at: 59).heartRate == 120)
    #expect(timeline.moment(at: 60).heartRate == 160)
  }

  @Test func `of two samples at one time the later counts`() throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    for (second, distance) in [(0, 0), (10, 3_000), (10, 4_000), (20, 6_000)] as [(UInt32, UInt32)] {
      writer.record(time + second, distance: distance)
    }
    let timeline = try #require(try FITImporter.read(writer.file(), fileName: "x").makeTimeline())
    #expect(timeline.moment(at: 10).distanceMeters == 40)
    #expect(timeline.moment(at: 15).distanceMeters == 50)
  }

  @Test func `positions are interpolated, and not around the world`() throws {
    let workout = try GPXImporter.read(
      Array(
        """
        <gpx><trk><trkseg>
        <trkpt lat="10" lon="179.9999"><time>2026-04-12T06:30:00Z</time></trkpt>
        <trkpt lat="10.0002" lon="179.9997"><time>2026-04-12T06:30:02Z</time></trkpt>
        <trkpt lat="10.0002" lon="-179.9999"><time>2026-04-12T06:30:12Z</time></trkpt>
        </trkseg></trk></gpx>
        """.utf8), fileName: "x")
    let timeline = try #require(workout.makeTimeline())
    let halfway = try #require(timeline.moment(at: 1).position)
    #expect(abs(halfway.latitude - 10.0001) < 1e-9)
    #expect(abs(halfway.longitude - 179.9998) < 1e-9)
    #expect(timeline.moment(at: 7).position == Position(latitude: 10.0002, longitude: 179.9997))
    #expect(timeline.moment(at: 12).position == Position(latitude: 10.0002, longitude: -179.9999))
  }

  @Test func `a fraction of a second at the end is played out`() throws {
    let workout = try GPXImporter.read(
      Array(
        """
        <gpx><trk><trkseg>
        <trkpt lat="10" lon="20"><time>2026-04-12T06:30:00.250Z</time></trkpt>
        <trkpt lat="10.001" lon="20"><time>2026-04-12T06:30:10.750Z</time></trkpt>
        </trkseg></trk></gpx>
        """.utf8), fileName: "x")
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.wallSeconds == 11)
    #expect(timeline.moment(at: 10).state == .running)
    #expect(timeline.moment(at: 11).timerMilliseconds == 10_500)
    #expect(timeline.moment(at: 11).distanceMeters == workout.distanceMeters)
  }

  @Test func `more than two days are not replayed`() throws {
    var writer = FITWriter()
    let time = FITWriter.morning
    writer.record(time, distance: 0)
    writer.record(time + 172_800, distance: 100)
    #expect(try FITImporter.read(writer.file(), fileName: "x").makeTimeline()?.wallSeconds == 172_800)
    writer.record(time + 172_801, distance: 200)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.replayObstacle == .tooLong(seconds: 172_801))
    #expect(workout.makeTimeline() == nil)
  }
}

/// From a timeline to what moves the simulated watch.
struct RecordedMotionTests {
  @Test func `a recorded run moves the watch as it was recorded`() throws {
    let timeline = try #require(try FITImporter.read(FITWriter.run().file(), fileName: "x").makeTimeline())
    let motion = try RecordedMotion(timeline)
    #expect(motion.distanceMillimetres.count == 661)
    #expect(motion.positions == nil)
    var source = RecordedSource(motion)
    let running = source.advance(toMilliseconds: 150_500)
    #expect(running.distanceMillimetres == 451_500)
    #expect(running.heartRate == 140)
    #expect(running.cadence == 170)
    #expect(!running.isPaused)
    let paused = source.advance(toMilliseconds: 330_000)
    #expect(paused.isPaused)
    #expect(paused.distanceMillimetres == 900_000)
    let finished = source.advance(toMilliseconds: 660_000)
    #expect(finished.isFinished)
    #expect(finished.distanceMillimetres == 1_800_000)
  }

  @Test func `seconds without a fix have the place of a neighbour`() throws {
    let workout = try GPXImporter.read(
      Array(
        """
        <gpx><trk><trkseg>
        <trkpt><time>2026-04-12T06:30:00Z</time></trkpt>
        <trkpt lat="50.1234567" lon="-8.5"><time>2026-04-12T06:30:02Z</time></trkpt>
        <trkpt lat="50.1234667" lon="-8.5"><time>2026-04-12T06:30:04Z</time></trkpt>
        <trkpt><time>2026-04-12T06:30:05Z</time></trkpt>
        </trkseg></trk></gpx>
        """.utf8), fileName: "x")
    let motion = try RecordedMotion(try #require(workout.makeTimeline()))
    #expect(
      motion.positions?.map(\.latitudeE7) == [
        501_234_567, 501_234_567, 501_234_567, 501_234_617, 501_234_667, 501_234_667,
      ])
    #expect(motion.positions?.allSatisfy { $0.longitudeE7 == -85_000_000 } == true)
  }
}
