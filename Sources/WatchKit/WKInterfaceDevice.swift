public import Foundation
import WatchConnectivity

/// A haptic of the watch; the raw values are the framework's.
public enum WKHapticType: Int, Sendable, CaseIterable {
  case notification = 0, directionUp, directionDown, success, failure, retry, start, stop, click
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

  /// Plays a haptic: a fact `haptic` of the run.
  public func play(_ type: WKHapticType) { DeviceServices.record("haptic", json: "{\"type\":\"\(type)\"}") }
  public func enableWaterLock() { DeviceServices.record("waterLock", json: "{}") }
}
