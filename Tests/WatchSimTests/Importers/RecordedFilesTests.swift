import Foundation
import Testing
import WatchSim

/// Figures of real recordings against those of independent decoders.
@Suite(.disabled(if: RealTraces.areMissing, "no recorded files: set WRISTWIRE_REAL_TRACES"))
struct RecordedFilesTests {
  /// Its session was cut off: the reference decoder read half of it, and its totals are of no use.
  private static let withoutUsableTotals: Set<String> = ["fit/fitparse__nick.fit"]

  @Test(arguments: RealTraces.names)
  func `figures agree with the reference`(name: String) throws {
    let whole = try #require(RealTraces.reference[name])
    let reference = whole.workouts?.first ?? whole
    let workout = try ImporterCatalog.read(path: RealTraces.path(name))
    #expect(workout.format == ["fit": "FIT", "gpx": "GPX", "tcx": "TCX", "xml": "Apple Health"][name.suffix(3)])
    if let start = reference.startTimeUTC {
      let wanted = try #require(TimeText.parse(Array(start.utf8)))
      #expect(abs((workout.start ?? 0) - wanted) < 0.0015)
    }
    if !Self.withoutUsableTotals.contains(name) {
      // Whole-file times are sums of thousandths; the reference rounds as well.
      // The reference counts a TCX file's time from its first point, the importer from the start of its first lap.
      let first = workout.samples.lazy.compactMap(\.time).first ?? 0
      let lead = workout.format == "TCX" ? first - (workout.start ?? first) : 0
      if let elapsed = reference.elapsed { #expect(abs(workout.elapsedSeconds - elapsed - lead) < 0.0015) }
      // A timer that was rounded up is not longer than the workout.
      if let timer = reference.timer {
        #expect(abs(workout.timerSeconds - min(timer, workout.elapsedSeconds)) < 0.0015)
      }
      let stated = workout.format == "GPX" ? reference.distanceWithinSegments : nil
      if let distance = stated ?? reference.distance {
        #expect(abs(workout.distanceMeters - distance) <= 0.005 * distance)
      }
    }
    if let mean = reference.heartRateMean, reference.strapMessages ?? 0 == 0 {
      #expect(abs((workout.averageHeartRate ?? 0) - mean) < 0.0051)
    }
    if let highest = reference.heartRateMax { #expect(workout.maximumHeartRate == Int(highest)) }
    if let laps = reference.laps { #expect(workout.lapCount == laps) }
    if let pauses = reference.pauses { #expect(workout.pauseCount == pauses) }
    if let samples = reference.samples { #expect(workout.sampleCount == samples) }
  }

  @Test(
    arguments: [
      ("fit/fitparse__antfs-dump.63.fit", RecordedWorkout.ReplayObstacle.clockNeverSet),
      ("gpx/gpxpy__Mojstrovka.gpx", .equalTimes),
      ("gpx/gpxpy__cerknicko-without-times.gpx", .mostlyWithoutTimes(timed: 5, samples: 296)),
    ].filter { RealTraces.names.contains($0.0) })
  func `a recording without usable times is described and not replayed`(
    name: String, obstacle: RecordedWorkout.ReplayObstacle
  ) throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path(name))
    #expect(workout.replayObstacle == obstacle)
    #expect(workout.findings.contains(obstacle.description))
    #expect(workout.makeTimeline() == nil)
  }

  @Test(arguments: RealTraces.names)
  func `a replay ends at the distance and the timer of the recording`(name: String) throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path(name))
    guard workout.isReplayable else { return }
    let timeline = try #require(workout.makeTimeline())
    let last = timeline.moment(at: timeline.wallSeconds)
    #expect(last.state == .ended)
    // Records may stop a little before the totals do: 1 % and 10 m, as the widest of these files shows.
    #expect(abs(last.distanceMeters - workout.distanceMeters) <= 0.01 * workout.distanceMeters + 10)
    // Some devices' summaries count other seconds than their own events: 3 % is the widest here.
    #expect(
      abs(last.timerSeconds - workout.timerSeconds) <= 0.03 * workout.timerSeconds + 2
        || workout.differences(from: ReplayFigures(timeline)).contains { $0.hasPrefix("timer") })
    var previous = timeline.moment(at: 0)
    for second in 1...timeline.wallSeconds {
      let moment = timeline.moment(at: second)
      if moment.distanceMillimetres < previous.distanceMillimetres
        || moment.timerMilliseconds < previous.timerMilliseconds
      {
        Issue.record("second \(second) goes back")
        return
      }
      if previous.state == .paused, moment.state == .paused, moment.distanceMillimetres != previous.distanceMillimetres
      {
        Issue.record("distance grows in the pause at second \(second)")
        return
      }
      previous = moment
    }
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/fitparse__sample_mulitple_header.fit")))
  func `a swim's heart rates come from the chest strap, and their mean is the device's own`() throws {
    let swim = try ImporterCatalog.read(path: RealTraces.path("fit/fitparse__sample_mulitple_header.fit"), number: 1)
    #expect(swim.summary.averageHeartRate == 165)
    #expect(abs((swim.averageHeartRate ?? 0) - 165) < 1)
    #expect(swim.samples.count { $0.heartRate != nil } > 300)
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/fitparse__event_timestamp.fit")))
  func `the highest heart rate of a chest strap is the device's own`() throws {
    let swim = try ImporterCatalog.read(path: RealTraces.path("fit/fitparse__event_timestamp.fit"))
    #expect(swim.maximumHeartRate == swim.summary.maximumHeartRate)
    #expect(swim.maximumHeartRate == 161)
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/fitparse__nick.fit")))
  func `a file without a session summary gets its totals from the records`() throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path("fit/fitparse__nick.fit"))
    // Its timer stopped a second after the last record.
    #expect(workout.elapsedSeconds == 16_724)
    #expect(workout.distanceMeters == 113_550.87)
    #expect(workout.findings.contains { $0.contains("message cut short") })
    #expect(workout.findings.contains { $0.contains("totals come from the records") })
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/fit4s__610464_bad_crc.fit")))
  func `wrong checksums change nothing but the findings`() throws {
    let good = try ImporterCatalog.read(path: RealTraces.path("fit/fit4s__610464.fit"))
    let bad = try ImporterCatalog.read(path: RealTraces.path("fit/fit4s__610464_bad_crc.fit"))
    #expect(bad.samples == good.samples)
    #expect(bad.findings.filter { $0.contains("checksum is wrong") }.count == 2)
    #expect(!good.findings.contains { $0.contains("checksum") })
  }
}
