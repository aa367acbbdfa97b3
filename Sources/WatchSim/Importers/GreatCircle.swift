// Distance between two positions, by the haversine formula on a sphere of the mean Earth radius (IUGG R1, 6 371 008.8
// m).

import Foundation

/// A point on the Earth in degrees, WGS 84.
package struct Position: Sendable, Equatable {
  /// Degrees north, -90 to 90.
  package let latitude: Double
  /// Degrees east, -180 to 180.
  package let longitude: Double

  /// Nil if a value is out of range.
  package init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Great-circle distance.
enum GreatCircle {
  /// Mean radius of the Earth, metres.
  static let earthRadiusMeters = 6_371_008.8

  /// The distance in whole millimetres.
  ///
  /// Sine, cosine and arc sine differ in the last bit between platforms. Rounding each leg to a millimetre before
  /// summing removes that difference, so that every machine replays the same run.
  static func millimetres(from: Position, to: Position) -> Int64 {
    if from == to { return 0 }
    let radians = Double.pi / 180
    let latitudeSine = sin((to.latitude - from.latitude) * radians / 2)
    let longitudeSine = sin((to.longitude - from.longitude) * radians / 2)
    let chord =
      latitudeSine * latitudeSine
      + cos(from.latitude * radians) * cos(to.latitude * radians) * longitudeSine * longitudeSine
    let angle = 2 * asin(min(1, chord.squareRoot()))
    return Int64((angle * earthRadiusMeters * 1_000).rounded())
  }
}
