/// What the body of a run's athlete does: the same for every device, and independent of every app.
package protocol AthleteBody: Sendable {
  /// The values at a whole second of the run.
  ///
  /// - Parameter second: Since the run's start; never decreasing.
  mutating func reading(atSecond second: Int64) -> BodyReading
}

/// Values since the run's start, and the heart rate now.
package struct BodyReading: Sendable, Equatable {
  /// Beats per minute; 0 without a reading.
  package var heartRate: Int64 = 0
  package var distanceMillimetres: Int64 = 0
  package var energyDecikilocalories: Int64 = 0
  package var steps: Int64 = 0
  /// Degrees times 10^7, north and east; nil if unknown.
  package var latitudeE7: Int32?
  package var longitudeE7: Int32?
  /// Above the sea, in millimetres.
  package var altitudeMillimetres: Int64 = 0

  package init() {}
}
