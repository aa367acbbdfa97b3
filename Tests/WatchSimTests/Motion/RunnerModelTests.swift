import CoachProtocol
import Testing
import WatchSim

@Suite struct `Runner model` {
  static func run(
    _ seconds: Int64, seed: UInt64 = 42, _ change: (inout RunnerParameters) -> Void = { _ in }
  ) -> [MotionSample] {
    var parameters = RunnerParameters()
    change(&parameters)
    var model = RunnerModel(parameters, seed: seed)
    return (0...seconds).map { model.advance(toMilliseconds: $0 * 1000) }
  }

  @Test func `keeps its target pace within a few seconds a kilometre`() {
    for seed in 0..<10 as Range<UInt64> {
      let samples = Self.run(1_650, seed: seed)
      let metres = Double(samples[1_650].distanceMillimetres) / 1000
      let pace = 1_650 / (metres / 1000)
      #expect(abs(pace - 330) < 4, "seed \(seed): \(pace) s/km")
    }
  }

  @Test(arguments: PacingStrategy.allCases)
  func `spreads its pace as the strategy says, and takes as long for the whole`(pacing: PacingStrategy) throws {
    let samples = Self.run(700) {
      ($0.distance, $0.pace, $0.noise, $0.pacing) = (2_000, 300, 0, pacing)
    }
    let half = try #require(samples.firstIndex { $0.distanceMillimetres >= 1_000_000 })
    let whole = try #require(samples.firstIndex { $0.distanceMillimetres >= 2_000_000 })
    let expected =
      switch pacing {
      case .even, .custom: 300
      case .negative: 306
      case .positive: 294
      }
    #expect(abs(half - expected) <= 1 && abs(whole - 600) <= 1)
  }

  @Test func `wobbles by a few seconds a kilometre within ten seconds`() {
    let samples = Self.run(1_600)
    let paces = stride(from: 10, through: 1_600, by: 10).map { second in
      10e6 / Double(samples[second].distanceMillimetres - samples[second - 10].distanceMillimetres)
    }
    #expect(paces.allSatisfy { $0 > 320 && $0 < 340 })
    #expect((paces.max() ?? 0) - (paces.min() ?? 0) > 4)
  }

  @Test func `its heart begins near 95 and climbs to about 150 in minutes`() {
    let samples = Self.run(1_600)
    #expect((92...98).contains(samples[0].heartRate))
    #expect((110...135).contains(samples[30].heartRate))
    #expect((143...154).contains(samples[300].heartRate))
    #expect((144...158).contains(samples[1_600].heartRate))
  }

  @Test func `steps about 170 times a minute`() {
    #expect(Self.run(600).allSatisfy { (167...173).contains($0.cadence) })
  }

  @Test func `without noise it is a machine`() {
    let samples = Self.run(100) {
      $0.noise = 0
      $0.pace = 250
    }
    #expect(samples.map(\.distanceMillimetres) == (0...100).map { $0 * 4_000 })
  }

  @Test func `drift makes each kilometre slower`() {
    let samples = Self.run(1_800) {
      $0.noise = 0
      $0.drift = 10
    }
    let thirds = [600, 1_200, 1_800].map { samples[$0].distanceMillimetres - samples[$0 - 600].distanceMillimetres }
    #expect(thirds[0] > thirds[1] && thirds[1] > thirds[2])
  }

  @Test func `hills slow the climb and speed the descent`() {
    let samples = Self.run(400) {
      $0.noise = 0
      $0.hills = 10
    }
    func seconds(_ from: Int64, _ to: Int64) -> Int {
      samples.count { $0.distanceMillimetres >= from * 1000 && $0.distanceMillimetres < to * 1000 }
    }
    #expect(seconds(0, 250) > 82 && seconds(250, 500) < 82)
    #expect(seconds(500, 750) < 82 && seconds(750, 1_000) > 82)
  }

  @Test func `a stop lasts exactly as long as given, and the heart rate falls`() {
    let samples = Self.run(700) { $0.stops = [.init(atMeters: 1_500, forSeconds: 60)] }
    let standing = samples.indices.filter { samples[$0].isPaused }
    #expect(standing.count == 60)
    #expect(standing.last.map { $0 - standing[0] } == 59)
    #expect(samples[standing[0]].distanceMillimetres >= 1_500_000)
    #expect(samples[standing[59]].distanceMillimetres == samples[standing[0]].distanceMillimetres)
    #expect(samples[standing[59]].heartRate < samples[standing[0]].heartRate - 20)
    #expect(standing.allSatisfy { samples[$0].cadence == 0 })
  }

  @Test func `two stops at one place are stood one after the other`() {
    let samples = Self.run(200) {
      $0.stops = [.init(atMeters: 100, forSeconds: 5), .init(atMeters: 100, forSeconds: 7)]
    }
    #expect(samples.count { $0.isPaused } == 12)
  }

  @Test func `is finished at its distance and not before`() {
    let samples = Self.run(120) { $0.distance = 300 }
    for sample in samples { #expect(sample.isFinished == (sample.distanceMillimetres >= 300_000)) }
    #expect(samples.contains { $0.isFinished })
  }

  @Test func `what happens does not depend on how often it is asked`() {
    let parameters = RunnerParameters()
    var often = RunnerModel(parameters, seed: 9)
    var once = RunnerModel(parameters, seed: 9)
    for milliseconds in stride(from: 0, through: 600_000, by: 250) as StrideThrough<Int64> {
      _ = often.advance(toMilliseconds: milliseconds)
    }
    #expect(often.advance(toMilliseconds: 600_500) == once.advance(toMilliseconds: 600_500))
    #expect(often == once)
  }

  @Test func `distance and energy never fall`() {
    let samples = Self.run(1_000) {
      $0.noise = 10
      $0.hills = 40
      $0.stops = [.init(atMeters: 200, forSeconds: 30)]
    }
    for (before, after) in zip(samples, samples.dropFirst()) {
      #expect(before.distanceMillimetres <= after.distanceMillimetres)
      #expect(before.energyDecikilocalories <= after.energyDecikilocalories)
    }
  }

  @Test func `the heart comes down while a command holds the runner`() {
    var model = RunnerModel(RunnerParameters(), seed: 1)
    let running = model.advance(toMilliseconds: 600_000)
    var resting = running
    for _ in 0..<120 { resting = model.rest(milliseconds: 1_000) }
    #expect(resting.distanceMillimetres == running.distanceMillimetres)
    #expect(resting.heartRate < 100)
    #expect(resting.cadence == 0)
  }

  @Test func `its positions stay on the course but for the receiver's error`() throws {
    var exact = RunnerParameters()
    exact.noise = 0
    var model = RunnerModel(exact, seed: 1)
    let start = try #require(model.advance(toMilliseconds: 0).position)
    let corner = try #require(model.advance(toMilliseconds: 82_500).position)
    // 250 m north is 0.0022483 degrees.
    #expect(abs(corner.latitudeE7 - start.latitudeE7 - 22_483) < 100)
    #expect(abs(corner.longitudeE7 - start.longitudeE7) < 100)
    let noisy = Self.run(60)
    let plain = Self.run(60) { $0.noise = 0 }
    for (a, b) in zip(noisy, plain) {
      let (here, there) = (try #require(a.position), try #require(b.position))
      // A decimetre is 9 units of latitude.
      #expect(abs(here.latitudeE7 - there.latitudeE7) <= Int32(here.accuracyDecimetres) * 9 + 100)
    }
    #expect(zip(noisy, plain).contains { $0.position != $1.position })
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `the boldest parameters give numbers in their bounds`(seed: UInt64) {
    let samples = Self.run(2_000, seed: seed) {
      $0.pace = 90
      $0.drift = -300
      $0.hills = 40
      $0.noise = 10
      $0.restingHeartRate = 30
      $0.maximumHeartRate = 250
      $0.distance = 1_000_000
    }
    #expect(samples.allSatisfy { (30...250).contains($0.heartRate) && $0.cadence < 400 })
  }

  @Test func `for one seed the numbers are these, on every machine`() {
    let samples = Self.run(1_200) {
      $0.hills = 6
      $0.drift = 2
      $0.stops = [.init(atMeters: 1_000, forSeconds: 20)]
    }
    let golden = [0, 1, 10, 60, 300, 600, 1_200].map { second in
      let sample = samples[second]
      return "\(second) \(sample.distanceMillimetres) \(sample.heartRate) \(sample.cadence) "
        + "\(sample.energyDecikilocalories) \(sample.position?.latitudeE7 ?? 0) \(sample.position?.longitudeE7 ?? 0)"
    }
    #expect(
      golden == [
        "0 0 96 168 0 525144930 133500617",
        "1 2635 98 167 2 525145397 133501140",
        "10 26487 110 168 19 525147384 133501204",
        "60 165539 141 168 116 525159838 133501182",
        "300 912094 151 168 638 525145088 133513728",
        "600 1755725 145 171 1229 525145213 133536902",
        "1200 3524016 147 172 2467 525165197 133537661",
      ])
  }

  @Test func `intervals are run at their pace, with a walk after each, and reported`() {
    var parameters = RunnerParameters()
    parameters.noise = 0
    parameters.distance = 2_000
    parameters.intervals = [.init(distance: 400, pace: 250, rest: 30), .init(distance: 400, rest: 0)]
    var model = RunnerModel(parameters, seed: 1)
    let samples = (0...700).map { model.advance(toMilliseconds: $0 * 1_000) }
    #expect(samples[100].distanceMillimetres == 400_000)
    #expect((30_000...50_000).contains(samples[130].distanceMillimetres - samples[100].distanceMillimetres))
    #expect(samples[90].cadence > 165 && samples[110].cadence == 115)
    #expect(samples[100].heartRate > samples[130].heartRate)
    let intervals = model.units
    #expect(intervals.map { $0["isCompleted"] } == [1, 1])
    #expect(intervals.map { $0["duration"] } == [100_000, 133_000] && intervals.map { $0["rest"] } == [30_000, 0])
    #expect(intervals.map { $0["targetDuration"] } == [100_000, 132_000])
    #expect(intervals.allSatisfy { $0["heartRate"] > 90 && $0["cadence"] > 165 })
    var short = RunnerModel(parameters, seed: 1)
    _ = short.advance(toMilliseconds: 140_000)
    #expect(short.units.map { $0["isCompleted"] } == [1, 0])
    // A stop is no part of an interval.
    parameters.stops = [.init(atMeters: 200, forSeconds: 60)]
    var stopping = RunnerModel(parameters, seed: 1)
    _ = stopping.advance(toMilliseconds: 170_000)
    #expect(stopping.units.first?["duration"] == 100_000)
  }

  @Test func `positions are worse under trees and bridges, at the same places of each lap`() {
    var bridges = 0
    for seed in 0..<20 as Range<UInt64> {
      let samples = Self.run(660, seed: seed)
      let radii = samples.compactMap { $0.position?.accuracyDecimetres }
      #expect(radii.allSatisfy { $0 >= 50 && $0 < 370 } && Set(radii.map { $0 / 20 }).count > 1)
      if radii.contains(where: { $0 >= 350 }) { bridges += 1 }
    }
    #expect((4...16).contains(bridges))
    #expect(Self.run(60) { $0.noise = 0 }.allSatisfy { $0.position?.accuracyDecimetres == 50 })
  }
}

@Suite struct `Runner parameters` {
  @Test func `the defaults are in their bounds`() throws { try RunnerParameters().validate() }

  @Test func `a value out of its bounds is refused by its key`() {
    func key(_ change: (inout RunnerParameters) -> Void) -> String? {
      var parameters = RunnerParameters()
      change(&parameters)
      do { try parameters.validate() } catch { return error.key }
      return nil
    }
    #expect(key { $0.distance = 0 } == "distance")
    #expect(key { $0.distance = .nan } == "distance")
    #expect(key { $0.pace = 89 } == "pace")
    #expect(key { $0.pace = .infinity } == "pace")
    #expect(key { $0.drift = 301 } == "drift")
    #expect(key { $0.hills = -1 } == "hills")
    #expect(key { $0.restingHeartRate = 20 } == "restingHeartRate")
    #expect(key { $0.maximumHeartRate = 65 } == "maximumHeartRate")
    #expect(key { $0.noise = 11 } == "noise")
    #expect(key { $0.stops = [.init(atMeters: -1, forSeconds: 5)] } == "stops.at")
    #expect(key { $0.stops = [.init(atMeters: 1, forSeconds: 0.2)] } == "stops.for")
  }
}
