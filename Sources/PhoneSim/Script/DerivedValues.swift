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
