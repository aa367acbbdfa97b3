import CoachProtocol
import Testing

@testable import WatchSim

/// What follows from the sport of a recording: cadence, energy, and what the watch receives.
struct RecordedSportTests {
  private func gpx(_ type: String?, cadence: Int = 85, stepSeconds: Int = 4) throws -> RecordedWorkout {
    let points = (0..<30).map {
      GPXText.point($0 * stepSeconds, north: $0, extra: GPXText.extensions(heartRate: 100, cadence: cadence))
    }
    return try GPXImporter.read(GPXText.document([points], type: type), fileName: "x")
  }

  @Test(arguments: [
    "running", "Run", "9", "treadmill_running", "street_running", "track_running", "virtual_run", "VirtualRun",
    "trail_running", "Trail Run", "walking", "hiking", "Hike",
  ])
  func `cadence of a GPX file on foot counts one foot, however the sport is spelled`(type: String) throws {
    let workout = try gpx(type)
    #expect(workout.samples[0].cadence == 170)
    #expect(workout.findings == [])
  }

  @Test(arguments: ["cycling", "Ride", "VirtualRide", "mountain_biking", "rowing"])
  func `cadence elsewhere is what was written`(type: String) throws {
    #expect(try gpx(type).samples[0].cadence == 85)
  }

  @Test func `of a sport that is not known the pace tells, and a finding says so`() throws {
    let workout = try gpx("quidditch")
    #expect(workout.samples[0].cadence == 170)
    #expect(workout.findings == ["the sport 'quidditch' is not known; cadence was taken as strides of a runner"])
    #expect(try gpx("quidditch", stepSeconds: 1).samples[0].cadence == 85)
  }

  @Test func `cadence of a TCX file is doubled for what is done on foot alone`() throws {
    func cadence(_ sport: String, _ more: String) throws -> Double? {
      let points = (0..<3).map { TCXText.point($0, metres: $0, more: more) }
      return try ImporterCatalog.read(TCXText.document([TCXText.activity(sport, points: points)]), fileName: "x.tcx")
        .samples[0].cadence
    }
    let strides = "<Extensions><ns3:TPX><ns3:RunCadence>85</ns3:RunCadence></ns3:TPX></Extensions>"
    #expect(try cadence("Other", "<Cadence>30</Cadence>") == 30)
    #expect(try cadence("Running", "<Cadence>85</Cadence>") == 170)
    #expect(try cadence("Other", strides) == 170, "the extension counts a runner's strides, whatever the sport")
  }

  // MARK: Energy

  private func motion(_ workout: RecordedWorkout) throws -> RecordedMotion {
    try RecordedMotion(try #require(workout.makeTimeline()))
  }

  @Test func `the device's energy is used, spread over the timer`() throws {
    var writer = FITWriter.run()
    writer.data = []
    writer.fileID()
    for second in UInt32(0)...600 { writer.record(FITWriter.morning + second, distance: second * 300) }
    writer.message(
      18,
      [
        .uint32(253, FITWriter.morning + 600), .uint32(2, FITWriter.morning), .uint32(7, 600_000), .uint32(8, 600_000),
        .uint32(9, 180_000), .enumeration(5, 1), .uint16(11, 222),
      ])
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.summary.energyKcal == 222)
    let energy = try #require(try motion(workout).energyDecikilocalories)
    #expect(energy[0] == 0 && energy[300] == 1_110 && energy[600] == 2_220)
  }

  @Test func `laps of a TCX file and units of a health export say it too`() throws {
    let points = (0..<60).map { TCXText.point($0, metres: 3 * $0) }
    let lap = TCXText.lap(0, seconds: 59, metres: 177, [points])
      .replacing("<TriggerMethod>", with: "<Calories>44</Calories><TriggerMethod>")
    let tcx = try ImporterCatalog.read(TCXText.document([TCXText.activity(laps: [lap])]), fileName: "x.tcx")
    #expect(tcx.summary.energyKcal == 44)
    for (unit, kilocalories) in [("kcal", 90.0), ("Cal", 90), ("kJ", 90 / 4.184)] {
      let statistics =
        "<WorkoutStatistics type=\"HKQuantityTypeIdentifierActiveEnergyBurned\" sum=\"90\" unit=\"\(unit)\"/>"
      let export = HealthText.document(
        HealthText.distances(60) + HealthText.workout(seconds: 60, metres: 180, more: statistics))
      #expect(abs((try HealthImporter.read(export, fileName: "x").summary.energyKcal ?? 0) - kilocalories) < 1e-9)
    }
  }

  @Test(arguments: [("running", nil), ("quidditch", 40 * 70), ("cycling", 65 * 70), (nil, nil)] as [(String?, Int64?)])
  func `without a figure of the device the sport gives an estimate`(sport: String?, hourly: Int64?) throws {
    let points = (0..<900).map { GPXText.point($0, north: $0 / 3) }
    let workout = try GPXImporter.read(GPXText.document([points], type: sport), fileName: "x")
    let motion = try motion(workout)
    #expect(motion.sport == sport ?? "unknown")
    guard let hourly else {
      #expect(motion.energyDecikilocalories == nil, "a runner's follows from the distance")
      return
    }
    #expect(motion.energyDecikilocalories?[899] == (hourly * 899 + 1_800) / 3_600)
  }

  @Test func `of 0 kilocalories nothing is believed`() throws {
    let points = (0..<60).map { TCXText.point($0, metres: 3 * $0) }
    let lap = TCXText.lap(0, seconds: 59, metres: 177, [points])
      .replacing("<TriggerMethod>", with: "<Calories>0</Calories><TriggerMethod>")
    let workout = try ImporterCatalog.read(TCXText.document([TCXText.activity(laps: [lap])]), fileName: "x.tcx")
    #expect(try motion(workout).energyDecikilocalories == nil)
  }
}
