import CoachProtocol
import Testing

@testable import WatchSim

/// Lengths, laps and strokes of recordings, and the session that the watch reports of them.
@Suite struct RecordedPartsTests {
  private struct Session {
    var distance: Int64
    var splits: [SessionUnit]
    var intervals: [SessionUnit]
  }

  /// The session at a second of the recording; nil for its end.
  private func session(_ motion: RecordedMotion, at second: Int64? = nil) -> Session {
    var source = AnyMotionSource.recorded(RecordedSource(motion))
    let sample = source.advance(toMilliseconds: (second ?? Int64(motion.distanceMillimetres.count - 1)) * 1_000)
    return Session(
      distance: sample.distanceMillimetres, splits: source.units.filter { $0.kind == .split },
      intervals: source.units.filter { $0.kind == .interval })
  }

  private func motion(_ workout: RecordedWorkout) throws -> RecordedMotion {
    try RecordedMotion(try #require(workout.makeTimeline()))
  }

  // MARK: Real recordings

  /// Read from the raw bytes with another decoder: lengths of kind 1, the sum of their strokes, and stretches of them
  /// between lengths of kind 0 or breaks of 3 s.
  @Test(
    .disabled(if: RealTraces.areMissing, "no recorded files: set WRISTWIRE_REAL_TRACES"),
    arguments: [
      ("fit/fit4s__fenix5_lapswim_254.fit", 135, 1_215, 40, 25_000),
      ("fit/phpfit__swim.fit", 60, 588, 11, 22_860),
      ("fit/fitparse__event_timestamp.fit", 114, 1_168, 47, 22_860),
    ] as [(String, Int, Int64, Int, Int64)])
  func `a real swim has its lengths, strokes and intervals`(
    name: String, lengths: Int, strokes: Int64, intervals: Int, pool: Int64
  ) throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path(name))
    #expect(workout.lengthCount == lengths && Int64(workout.strokeCount) == strokes)
    #expect(workout.poolLength.map { Int64(($0 * 1_000).rounded()) } == pool)
    let whole = session(try motion(workout))
    #expect(whole.splits.count == lengths && whole.intervals.count == intervals)
    #expect(whole.splits.allSatisfy { $0["distance"] == pool })
    #expect(whole.splits.reduce(0) { $0 + $1["strokes"] } == strokes)
    #expect(whole.intervals.reduce(0) { $0 + $1["strokes"] } == strokes)
    #expect(whole.intervals.reduce(0) { $0 + $1["distance"] } == Int64(lengths) * pool)
    #expect(whole.intervals.dropLast().allSatisfy { $0["rest"] > 0 && $0["isCompleted"] == 1 })
    #expect(whole.intervals.last?["rest"] == 0)
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/fit4s__fenix5_lapswim_254.fit")))
  func `the first lengths are those of the file, wherever the swim ends lengths and distance agree`() throws {
    let swim = try motion(ImporterCatalog.read(path: RealTraces.path("fit/fit4s__fenix5_lapswim_254.fit")))
    let whole = session(swim)
    #expect(whole.splits.prefix(4).map { $0["duration"] } == [20_125, 26_625, 22_375, 24_063])
    #expect(whole.splits.prefix(4).map { $0["strokes"] } == [7, 12, 10, 10])
    #expect(Set(whole.splits.map { $0["stroke"] }) == [0, 2, 4])
    #expect(whole.splits.contains { $0["heartRate"] > 0 } == swim.heartRate.contains { $0 > 0 })
    for second in stride(from: 0, to: swim.distanceMillimetres.count, by: 7) {
      let part = session(swim, at: Int64(second))
      let rest = (part.distance + 5) / 10 * 10 - Int64(part.splits.count) * 25_000
      guard 0..<25_000 ~= rest else {
        Issue.record("\(part.splits.count) lengths at \(part.distance) mm in second \(second)")
        return
      }
    }
    for (from, to) in [(100, 2_000), (333, 334), (1_001, 9_999), (0, 700)] {
      let cut = session(try swim.cut(to: RecordedStretch(from: from, to: to)))
      let rest = (cut.distance + 5) / 10 * 10 - Int64(cut.splits.count) * 25_000
      #expect(0..<25_000 ~= rest, "\(from) to \(to)")
    }
  }

  @Test(.disabled(if: RealTraces.areMissing, "no recorded files: set WRISTWIRE_REAL_TRACES"))
  func `laps of sports that are no discipline make no parts`() throws {
    for name in ["fit/fitparse__sample-activity.fit", "tcx/connectstats__activity_234721416.tcx"] {
      let workout = try ImporterCatalog.read(path: RealTraces.path(name))
      #expect(workout.lapCount > 1 && workout.makeTimeline()?.parts == nil)
    }
  }

  @Test(.enabled(if: RealTraces.names.contains("fit/runpandas__run.fit")))
  func `laps of a real run are intervals with the heart rate of the lap`() throws {
    let workout = try ImporterCatalog.read(path: RealTraces.path("fit/runpandas__run.fit"))
    let run = session(try motion(workout))
    #expect(workout.lapCount > 1 && run.splits.isEmpty)
    #expect(run.intervals.map { $0["distance"] }.reduce(0, +) <= run.distance + 10_000)
    #expect(
      run.intervals.map { $0["duration"] } == workout.laps.compactMap { $0.timer.map { Int64(($0 * 1_000).rounded()) } }
    )
  }

  @Test(.enabled(if: RealTraces.names.contains("tcx/saf__pool_swim-activity_1.tcx")))
  func `a real TCX swim has a length for each of its samples, once it is known to be a swim`() throws {
    var workout = try ImporterCatalog.read(path: RealTraces.path("tcx/saf__pool_swim-activity_1.tcx"))
    #expect(workout.sport == "other" || workout.sport == "Other")
    #expect(workout.makeTimeline()?.parts == nil)
    workout.sport = "swimming"
    let swim = session(try motion(workout))
    // 1,500 m by 50 m; the first by the file's times, from 16:35:13 on.
    #expect(swim.splits.count == 30 && swim.splits.allSatisfy { $0["distance"] == 50_000 })
    #expect(swim.splits.prefix(4).map { $0["duration"] } == [48_000, 45_000, 44_000, 52_000])
    #expect(swim.intervals.map { $0["distance"] } == [1_500_000])
  }

  // MARK: FIT

  /// Four lengths of 25 m, a rest of 20 s in the middle; butterfly, then an unknown stroke.
  private func pool(lengths: [UInt8] = [1, 1, 0, 1, 1], poolLength: UInt16 = 2_500, metres: UInt32 = 100) -> [UInt8] {
    var writer = FITWriter()
    writer.fileID()
    var time = FITWriter.morning
    var swum: UInt32 = 0
    for (index, kind) in lengths.enumerated() {
      let seconds: UInt32 = kind == 1 ? 30 : 20
      var fields: [FITWriter.Field] = [.uint32(2, time), .uint32(3, seconds * 1_000), .enumeration(12, kind)]
      if kind == 1 { fields += [.uint16(5, UInt16(20 + index)), .enumeration(7, index < 2 ? 3 : 99)] }
      writer.message(101, fields)
      for second in 0..<seconds {
        let way = kind == 1 ? second * 2_500 / seconds : 0
        writer.record(time, distance: swum + way, heartRate: UInt8(100 + index))
        time += 1
      }
      if kind == 1 { swum += 2_500 }
      writer.record(time, distance: swum, heartRate: UInt8(100 + index))
    }
    writer.message(
      18,
      [
        .uint32(253, time), .uint32(2, FITWriter.morning), .enumeration(5, 5), .uint32(9, metres * 100),
        .uint16(44, poolLength),
      ])
    return writer.file()
  }

  @Test func `lengths and intervals of a pool swim carry strokes, stroke and rest`() throws {
    let whole = session(try motion(FITImporter.read(pool(), fileName: "x")))
    #expect(
      whole.splits.map(\.values) == [
        [25_000, 30_000, 20, 101, 0, 3, 0], [25_000, 30_000, 21, 102, 0, 3, 0], [25_000, 30_000, 23, 104, 0, 7, 0],
        [25_000, 30_000, 24, 104, 0, 7, 0],
      ])
    #expect(
      whole.intervals.map(\.values) == [
        [0, 0, 20_000, 50_000, 60_000, 41, 1, 100, 0], [0, 0, 0, 50_000, 60_000, 47, 1, 103, 0],
      ])
    let half = session(try motion(FITImporter.read(pool(), fileName: "x")), at: 115)
    #expect(half.splits.count == 3 && half.intervals.map { $0["isCompleted"] } == [1, 0])
  }

  @Test func `lengths that are not the distance are reported as a doubt and not replayed`() throws {
    let doubtful = try FITImporter.read(pool(poolLength: 1_000), fileName: "x")
    #expect(doubtful.findings.contains("the lengths have 40 m of 100 m"))
    #expect(session(try motion(doubtful)).splits.isEmpty)
    // No pool is of 2 m, and none of 327 m.
    for length in [UInt16(200), 32_700] {
      #expect(try FITImporter.read(pool(poolLength: length), fileName: "x").poolLength == nil)
    }
  }

  @Test func `laps of a ride are intervals`() throws {
    var writer = FITWriter()
    let start = FITWriter.morning
    writer.fileID()
    for second in UInt32(0)...300 { writer.record(start + second, distance: second * 400) }
    for (from, seconds) in [(UInt32(0), UInt32(100)), (100, 150), (250, 50)] {
      writer.message(
        19,
        [
          .uint32(2, start + from), .uint32(7, seconds * 1_000), .uint32(8, seconds * 1_000),
          .uint32(9, seconds * 400),
        ])
    }
    writer.session(start: start, sport: 27, elapsed: 300_000, timer: 300_000, distance: 120_000)
    let workout = try FITImporter.read(writer.file(), fileName: "x")
    #expect(workout.sport == "horseback riding")
    let ride = try motion(workout)
    #expect(session(ride).intervals.map { $0["distance"] } == [400_000, 600_000, 200_000])
    #expect(session(ride).intervals.map { $0["duration"] } == [100_000, 150_000, 50_000])
    #expect(session(ride, at: 260).intervals.count == 2 && session(ride).splits.isEmpty)
    let cut = try ride.cut(to: RecordedStretch(from: 60))
    #expect(session(cut).intervals.map { $0["distance"] } == [600_000, 200_000])
    #expect(session(cut, at: 189).intervals.isEmpty && session(cut, at: 190).intervals.count == 1)
    let again = try #require(RecordedParts(session(ride).intervals, of: .riding))
    #expect(again.parts.map(\.millimetres) == [400_000, 600_000, 200_000])
  }

  // MARK: TCX and Health

  @Test func `a swim with a sample at each wall has lengths, one with samples between has none`() throws {
    func swim(_ metres: [Int]) throws -> Session {
      let points = metres.enumerated().map { TCXText.point($0.offset * 40, metres: $0.element) }
      let lap = TCXText.lap(0, seconds: (metres.count - 1) * 40, metres: metres.last ?? 0, [points])
      let text = TCXText.document([TCXText.activity("Swimming", laps: [lap])])
      return session(try motion(ImporterCatalog.read(text, fileName: "x.tcx")))
    }
    let pool = try swim([0, 25, 50, 75])
    #expect(pool.splits.map { $0["duration"] } == [40_000, 40_000, 40_000])
    #expect(pool.intervals.map { $0["distance"] } == [75_000])
    for other in [[0, 25, 50, 70], [0, 5, 10, 15], [0, 25]] { #expect(try swim(other).splits.isEmpty) }
  }

  @Test func `laps of a swim without lengths are intervals`() throws {
    let laps = [0, 1].map { lap in
      TCXText.lap(
        lap * 70, seconds: 60, metres: 60,
        [(0...60).map { TCXText.point(lap * 70 + $0, metres: lap * 60 + $0) }])
    }
    let workout = try ImporterCatalog.read(
      TCXText.document([TCXText.activity("Swimming", laps: laps)]), fileName: "x.tcx")
    let whole = session(try motion(workout))
    #expect(whole.splits.isEmpty)
    #expect(
      whole.intervals.map(\.values) == [
        [0, 0, 10_000, 60_000, 60_000, 0, 1, 140, 0], [0, 0, 0, 60_000, 60_000, 0, 1, 140, 0],
      ])
  }

  @Test func `a swim of a health export has a length for each lap, with its strokes and stroke`() throws {
    func lap(_ second: Int, _ style: Int) -> String {
      """
      <WorkoutEvent type="HKWorkoutEventTypeLap" date="\(HealthText.date(second))" duration="0.5" durationUnit="min">\
      <MetadataEntry key="HKSwimmingStrokeStyle" value="\(style)"/></WorkoutEvent>
      """
    }
    let events =
      lap(0, 2) + lap(30, 4) + "<WorkoutEvent type=\"HKWorkoutEventTypeSegment\" date=\"\(HealthText.date(0))\">"
      + "<MetadataEntry key=\"HKSwimmingStrokeStyle\" value=\"5\"/></WorkoutEvent>" + lap(80, 9)
      + "<MetadataEntry key=\"HKLapLength\" value=\"25 m\"/>"
    let records = [(0, 30, 14), (30, 50, 8), (50, 60, 4), (62, 70, 99), (80, 110, 15)].map { from, to, count in
      HealthText.record("SwimmingStrokeCount", "\(count)", unit: "count", from, to)
    }
    let way = [(0, 30), (30, 60), (80, 110)].map { from, to in
      HealthText.record("DistanceSwimming", "25", unit: "m", from, to)
    }
    let text =
      records.joined() + way.joined()
      + HealthText.workout(seconds: 110, metres: 75, sport: "Swimming", more: events)
    let workout = try ImporterCatalog.read(HealthText.document(text), fileName: "x.xml")
    #expect(workout.poolLength == 25 && workout.lengths.map(\.strokes) == [14, 12, 15])
    #expect(workout.lengths.map(\.stroke) == [.freestyle, .breaststroke, nil])
    let whole = session(try motion(workout))
    #expect(whole.splits.map { $0["stroke"] } == [0, 2, 7])
    #expect(
      whole.intervals.map { [$0["distance"], $0["rest"], $0["strokes"]] } == [[50_000, 20_000, 26], [25_000, 0, 15]])
  }

  // MARK: Written form

  @Test func `parts are read again from the units of a report`() throws {
    let swim = try motion(FITImporter.read(pool(), fileName: "x"))
    var source = RecordedSource(swim)
    _ = source.advance(toMilliseconds: 10_000_000)
    let again = try #require(RecordedParts(source.units, of: .swimming))
    #expect(again.kind == .lengths && again.parts.count == 4)
    let units = try SessionUnit.read(SessionUnit.text(of: source.units), countMax: 100)
    #expect(units == source.units)
    #expect(
      again.units(at: 100_000, isOver: true) { _ in RecordedParts.Readings() }.map { $0["distance"] }
        == units.map { $0["distance"] })
    // The splits of a run are no laps.
    #expect(RecordedParts(units.filter { $0.kind == .split }, of: .running) == nil)
    #expect(RecordedParts([], of: .riding) == nil)
  }

  @Test func `a split without a stroke is written and read as before`() throws {
    let split = SessionUnit(.split, [25_000, 30_000, 20, 100, 0])
    #expect(SessionUnit.text(of: [split]) == "[[2,25000,30000,20,100,0]]")
    #expect(try SessionUnit.read("[[2,25000,30000,20,100,0]]", countMax: 1) == [split])
    #expect(try SessionUnit.read("[[2,25000,30000,20,100,0,3]]", countMax: 1).first?["stroke"] == 3)
    for text in ["[[2,25000,30000,20,100]]", "[[2,25000,30000,20,100,0,8]]", "[[2,25000,30000,20,100,0,3,0,0]]"] {
      #expect(throws: SessionUnitError.self) { try SessionUnit.read(text, countMax: 1) }
    }
  }
}
