public import Foundation
import DeviceClient
import HealthSim

/// Every heading is delivered, however little it changes.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// How a device is held; the raw values are the framework's.
public enum CLDeviceOrientation: Int32, Sendable {
  case unknown = 0, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}

/// Where a device points, in degrees clockwise from the north.
public final class CLHeading: NSObject, Sendable {
  /// The magnetic north is the true one here.
  public let magneticHeading: CLLocationDirection
  /// Negative while no position is known.
  public let trueHeading: CLLocationDirection
  /// How far the heading may be off, in degrees.
  public let headingAccuracy: CLLocationDirection
  public let timestamp: Date

  /// Of a message of the device; nil for one without a way.
  init?(_ fields: [DeviceField]) {
    let way = fields.list("way").compactMap { if case .integer(let value) = $0 { Double(value) / 1e7 } else { nil } }
    guard way.count == 4 else { return nil }
    let from = CLLocationCoordinate2D(latitude: way[0], longitude: way[1])
    let course = CLLocation(latitude: way[2], longitude: way[3]).direction(from: from)
    let degrees = course + Double(fields.integer("error")) / 100
    magneticHeading = degrees < 0 ? degrees + 360 : degrees >= 360 ? degrees - 360 : degrees
    trueHeading = fields.flag("isPlaced") ? magneticHeading : -1
    headingAccuracy = 10
    timestamp = Date(nanoseconds: fields.integer("at"))
  }

  public override var description: String {
    "magneticHeading \(magneticHeading) trueHeading \(trueHeading) accuracy \(headingAccuracy)"
  }
}
