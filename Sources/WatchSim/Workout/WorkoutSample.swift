/// One measurement of a workout that has started, in 32 bytes: almost three megabytes a day.
package struct WorkoutSample: Sendable, Equatable {
  /// Milliseconds since the start, pauses included.
  package var offsetMilliseconds: UInt32
  /// Milliseconds of the timer, pauses excluded.
  package var activeMilliseconds: UInt32
  /// Centimetres since the start.
  package var distanceCentimetres: UInt32
  /// Steps per minute; 0 without a reading.
  package var cadence: UInt16
  /// Beats per minute; 0 without a reading.
  package var heartRate: UInt8
  /// Whether the timer ran since the previous sample.
  package var isActive: Bool
  private var latitudeE7: Int32
  private var longitudeE7: Int32
  private var altitudeMillimetres: Int32
  private var accuracyDecimetres: UInt16

  /// Creates a sample; times and distances are clamped to 2^32 - 1.
  package init(
    offsetMilliseconds: Int64, activeMilliseconds: Int64, distanceCentimetres: Int64, heartRate: UInt8, cadence: UInt16,
    isActive: Bool, position: GeoPosition?
  ) {
    self.offsetMilliseconds = UInt32(clamping: offsetMilliseconds)
    self.activeMilliseconds = UInt32(clamping: activeMilliseconds)
    self.distanceCentimetres = UInt32(clamping: distanceCentimetres)
    self.heartRate = heartRate
    self.cadence = cadence
    self.isActive = isActive
    latitudeE7 = position?.latitudeE7 ?? .min
    longitudeE7 = position?.longitudeE7 ?? .min
    altitudeMillimetres = position?.altitudeMillimetres ?? 0
    accuracyDecimetres = position?.accuracyDecimetres ?? 0
  }

  /// Nil if unknown.
  package var position: GeoPosition? {
    // No position on the globe has this latitude.
    latitudeE7 == .min
      ? nil
      : GeoPosition(
        latitudeE7: latitudeE7, longitudeE7: longitudeE7, altitudeMillimetres: altitudeMillimetres,
        accuracyDecimetres: accuracyDecimetres)
  }
}
