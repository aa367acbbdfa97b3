import CoachProtocol
import Foundation
import Link
import Testing
@testable import WatchSim

/// The models of swimming, riding and shooting.
@Suite struct DisciplineModelTests {
  /// Samples at every second, and the units at the end.
  private static func run<Model: DisciplineSource>(
    _ model: Model.Type, _ parameters: Model.Parameters, seed: UInt64 = 5, seconds: Int? = nil
  ) -> (samples: [MotionSample], units: [SessionUnit]) {
    var source = Model(parameters, seed: seed)
    let last = seconds ?? source.secondsExpected + 1
    let samples = (0...last).map { source.advance(toMilliseconds: Int64($0) * 1_000) }
    return (samples, source.units)
  }

  private static func all(_ units: [SessionUnit], _ kind: SessionUnit.Kind) -> [SessionUnit] {
    units.filter { $0.kind == kind }
  }

  @Test func `each discipline but running has one model, in a file of its own`() throws {
    let disciplines = DisciplineCatalog.all.map { $0.discipline }
    #expect(Set(disciplines + [.running]) == Set(TrainingDiscipline.allCases) && disciplines.count == 3)
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/WatchSim/Motion/Disciplines").standardized
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == DisciplineCatalog.all.count)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a swim of 16 lengths has 16 splits, rests at the wall, and no position`(seed: UInt64) throws {
    let (samples, units) = Self.run(SwimmerModel.self, SwimmerModel.Parameters(), seed: seed)
    #expect(samples.allSatisfy { $0.position == nil && !$0.isPaused })
    #expect(samples.last?.distanceMillimetres == 400_000 && samples.last?.isFinished == true)
    let splits = Self.all(units, .split)
    #expect(splits.count == 16 && splits.allSatisfy { $0["distance"] == 25_000 })
    // 25 m at 2:00 for 100 m, and the strokes of a minute for half a minute without the glide.
    #expect(splits.allSatisfy { (28_000...32_000).contains($0["duration"]) && (21...27).contains($0["strokes"]) })
    let intervals = Self.all(units, .interval)
    #expect(intervals.count == 4 && intervals.allSatisfy { $0["isCompleted"] == 1 && $0["distance"] == 100_000 })
    #expect(intervals.reduce(0) { $0 + $1["strokes"] } == splits.reduce(0) { $0 + $1["strokes"] })
    #expect(intervals.map { $0["rest"] } == [20_000, 20_000, 20_000, 0])
    // Three rests of 20 s: the distance stays for a second at least 50 times.
    let still = zip(samples, samples.dropFirst()).filter { $0.distanceMillimetres == $1.distanceMillimetres }
    #expect(still.count >= 54)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.distanceMillimetres <= $1.distanceMillimetres })
    #expect((140...165).contains(try #require(samples.map(\.heartRate).max())))
  }

  @Test func `a swim in open water goes out to the buoys and back, with a split each 100 m`() throws {
    var parameters = SwimmerModel.Parameters()
    (parameters.location, parameters.distance, parameters.interval) = (.openWater, 500, 0)
    let (samples, units) = Self.run(SwimmerModel.self, parameters)
    let south = try samples.map { try #require($0.position).latitudeE7 }
    let farthest = try #require(south.indices.min { south[$0] < south[$1] })
    // 250 m are 22,483 units of 10^-7 degrees; the error of a fix is at most 6 m.
    #expect(abs(Int(south[0] - south[farthest]) - 22_483) < 1_100)
    #expect(abs(Int(samples[farthest].distanceMillimetres) - 250_000) < 13_000)
    #expect(abs(Int(south[0] - (south.last ?? 0))) < 1_100)
    let splits = Self.all(units, .split)
    #expect(splits.count == 5 && splits.allSatisfy { $0["distance"] == 100_000 })
  }

  @Test func `a length that was not finished is no split, and its interval is not completed`() {
    let (samples, units) = Self.run(SwimmerModel.self, SwimmerModel.Parameters(), seconds: 75)
    #expect(Self.all(units, .split).count == 2)
    #expect(Self.all(units, .interval).map { $0["isCompleted"] } == [0])
    #expect((50_001...74_999).contains(samples[75].distanceMillimetres))
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `gaits change by one step, cover the ride, and have their speeds`(seed: UInt64) throws {
    let (samples, units) = Self.run(RiderModel.self, RiderModel.Parameters(), seed: seed)
    let gaits = Self.all(units, .gait)
    #expect(gaits.first?["gait"] == Gait.walk.rawValue && gaits.count > 4)
    #expect(zip(gaits, gaits.dropFirst()).allSatisfy { abs($0["gait"] - $1["gait"]) == 1 && $0["to"] == $1["from"] })
    #expect(gaits.first?["from"] == 0 && gaits.last?["to"] == 1_200_000)
    #expect(gaits.reduce(0) { $0 + $1["distance"] } == samples.last?.distanceMillimetres)
    let speeds: [Int64: Double] = [1: 1.44, 2: 2.83, 3: 4.14]
    for gait in gaits where gait["to"] - gait["from"] >= 30_000 {
      let speed = Double(gait["distance"]) / Double(gait["to"] - gait["from"])
      #expect(abs(speed - (try #require(speeds[gait["gait"]]))) < 0.1)
    }
    let reins = Self.all(units, .rein)
    #expect(reins.first?["from"] == 0 && reins.last?["to"] == 1_200_000)
    #expect(zip(reins, reins.dropFirst()).allSatisfy { $0["rein"] != $1["rein"] && $0["to"] == $1["from"] })
    #expect(samples.allSatisfy { $0.position != nil })
    #expect(samples.last?.isFinished == true && samples[1_199].isFinished == false)
  }

  @Test func `the intervals of a ride are its first gaits, and the last one is not done`() throws {
    let collector = DiagnosticsCollector(file: "x")
    let text =
      "{\"duration\":\"2m\",\"intervals\":[{\"gait\":\"trot\",\"duration\":70},{\"gait\":\"walk\",\"duration\":\"80s\"}]}"
    let reader = try #require(JSONObjectReader(try JSONParser.parse(text, dialect: .json), into: collector))
    let plan = try #require(DisciplinePlan(.riding, reader))
    #expect(collector.diagnostics.list.isEmpty)
    var source = plan.source(seed: 3)
    _ = source.advance(toMilliseconds: 120_000)
    let (gaits, intervals) = (Self.all(source.units, .gait), Self.all(source.units, .interval))
    #expect(gaits.map { $0["gait"] } == [Gait.trot.rawValue, Gait.walk.rawValue])
    #expect(intervals.map { $0["targetDuration"] } == [70_000, 80_000])
    #expect(intervals.map { $0["duration"] } == [70_000, 50_000] && intervals.map { $0["isCompleted"] } == [1, 0])
    #expect(intervals.map { $0["distance"] } == gaits.map { $0["distance"] })
  }

  @Test func `a shooter stands still, and its shots come in their ends with the mean of its skill`() {
    var totals: [Int64] = []
    for seed in 0..<60 as Range<UInt64> {
      let (samples, units) = Self.run(ShooterModel.self, ShooterModel.Parameters(), seed: seed)
      #expect(samples.allSatisfy { $0.distanceMillimetres == 0 && $0.position == nil })
      #expect(units.count == 20 && units.map { $0["end"] * 5 + $0["index"] } == Array(0..<20))
      #expect(units[4]["at"] == 100_000 && units[5]["at"] == 180_000)
      #expect(samples.last?.isFinished == true)
      totals.append(units.reduce(0) { $0 + $1["score"] })
    }
    let mean = Double(totals.reduce(0, +)) / Double(totals.count * 20)
    #expect(abs(mean - 8.5) < 0.25, "\(mean)")
    #expect(Set(totals).count > 5)
  }

  @Test(arguments: DisciplineCatalog.all.indices)
  func `what happens does not depend on how often it is asked`(index: Int) {
    func check<Model: DisciplineSource>(_ model: Model.Type) {
      var often = Model(model.schema.standard, seed: 9)
      var once = Model(model.schema.standard, seed: 9)
      for milliseconds in stride(from: 0, through: 300_000, by: 250) as StrideThrough<Int64> {
        _ = often.advance(toMilliseconds: milliseconds)
      }
      #expect(often.advance(toMilliseconds: 300_500) == once.advance(toMilliseconds: 300_500))
      #expect(often == once && often.units == once.units)
      let other = Model(model.schema.standard, seed: 10)
      #expect(AnyDisciplineSource(other) != AnyDisciplineSource(Model(model.schema.standard, seed: 9)))
    }
    check(DisciplineCatalog.all[index])
  }

  @Test func `units survive text, and hostile text is refused`() throws {
    let (_, units) = Self.run(RiderModel.self, RiderModel.Parameters())
    #expect(try SessionUnit.read(SessionUnit.text(of: units), countMax: 400) == units)
    for text in [
      "{}", "[[9,1]]", "[[1]]", "[[6,0,0,11,0]]", "[[6,0,0,5]]", "[[6,0,0,5.5,0]]", "[1]", "[[4,7,0,1,1]]", "[",
      "[[2,-1,0,0,0,0]]", "[[2,99999999999999999999,0,0,0,0]]",
    ] {
      #expect(throws: SessionUnitError.self, "\(text)") { try SessionUnit.read(text, countMax: 400) }
    }
    #expect(throws: SessionUnitError.self) { try SessionUnit.read(SessionUnit.text(of: units), countMax: 2) }
  }
}
