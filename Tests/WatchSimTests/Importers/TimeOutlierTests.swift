import Testing

@testable import WatchSim

/// Samples with a wrong time among many with a right one.
struct TimeOutlierTests {
  private let start = Double(FITWriter.morning) + 631_065_600
  private static let finding = "1 sample with a time outside of the workout was left out"

  /// Ten minutes at 3 m/s, a record a second, with the times of some seconds changed.
  private func run(
    _ changed: [UInt32: UInt32], hasSession: Bool = true, claimedElapsed: UInt32 = 599_000
  ) throws -> RecordedWorkout {
    var writer = FITWriter()
    writer.fileID()
    writer.timer(FITWriter.morning, type: 0)
    for second in UInt32(0)..<600 {
      writer.record(changed[second] ?? FITWriter.morning + second, distance: second * 300, heartRate: 140)
    }
    writer.timer(FITWriter.morning + 599, type: 4)
    if hasSession {
      writer.session(start: FITWriter.morning, elapsed: claimedElapsed, timer: claimedElapsed, distance: 179_700)
    }
    return try FITImporter.read(writer.file(), fileName: "x")
  }

  /// Far ahead and far back, in the middle and at both ends, by years and by half an hour.
  @Test(
    arguments: [
      (300, 70_000_000), (300, -70_000_000), (0, 70_000_000), (0, -3_600), (599, 70_000_000), (599, 1_800),
      (300, 1_800), (300, -1_800),
    ] as [(Int, Int)])
  func `one wrong time of 600 costs that sample and nothing else`(second: Int, offset: Int) throws {
    let wrong = UInt32(Int(FITWriter.morning) + second + offset)
    let workout = try run([UInt32(second): wrong])
    #expect(workout.sampleCount == 599)
    #expect(workout.elapsedSeconds == 599 && workout.timerSeconds == 599 && workout.pauseCount == 0)
    #expect(workout.start == start && workout.end == start + 599)
    #expect(workout.isReplayable)
    #expect(workout.findings == [Self.finding])
    let timeline = try #require(workout.makeTimeline())
    #expect(timeline.wallSeconds == 599)
    // The device's total has the last sample's three metres.
    #expect(timeline.moment(at: 599).distanceMeters == 1_797)
  }

  @Test(arguments: [300, 0, 599] as [UInt32])
  func `without a session the other samples decide`(second: UInt32) throws {
    let workout = try run([second: FITWriter.morning + 70_000_000], hasSession: false)
    #expect(workout.isReplayable && workout.sampleCount == 599)
    #expect(workout.findings.contains(Self.finding))
    #expect(workout.elapsedSeconds >= 598 && workout.elapsedSeconds <= 599)
  }

  @Test func `several that leave and come back are left out together`() throws {
    var changed: [UInt32: UInt32] = [:]
    for second in UInt32(300)..<303 { changed[second] = FITWriter.morning + second + 5_000 }
    let workout = try run(changed, hasSession: false)
    #expect(workout.sampleCount == 597 && workout.elapsedSeconds == 599)
    #expect(!workout.findings.contains { $0.contains("clock correction") })
  }

  @Test func `a session that is over before its samples does not cut them off`() throws {
    // Its elapsed time is that of the timer: the samples go on behind it, and behind a long pause.
    let shifted = (UInt32(570)..<600).map { ($0, FITWriter.morning + $0 + 300) }
    let workout = try run(Dictionary(uniqueKeysWithValues: shifted), claimedElapsed: 560_000)
    #expect(workout.sampleCount == 600)
    #expect(!workout.findings.contains { $0.contains("left out") })
  }

  @Test func `where many times are doubtful none is left out`() throws {
    let changed = (UInt32(0)..<600).filter { $0 % 10 == 5 }.map { ($0, FITWriter.morning + $0 + 70_000_000) }
    let workout = try run(Dictionary(uniqueKeysWithValues: changed))
    #expect(workout.sampleCount == 600)
    #expect(!workout.findings.contains { $0.contains("left out") })
  }

  @Test func `a point of a GPX file that was in another hour is left out`() throws {
    let points = (0..<100).map { GPXText.point($0 == 40 ? 3_000 : $0, north: $0) }
    let workout = try GPXImporter.read(GPXText.document([points]), fileName: "x")
    // 3,000 s are written as minute 80, which no clock has: half an hour is.
    #expect(workout.findings.contains("1 time cannot be read"))
    let later = (0..<100).map { GPXText.point($0 == 40 ? 1_700 : $0, north: $0) }
    let repaired = try GPXImporter.read(GPXText.document([later]), fileName: "x")
    #expect(repaired.elapsedSeconds == 99 && repaired.pauseCount == 0)
    #expect(repaired.findings == [Self.finding])
  }
}
