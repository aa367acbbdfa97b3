package import CoachProtocol
package import Link

/// A shooter on a range: ends of shots with scores, still between them.
///
/// A watch does not see the target: the athlete enters the scores, and here the seed does. The sources of the figures
/// are in docs/built-in-apps.md. There is neither distance nor position.
package struct ShooterModel: DisciplineSource {
  /// A scenario's `workout.source.model`.
  package struct Parameters: Sendable, Equatable {
    package var ends = 4
    /// Shots of an end.
    package var shots = 5
    /// Seconds from one shot to the next.
    package var interval = 20.0
    /// Seconds from the last shot of an end to the next end.
    package var scoring = 60.0
    /// Mean score of a shot.
    package var skill = 8.5
    /// 0 is a machine, 1 a shooter.
    package var noise = 1.0
  }

  package static let discipline = TrainingDiscipline.shooting

  package static let schema = ObjectSchema<Parameters>(
    "workout.source.model: shooting",
    "A shooter on a range, of the discipline `shooting` ([disciplines](built-in-apps.md#disciplines)).",
    Parameters(),
    [
      Field("ends", \.ends, .integer(1...60), "how many ends are shot").omittedAtDefault,
      Field("shots", \.shots, .integer(1...60), "shots of an end").omittedAtDefault,
      Field("interval", \.interval, .seconds(.seconds(1)...(.seconds(600))), "from one shot to the next; whole seconds")
        .omittedAtDefault,
      Field(
        "scoring", \.scoring, .seconds(.seconds(1)...(.hours(1))),
        "from the last shot of an end to the next end; whole seconds"
      ).omittedAtDefault,
      Field("skill", \.skill, .number(0...10), "mean score of a shot").omittedAtDefault,
      Field("noise", \.noise, .number(0...10), "0 is a machine, 1 a shooter").omittedAtDefault,
    ])

  private let parameters: Parameters
  private let random: RandomStream
  private let intervalSeconds: Int64
  private let scoringSeconds: Int64
  private var milliseconds: Int64 = 0
  private var pulse = Pulse(105)

  package init(_ parameters: Parameters, seed: UInt64) {
    self.parameters = parameters
    random = RandomStream(seed: seed, name: "watch/shooter")
    intervalSeconds = Int64(parameters.interval + 0.5)
    scoringSeconds = Int64(parameters.scoring + 0.5)
  }

  /// Seconds from the start of an end to the start of the next.
  private var endSeconds: Int64 { Int64(parameters.shots) * intervalSeconds + scoringSeconds }
  private var length: Int64 { Int64(parameters.ends) * endSeconds }

  package var secondsExpected: Int { Int(length) + 1 }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    self.milliseconds = min(milliseconds, length * 1_000)
    let (each, own) = (endSeconds, Int64(parameters.shots) * intervalSeconds)
    // The walk to the target raises the pulse, aiming lowers it.
    pulse.advance(toSecond: self.milliseconds / 1_000) { $0 % each < own ? 112 : 119 }
    return sample
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    pulse.rest(milliseconds: milliseconds, at: 95)
    return sample
  }

  private var sample: MotionSample {
    MotionSample(
      distanceMillimetres: 0,
      // 1.5 metabolic equivalents above rest, of 70 kg.
      energyDecikilocalories: milliseconds * 15 * 70 / 3_600_000,
      heartRate: pulse.reading(random, noise: parameters.noise), isFinished: milliseconds >= length * 1_000)
  }

  /// The shots so far: each at the end of its interval.
  package var units: [SessionUnit] {
    var units: [SessionUnit] = []
    for end in 0..<Int64(parameters.ends) {
      for index in 0..<Int64(parameters.shots) {
        let at = (end * endSeconds + (index + 1) * intervalSeconds) * 1_000
        guard at <= milliseconds else { return units }
        units.append(SessionUnit(.shot, [end, index, score(end, index), at]))
      }
    }
    return units
  }

  /// The product of two even draws is a quarter on average, and mostly small: few shots are far off.
  private func score(_ end: Int64, _ index: Int64) -> Int64 {
    let key = UInt64(end) << 16 | UInt64(index)
    let draws = (0..<2).map { Double(random.number(below: 1_000, for: key, draw: UInt64($0)) + 1) / 1_000 }
    let lost = (10 - parameters.skill) * (1 + parameters.noise * (4 * draws[0] * draws[1] - 1))
    return min(10, max(0, 10 - Int64(max(0, lost) + 0.5)))
  }
}
