public import Foundation
import WatchConnectivity

/// A haptic of the watch; the raw values are the framework's.
public enum WKHapticType: Int, Sendable, CaseIterable {
  case notification = 0, directionUp, directionDown, success, failure, retry, start, stop, click
}

public enum WKInterfaceDeviceBatteryState: Int, Sendable {
  case unknown = 0, unplugged, charging, full
}

public enum WKInterfaceDeviceWristLocation: Int, Sendable {
  case left = 0, right
}

public enum WKInterfaceDeviceCrownOrientation: Int, Sendable {
  case left = 0, right
}

public enum WKWaterResistanceRating: Int, Sendable {
  case ipx7 = 0, wr50, wr100
}

/// The watch.
public final class WKInterfaceDevice: NSObject, @unchecked Sendable {
  private static let only = WKInterfaceDevice()
  public class func current() -> WKInterfaceDevice { only }

  public var name: String { "Apple Watch" }
  public var model: String { "Apple Watch" }
  public var systemName: String { "watchOS" }
  public var systemVersion: String { "11.0" }
  public var isBatteryMonitoringEnabled = false
  /// Not simulated: the value of a watch that does not monitor its battery.
  public var batteryLevel: Float {
    DeviceServices.report("watchKit", "the app reads WKInterfaceDevice.batteryLevel, which is not simulated")
    return -1
  }

  /// Not simulated: the value of a watch that does not monitor its battery.
  public var batteryState: WKInterfaceDeviceBatteryState {
    DeviceServices.report("watchKit", "the app reads WKInterfaceDevice.batteryState, which is not simulated")
    return .unknown
  }
  public var wristLocation: WKInterfaceDeviceWristLocation { .left }
  public var crownOrientation: WKInterfaceDeviceCrownOrientation { .right }
  public var waterResistanceRating: WKWaterResistanceRating { .wr50 }
  public var isWaterLockEnabled: Bool { false }
  /// In points.
  public var screenBounds: CGRect { CGRect(x: 0, y: 0, width: 198, height: 242) }
  public var screenScale: CGFloat { 2 }
  public var preferredContentSizeCategory: String { "UICTContentSizeCategoryL" }
  /// A name of this app on this device, which an installation keeps.
  public var identifierForVendor: UUID? { UUID(uuidString: "0F0A1B2C-0000-4000-8000-000000000002") }

  /// Plays a haptic: a fact `haptic` of the run.
  public func play(_ type: WKHapticType) { DeviceServices.record("haptic", json: "{\"type\":\"\(type)\"}") }
  public func enableWaterLock() { DeviceServices.record("waterLock", json: "{}") }
}
