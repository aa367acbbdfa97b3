@_exported public import AppleFoundation
public import Foundation

/// Degrees.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres; negative for an invalid value.
public typealias CLLocationAccuracy = Double
/// Metres a second; negative for an invalid value.
public typealias CLLocationSpeed = Double
/// Metres a second.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from true north, clockwise; negative for an invalid value.
public typealias CLLocationDirection = Double
/// Degrees.
public typealias CLLocationDirectionAccuracy = Double

public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 3_000
public let kCLDistanceFilterNone: CLLocationDistance = -1
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// A place on the globe (WGS 84).
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north.
  public var latitude: CLLocationDegrees
  /// Degrees east.
  public var longitude: CLLocationDegrees

  public init() { (latitude, longitude) = (0, 0) }
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A position of the device at an instant.
public final class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let coordinate: CLLocationCoordinate2D
  /// Metres above the sea.
  public let altitude: CLLocationDistance
  public var ellipsoidalAltitude: CLLocationDistance { altitude }
  public let horizontalAccuracy: CLLocationAccuracy
  public let verticalAccuracy: CLLocationAccuracy
  public let course: CLLocationDirection
  public let courseAccuracy: CLLocationDirectionAccuracy
  public let speed: CLLocationSpeed
  public let speedAccuracy: CLLocationSpeedAccuracy
  public let timestamp: Date

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    horizontalAccuracy = hAccuracy
    verticalAccuracy = vAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1, timestamp: timestamp)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: -1, speed: -1, timestamp: timestamp)
  }

  /// A place without altitude and speed, now.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: -1, timestamp: Date())
  }

  /// Along a sphere of the mean Earth radius (IUGG R1), in metres.
  public func distance(from location: CLLocation) -> CLLocationDistance {
    let radians = Double.pi / 180
    let (from, to) = (location.coordinate, coordinate)
    let north = sin((to.latitude - from.latitude) * radians / 2)
    let east = sin((to.longitude - from.longitude) * radians / 2)
    let square = north * north + cos(from.latitude * radians) * cos(to.latitude * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }

  /// The direction from a place, in degrees from north; negative where both are one.
  func direction(from place: CLLocationCoordinate2D) -> CLLocationDirection {
    let radians = Double.pi / 180
    let north = coordinate.latitude - place.latitude
    let east = (coordinate.longitude - place.longitude) * cos(place.latitude * radians)
    guard north != 0 || east != 0 else { return -1 }
    let degrees = atan2(east, north) / radians
    return degrees < 0 ? degrees + 360 : degrees
  }

  public override var description: String {
    let place = "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m"
    return "\(place) (speed \(speed) mps / course \(course)) @ \(timestamp)"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: NSSecureCoding

  public static var supportsSecureCoding: Bool { true }
  private static let keys = [
    "latitude", "longitude", "altitude", "horizontal", "vertical", "course", "courseAccuracy", "speed", "speedAccuracy",
    "timestamp",
  ]

  public func encode(with coder: NSCoder) {
    let values = [
      coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy,
      speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
    for (key, value) in zip(Self.keys, values) { coder.encode(value, forKey: key) }
  }

  public convenience init?(coder: NSCoder) {
    let values = Self.keys.map { coder.decodeDouble(forKey: $0) }
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: values[0], longitude: values[1]), altitude: values[2],
      horizontalAccuracy: values[3], verticalAccuracy: values[4], course: values[5], courseAccuracy: values[6],
      speed: values[7], speedAccuracy: values[8], timestamp: Date(timeIntervalSinceReferenceDate: values[9]))
  }
}

/// The domain of CoreLocation's errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of CoreLocation; the raw values are the framework's.
public struct CLError: CustomNSError, Equatable, Hashable {
  public enum Code: Int, Sendable {
    case locationUnknown = 0, denied, network, headingFailure, regionMonitoringDenied, regionMonitoringFailure
    case regionMonitoringSetupDelayed, regionMonitoringResponseDelayed, geocodeFoundNoResult
    case geocodeFoundPartialResult, geocodeCanceled, deferredFailed, deferredNotUpdatingLocation
    case deferredAccuracyTooLow, deferredDistanceFiltered, deferredCanceled, rangingUnavailable, rangingFailure
    case promptDeclined
  }

  public let code: Code
  public init(_ code: Code) { self.code = code }

  public static var errorDomain: String { kCLErrorDomain }
  public var errorCode: Int { code.rawValue }
  public static let locationUnknown = Code.locationUnknown
  public static let denied = Code.denied
  public static let network = Code.network
}
