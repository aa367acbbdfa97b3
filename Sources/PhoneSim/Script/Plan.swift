package import CoachProtocol

/// The athlete's plan.
package struct Plan: Sendable, Equatable {
  /// Metres, above 0; nil if no distance is planned.
  package var distance: Double?
  /// Seconds, above 0; nil if no time is planned.
  package var time: Double?

  /// How the pace is spread over the distance.
  package var pacing = PacingStrategy.even

  package init(
    distance: Double? = nil, time: Double? = nil, pacing: PacingStrategy = .even
  ) {
    self.distance = distance
    self.time = time
    self.pacing = pacing
  }

  /// Seconds per kilometre; nil unless both distance and time are planned.
  package var targetPace: Double? {
    guard let distance, let time else { return nil }
    return time / (distance / 1000)
  }

  /// The target pace at a distance in metres, as ``PacingStrategy`` spreads it.
  package func targetPace(at distance: Double) -> Double? {
    guard let even = targetPace, let whole = self.distance else { return nil }
    return even * pacing.share(inFirstHalf: distance * 2 < whole)
  }
}

/// Computes the derived variables of expressions.
package enum DerivedValues {
  /// The maximum heart rate if the memory has no `hr.max`.
  package static let maximumHeartRateDefault = 190

  /// The zone of a heart rate: 5 from 90 % of the maximum, 4 from 80 %, 3 from 70 %, 2 from 60 %, 1 from 50 %, else 0.
  ///
  /// - Parameters:
  ///   - heartRate: Beats per minute; below 10^6.
  ///   - maximum: Beats per minute; below 10^6.
  package static func heartRateZone(_ heartRate: Int, maximum: Int) -> Int {
    let hundredfold = heartRate * 100
    for (zone, percent) in [(5, 90), (4, 80), (3, 70), (2, 60), (1, 50)] where hundredfold >= percent * maximum {
      return zone
    }
    return 0
  }

  /// Target pace divided by the pace of the trailing 180 s, six decimals; nil if unknown.
  ///
  /// - Parameters:
  ///   - targetPace: Seconds per kilometre; nil if unknown.
  ///   - trail: Metres over the trailing 180 s; nil if unknown.
  package static func paceRatio(targetPace: Double?, trail: Double?) -> Double? {
    guard let targetPace, let trail, trail >= 1 else { return nil }
    let ratio = targetPace / (180 / (trail / 1000))
    return (ratio * 1e6).rounded() / 1e6
  }
}
