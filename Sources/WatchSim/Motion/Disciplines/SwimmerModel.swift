package import CoachProtocol
package import Link

/// A swimmer in a pool: lengths of crawl, turns, and rests at the wall; or in a lake, along a line of buoys and back.
///
/// The whole session is drawn at the start, a draw for each length; in open water a length is 100 m. The sources of
/// its figures are in docs/built-in-apps.md. Satellites cannot be received in a pool, so only a lake has positions.
package struct SwimmerModel: DisciplineSource {
  /// A scenario's `workout.source.model`.
  package struct Parameters: Sendable, Equatable {
    /// Where it is, as HealthKit's `HKWorkoutSwimmingLocationType` has it.
    package enum Location: String, Sendable, CaseIterable { case pool, openWater }

    package var location = Location.pool
    /// Metres of a length.
    package var poolLength = 25.0
    /// Metres in all; rounded up to whole lengths.
    package var distance = 400.0
    /// Seconds for 100 metres, turns included.
    package var pace = 120.0
    /// Metres between two rests; rounded to whole lengths, 0 for none.
    package var interval = 100.0
    /// Seconds of a rest at the wall.
    package var rest = 20.0
    /// Arm strokes per minute.
    package var strokeRate = 60.0
    package var restingHeartRate = 60
    package var maximumHeartRate = 190
    /// 0 is a machine, 1 a swimmer.
    package var noise = 1.0
  }

  package static let discipline = TrainingDiscipline.swimming

  package static let schema = ObjectSchema<Parameters>(
    "workout.source.model: swimming",
    "A swimmer, of the discipline `swimming` ([disciplines](built-in-apps.md#disciplines)).",
    Parameters(),
    [
      Field("location", \.location, .word, "open water has a route, and a split each 100 m").omittedAtDefault,
      Field("poolLength", \.poolLength, .number(10...100, unit: "metres"), "one length; only of a pool")
        .omittedAtDefault,
      Field("distance", \.distance, .number(10...50_000, unit: "metres"), "rounded up to whole lengths")
        .omittedAtDefault,
      Field("pace", \.pace, .number(40...600, unit: "seconds"), "for 100 m, turns included").omittedAtDefault,
      Field(
        "interval", \.interval, .number(0...50_000, unit: "metres"),
        "from one rest at the wall to the next; 0 for no rest"
      ).omittedAtDefault,
      Field("rest", \.rest, .seconds(.seconds(1)...(.hours(1))), "how long a rest is; whole seconds").omittedAtDefault,
      Field("strokeRate", \.strokeRate, .number(10...150), "arm strokes per minute").omittedAtDefault,
      Field("restingHeartRate", \.restingHeartRate, .integer(30...120), "beats per minute").omittedAtDefault,
      Field("maximumHeartRate", \.maximumHeartRate, .integer(130...250), "beats per minute").omittedAtDefault,
      Field("noise", \.noise, .number(0...10), "0 is a machine, 1 a swimmer").omittedAtDefault,
    ]
  ) { _, reader in
    guard reader.value("location")?.node.text == Parameters.Location.openWater.rawValue, reader.has("poolLength") else {
      return true
    }
    reader.value("poolLength")?.error("found a length of the pool, expected none in open water")
    return false
  }

  /// A length, in milliseconds of the source's clock.
  private struct Length: Sendable, Equatable {
    var from: Int64
    var to: Int64
    var strokes: Int64
    /// The interval to which it belongs, from 0.
    var interval: Int64
  }

  private let parameters: Parameters
  private let random: RandomStream
  private let lengths: [Length]
  private let lengthMillimetres: Int64
  private let restMilliseconds: Int64
  private let lengthsPerInterval: Int64

  private var milliseconds: Int64 = 0
  /// Index of the length that is being swum, or comes next.
  private var current = 0
  private var pulse: Pulse
  /// The pulse at the end of each finished length.
  private var rates: [UInt8] = []

  package init(_ parameters: Parameters, seed: UInt64) {
    self.parameters = parameters
    let random = RandomStream(seed: seed, name: "watch/swimmer")
    self.random = random
    let isPool = parameters.location == .pool
    let length = isPool ? parameters.poolLength : Self.openWaterLength
    let millimetres = Int64(length * 1_000 + 0.5)
    lengthMillimetres = millimetres
    let rest = Int64(parameters.rest + 0.5) * 1_000
    restMilliseconds = rest
    let count = max(1, (Int64(parameters.distance * 1_000 + 0.5) + millimetres - 1) / millimetres)
    let perInterval =
      parameters.interval > 0 ? max(1, Int64(parameters.interval * 1_000 / Double(millimetres) + 0.5)) : count
    lengthsPerInterval = perInterval
    var lengths: [Length] = []
    var at: Int64 = 0
    for number in 0..<count {
      if number > 0, number % perInterval == 0, parameters.interval > 0 { at += rest }
      let bits = random.bits(for: UInt64(number))
      let wobble = 1 + parameters.noise * 0.02 * Draw.unit(bits)
      let duration = max(1_000, Int64(parameters.pace * length * 10 * wobble + 0.5))
      // After the push-off from a wall the swimmer glides for five metres.
      let swum = isPool ? max(0.2, 1 - 5 / length) : 1
      let rate = parameters.strokeRate * (1 + parameters.noise * 0.03 * Draw.unit(bits >> 16))
      let strokes = max(1, Int64(rate / 60 * Double(duration) / 1_000 * swum + 0.5))
      lengths.append(Length(from: at, to: at + duration, strokes: strokes, interval: number / perInterval))
      at += duration
    }
    self.lengths = lengths
    let reserve = Double(parameters.maximumHeartRate - parameters.restingHeartRate)
    pulse = Pulse(Double(parameters.restingHeartRate) + 0.25 * reserve)
  }

  /// Metres of a split in open water.
  private static let openWaterLength = 100.0
  /// Metres from the shore to the last buoy.
  private static let outMillimetres: Int64 = 250_000
  /// A bathing place of Berlin's Müggelsee; the buoys lie to the south of it.
  private static let shore = (latitudeE7: Int32(524_470_000), longitudeE7: Int32(136_480_000))

  var isOpenWater: Bool { parameters.location == .openWater }

  /// The position, with the error of a receiver that is under water at every stroke; nil in a pool.
  private func position(atMillimetres distance: Int64) -> GeoPosition? {
    guard isOpenWater else { return nil }
    let lap = distance % (2 * Self.outMillimetres)
    let out = Double(min(lap, 2 * Self.outMillimetres - lap)) / 1_000
    let bits = random.bits(for: UInt64(milliseconds / 1_000), draw: 3)
    let (south, east) = (
      out + parameters.noise * 6 * Draw.unit(bits), parameters.noise * 6 * Draw.unit(bits >> 16)
    )
    return GeoPosition(
      latitudeE7: Self.shore.latitudeE7 - Int32(south * 89.932),
      longitudeE7: Self.shore.longitudeE7 + Int32(east * 147.55),
      accuracyDecimetres: parameters.noise > 0 ? 100 + UInt16((bits >> 32) & 63) : 100)
  }

  package var secondsExpected: Int { Int((lengths.last?.to ?? 0) / 1_000) + 1 }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    let own = self
    while current < lengths.count, lengths[current].to <= milliseconds {
      let end = lengths[current].to / 1_000
      pulse.advance(toSecond: end) { own.target(atSecond: $0) }
      rates.append(pulse.reading(random, noise: parameters.noise))
      current += 1
    }
    self.milliseconds = milliseconds
    pulse.advance(toSecond: milliseconds / 1_000) { own.target(atSecond: $0) }
    return sample
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    pulse.rest(milliseconds: milliseconds, at: Double(parameters.restingHeartRate) + 0.3 * reserve)
    var sample = self.sample
    sample.cadence = 0
    return sample
  }

  private var reserve: Double { Double(parameters.maximumHeartRate - parameters.restingHeartRate) }

  /// Swimming takes 72 % of the reserve, a rest at the wall leads towards 45 %.
  private func target(atSecond second: Int64) -> Double {
    Double(parameters.restingHeartRate) + (isSwimming(atMilliseconds: second * 1_000) ? 0.72 : 0.45) * reserve
  }

  private func isSwimming(atMilliseconds instant: Int64) -> Bool {
    var (low, high) = (0, lengths.count)
    while low < high {
      let middle = (low + high) / 2
      if lengths[middle].to <= instant { low = middle + 1 } else { high = middle }
    }
    return low < lengths.count && lengths[low].from <= instant
  }

  private var sample: MotionSample {
    var distance = Int64(current) * lengthMillimetres
    var isSwimming = false
    if current < lengths.count, lengths[current].from < milliseconds {
      let length = lengths[current]
      let way = lengthMillimetres * (milliseconds - length.from) / (length.to - length.from)
      // At least a centimetre short of the wall: only a turn makes it a length.
      distance += min(way, lengthMillimetres - 10)
      isSwimming = true
    }
    return MotionSample(
      distanceMillimetres: distance,
      energyDecikilocalories: Sport.swimming.activeDecikilocalories(millimetres: distance, milliseconds: milliseconds),
      heartRate: pulse.reading(random, noise: parameters.noise),
      cadence: isSwimming ? UInt16(parameters.strokeRate + 0.5) : 0, isFinished: current >= lengths.count,
      position: position(atMillimetres: distance))
  }

  /// A split for each finished length, and an interval for each that has begun.
  package var units: [SessionUnit] {
    let done = lengths[..<current]
    var units = done.enumerated().map { index, length in
      SessionUnit(
        .split, [lengthMillimetres, length.to - length.from, length.strokes, Int64(rates[index]), 0])
    }
    let all = Int64(lengths.count)
    for number in 0...(max(0, Int64(current) - 1) / lengthsPerInterval) where current > 0 {
      let own = done.filter { $0.interval == number }
      let beats = zip(done, rates).filter { $0.0.interval == number }.map { Int64($0.1) }
      let planned = min(lengthsPerInterval, all - number * lengthsPerInterval)
      let isLast = (number + 1) * lengthsPerInterval >= all
      guard let first = own.first, let last = own.last else { continue }
      units.append(
        SessionUnit(
          .interval,
          [
            planned * lengthMillimetres, Int64(parameters.pace * Double(lengthMillimetres) / 100 + 0.5) * planned,
            isLast ? 0 : restMilliseconds, Int64(own.count) * lengthMillimetres, last.to - first.from,
            own.reduce(0) { $0 + $1.strokes }, Int64(own.count) == planned ? 1 : 0,
            beats.reduce(0, +) / Int64(max(1, beats.count)),
          ]))
    }
    return units
  }
}
