import DeviceClient
public import Foundation

// What raw sensors would say: no run has them, so that none of these is ever made.

/// In units of gravity.
public struct CMAcceleration: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var z = 0.0
  public init() {}
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// In radians a second.
public struct CMRotationRate: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var z = 0.0
  public init() {}
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

public struct CMQuaternion: Sendable {
  public var x = 0.0
  public var y = 0.0
  public var z = 0.0
  public var w = 1.0
  public init() {}
}

/// In radians.
public final class CMAttitude: NSObject, @unchecked Sendable {
  public var roll: Double { 0 }
  public var pitch: Double { 0 }
  public var yaw: Double { 0 }
  public var quaternion: CMQuaternion { CMQuaternion() }
}

public class CMLogItem: NSObject, @unchecked Sendable {
  /// Seconds since the device's start.
  public var timestamp: TimeInterval { 0 }
}

public final class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  public var attitude: CMAttitude { CMAttitude() }
  public var rotationRate: CMRotationRate { CMRotationRate() }
  public var gravity: CMAcceleration { CMAcceleration() }
  public var userAcceleration: CMAcceleration { CMAcceleration() }
  /// Degrees.
  public var heading: Double { -1 }
}

public final class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  public var acceleration: CMAcceleration { CMAcceleration() }
}

public final class CMGyroData: CMLogItem, @unchecked Sendable {
  public var rotationRate: CMRotationRate { CMRotationRate() }
}

public final class CMAltitudeData: CMLogItem, @unchecked Sendable {
  /// Meters since the start of the updates.
  public var relativeAltitude: NSNumber { 0 }
  /// Kilopascals.
  public var pressure: NSNumber { 0 }
}

/// The barometer, which no run has.
public final class CMAltimeter: NSObject, @unchecked Sendable {
  public class func isRelativeAltitudeAvailable() -> Bool { false }
  public class func isAbsoluteAltitudeAvailable() -> Bool { false }
  public class func authorizationStatus() -> CMAuthorizationStatus { .notDetermined }
  public func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping (CMAltitudeData?, (any Error)?) -> Void
  ) { DeviceClient.reportMissing("coreMotion", "CMAltimeter.startRelativeAltitudeUpdates") }
  public func stopRelativeAltitudeUpdates() {}
}
