package import CoachProtocol
package import Link

/// A rider on a horse: walk, trot and canter on both reins, round an arena of 60 by 20 metres.
///
/// The gaits follow one another as a horse changes them: walk to trot, trot to walk or canter, canter to trot. The
/// stretches are drawn at the start. The sources of the figures are in docs/built-in-apps.md.
package struct RiderModel: DisciplineSource {
  /// A scenario's `workout.source.model`.
  package struct Parameters: Sendable, Equatable {
    /// Seconds in the saddle.
    package var duration = 1_200.0
    /// Metres per second.
    package var walk = 1.44
    package var trot = 2.83
    package var canter = 4.14
    /// Probability that a trot becomes a canter, and not a walk.
    package var canterShare = 0.5
    /// 0 is a machine, 1 a horse.
    package var noise = 1.0
    /// Ridden one after another from the start; after them, gaits follow one another as they are drawn.
    package var intervals: [Interval] = []
  }

  /// A stretch that is ridden in one gait.
  package struct Interval: Sendable, Equatable {
    var gait = Gait.walk
    /// Seconds.
    var duration = 60.0

    fileprivate var seconds: Int64 { Int64(duration + 0.5) }

    fileprivate static let schema = ObjectSchema<Self>(
      "workout.source.model: riding.intervals[]", "An interval of a ride.", Self(),
      [
        Field("gait", \.gait.text, .words(Gait.allCases.map(\.text)), "the gait", .required),
        Field(
          "duration", \.duration, .seconds(.seconds(1)...(.hours(12))), "how long it is; whole seconds", .required),
      ])
  }

  package static let discipline = TrainingDiscipline.riding

  package static let schema = ObjectSchema<Parameters>(
    "workout.source.model: riding",
    "A rider on a horse, of the discipline `riding` ([disciplines](built-in-apps.md#disciplines)).",
    Parameters(),
    [
      Field("duration", \.duration, .seconds(.seconds(60)...(.hours(12))), "how long the ride is; whole seconds")
        .omittedAtDefault,
      Field("walk", \.walk, .number(0.5...3, unit: "m/s"), "speed of the walk").omittedAtDefault,
      Field("trot", \.trot, .number(1...8, unit: "m/s"), "speed of the trot").omittedAtDefault,
      Field("canter", \.canter, .number(2...12, unit: "m/s"), "speed of the canter").omittedAtDefault,
      Field("canterShare", \.canterShare, .number(0...1), "how likely a trot becomes a canter, and not a walk")
        .omittedAtDefault,
      Field("noise", \.noise, .number(0...10), "0 is a machine, 1 a horse").omittedAtDefault,
      Field(
        "intervals", \.intervals, .array(of: .object(Interval.schema), count: 0...100),
        "what is ridden from the start on, one after another"
      ).omittedAtDefault,
    ])

  /// A stretch in one gait, or on one rein, in seconds.
  private struct Stretch<Kind: Sendable & Equatable>: Sendable, Equatable {
    var kind: Kind
    var from: Int64
    var to: Int64
  }

  private let parameters: Parameters
  private let random: RandomStream
  private let gaits: [Stretch<Gait>]
  private let reins: [Stretch<Rein>]
  private let endSeconds: Int64

  private var second: Int64 = 0
  private var fraction: Int64 = 0
  /// Millimetres at the second's start.
  private var distance: Int64 = 0
  /// Millimetres per second in it.
  private var speed: Int64 = 0
  /// Millimetres along the track: less on the right rein.
  private var place: Int64 = 0
  /// Hundredths of a second of a metabolic equivalent above rest.
  private var effort: Int64 = 0
  private var gaitIndex = 0
  private var reinIndex = 0
  /// Millimetres at the start of each stretch so far.
  private var marks: [Int64] = [0]
  private var pulse = Pulse(100)
  private let sky: Sky

  package init(_ parameters: Parameters, seed: UInt64) {
    self.parameters = parameters
    let random = RandomStream(seed: seed, name: "watch/rider")
    self.random = random
    let end = Int64(parameters.duration + 0.5)
    endSeconds = end
    gaits = Self.gaits(parameters, random, end: end)
    var reins: [Stretch<Rein>] = []
    var at: Int64 = 0
    while at < end {
      let number = UInt64(reins.count)
      let to = min(end, at + Draw.between(60, 240, random, for: number, draw: 3))
      reins.append(Stretch(kind: reins.count % 2 == 0 ? .left : .right, from: at, to: to))
      at = to
    }
    self.reins = reins
    sky = Sky(seed: seed, metres: 160, noise: parameters.noise)
    begin()
  }

  private static func gaits(_ parameters: Parameters, _ random: RandomStream, end: Int64) -> [Stretch<Gait>] {
    var gaits: [Stretch<Gait>] = []
    var at: Int64 = 0
    var gait = Gait.walk
    let toCanter = Probability(parameters.canterShare) ?? .always
    for interval in parameters.intervals where at < end {
      gaits.append(Stretch(kind: interval.gait, from: at, to: min(end, at + interval.seconds)))
      at += interval.seconds
    }
    if gaits.last?.kind == .walk || gaits.last?.kind == .canter { gait = .trot }
    while at < end {
      let number = UInt64(gaits.count)
      let length =
        switch gait {
        case .halt, .walk: Draw.between(60, 180, random, for: number)
        case .trot: Draw.between(60, 240, random, for: number)
        case .canter: Draw.between(30, 120, random, for: number)
        }
      let to = min(end, at + length)
      gaits.append(Stretch(kind: gait, from: at, to: to))
      at = to
      gait =
        switch gait {
        case .halt, .walk, .canter: .trot
        case .trot: random.happens(toCanter, for: number, draw: 1) ? .canter : .walk
        }
    }
    return gaits
  }

  package var secondsExpected: Int { Int(endSeconds) + 1 }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    let whole = min(milliseconds / 1_000, endSeconds)
    while second < whole {
      distance += speed
      place += reins[reinIndex].kind == .left ? speed : -speed
      effort += Self.equivalents(gaits[gaitIndex].kind)
      second += 1
      begin()
    }
    let own = self
    pulse.advance(toSecond: whole) { own.target(atSecond: $0) }
    fraction = second == endSeconds ? 0 : milliseconds - whole * 1_000
    return sample
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    pulse.rest(milliseconds: milliseconds, at: 90)
    return sample
  }

  /// Computes the second that begins now.
  private mutating func begin() {
    while gaitIndex + 1 < gaits.count, gaits[gaitIndex + 1].from <= second {
      gaitIndex += 1
      marks.append(distance)
    }
    while reinIndex + 1 < reins.count, reins[reinIndex + 1].from <= second { reinIndex += 1 }
    guard second < endSeconds else {
      speed = 0
      return
    }
    let metres =
      switch gaits[gaitIndex].kind {
      case .halt: 0.0
      case .walk: parameters.walk
      case .trot: parameters.trot
      case .canter: parameters.canter
      }
    let wobble = 1 + parameters.noise * 0.05 * Draw.unit(random.bits(for: UInt64(second), draw: 4))
    speed = max(0, Int64(metres * 1_000 * max(0, wobble) + 0.5))
  }

  private func target(atSecond second: Int64) -> Double {
    let index = gaits.lastIndex { $0.from <= second } ?? 0
    return switch gaits[index].kind {
    case .halt: 95
    case .walk: 128
    case .trot: 137
    case .canter: 149
    }
  }

  /// Metabolic equivalents above rest, in hundredths.
  private static func equivalents(_ gait: Gait) -> Int64 {
    switch gait {
    case .halt: 30
    case .walk: 280
    case .trot: 480
    case .canter: 630
    }
  }

  private var sample: MotionSample {
    let way = speed * fraction / 1_000
    let along = place + (reins[reinIndex].kind == .left ? way : -way)
    return MotionSample(
      distanceMillimetres: distance + way, energyDecikilocalories: effort * 70 * 10 / 100 / 3_600,
      heartRate: pulse.reading(random, noise: parameters.noise), isFinished: second >= endSeconds,
      position: position(atMillimetres: along))
  }

  /// The position on the track round the arena, with the receiver's error.
  private func position(atMillimetres along: Int64) -> GeoPosition {
    let round: Int64 = 160_000
    let lap = (along % round + round) % round
    let metres = Double(lap) / 1_000
    var (north, east): (Double, Double) =
      metres < 60
      ? (metres, 0) : metres < 80 ? (60, metres - 60) : metres < 140 ? (140 - metres, 20) : (0, 160 - metres)
    let jitter = random.bits(for: UInt64(second), draw: 5)
    let error = parameters.noise * 2 * sky.stretch(atMetre: Int(metres))
    north += error * Draw.unit(jitter)
    east += error * Draw.unit(jitter >> 16)
    return GeoPosition(
      latitudeE7: Self.latitudeE7 + Int32(north * 89.932), longitudeE7: Self.longitudeE7 + Int32(east * 148.26),
      accuracyDecimetres: sky.radius(atMetre: Int(metres), jitter >> 32))
  }

  /// The stretches of gaits and reins so far; the last ones end now.
  package var units: [SessionUnit] {
    let now = second * 1_000 + fraction
    var units: [SessionUnit] = []
    for index in 0...gaitIndex where gaits[index].from * 1_000 < now {
      let end = index < gaitIndex ? marks[index + 1] : distance + speed * fraction / 1_000
      units.append(
        SessionUnit(
          .gait,
          [
            gaits[index].kind.rawValue, gaits[index].from * 1_000, min(gaits[index].to * 1_000, now),
            end - marks[index],
          ]))
    }
    for rein in reins[...reinIndex] where rein.from * 1_000 < now {
      units.append(SessionUnit(.rein, [rein.kind.rawValue, rein.from * 1_000, min(rein.to * 1_000, now)]))
    }
    return units + intervals(at: now)
  }

  /// An interval for each that has begun; they are the first stretches.
  private func intervals(at now: Int64) -> [SessionUnit] {
    parameters.intervals.enumerated().compactMap { index, interval in
      guard index <= gaitIndex, gaits[index].from * 1_000 < now else { return nil }
      let end = index < gaitIndex ? marks[index + 1] : distance + speed * fraction / 1_000
      let ridden = min(gaits[index].to * 1_000, now) - gaits[index].from * 1_000
      return SessionUnit(
        .interval,
        [
          0, interval.seconds * 1_000, 0, end - marks[index], ridden, 0, ridden == interval.seconds * 1_000 ? 1 : 0,
        ])
    }
  }

  /// A riding arena in Berlin's Olympic park.
  private static let latitudeE7: Int32 = 525_230_000
  private static let longitudeE7: Int32 = 132_330_000
}
