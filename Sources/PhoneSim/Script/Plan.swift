/// The runner's plan.
package struct Plan: Sendable, Equatable {
  /// Metres, above 0; nil if no distance is planned.
  package var distance: Double?
  /// Seconds, above 0; nil if no time is planned.
  package var time: Double?

  package init(distance: Double? = nil, time: Double? = nil) {
    self.distance = distance
    self.time = time
  }

  /// Seconds per kilometre; nil unless both distance and time are planned.
  package var targetPace: Double? {
    guard let distance, let time else { return nil }
    return time / (distance / 1000)
  }
}
