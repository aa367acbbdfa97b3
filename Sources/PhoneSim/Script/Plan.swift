/// The runner's plan.
package struct Plan: Sendable, Equatable {
  /// Metres, above 0; nil if no distance is planned.
  package var distance: Double?
  /// Seconds, above 0; nil if no time is planned.
  package var time: Double?

  /// How the pace is spread over the distance.
  package var pacing = RaceSetup.PacingStrategy.even

  package init(
    distance: Double? = nil, time: Double? = nil, pacing: RaceSetup.PacingStrategy = .even
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

  /// The target pace at a distance in metres.
  ///
  /// In a `negative` race the first half is 2 % slower than the whole and the second 2 % faster, in a `positive` one the
  /// other way round. The athlete's `custom` pacing is not known.
  package func targetPace(at distance: Double) -> Double? {
    guard let even = targetPace, let whole = self.distance else { return nil }
    let isFirst = distance * 2 < whole
    return switch pacing {
    case .even, .custom: even
    case .negative: even * (isFirst ? 1.02 : 0.98)
    case .positive: even * (isFirst ? 0.98 : 1.02)
    }
  }
}
