@_exported public import AppleFoundation
import DeviceClient
public import Foundation
import HealthSim
import Link

/// What an app may do with motion data; the raw values are the framework's.
public enum CMAuthorizationStatus: Int, Sendable { case notDetermined = 0, restricted, denied, authorized }

/// The domain of CoreMotion's errors.
public let CMErrorDomain = "CMErrorDomain"
/// `CMErrorMotionActivityNotAuthorized`.
public let CMErrorMotionActivityNotAuthorized = CMError(105)

/// The number of an error of CoreMotion.
public struct CMError: RawRepresentable, Equatable, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Steps and way between two dates.
public final class CMPedometerData: NSObject, @unchecked Sendable {
  public let startDate: Date
  public let endDate: Date
  public let numberOfSteps: NSNumber
  /// Metres.
  public let distance: NSNumber?
  /// Seconds a metre, of the last 10 s; nil for who stands still, and in a query.
  public let currentPace: NSNumber?
  /// Steps a second, likewise.
  public let currentCadence: NSNumber?
  /// Seconds a metre since the start.
  public var averageActivePace: NSNumber? {
    guard let metres = distance?.doubleValue, metres > 0 else { return nil }
    return NSNumber(value: endDate.timeIntervalSince(startDate) / metres)
  }
  /// The athlete's altitude is not followed.
  public var floorsAscended: NSNumber? { nil }
  public var floorsDescended: NSNumber? { nil }

  init(_ fields: [DeviceField], from start: Date, to end: Date) {
    startDate = start
    endDate = end
    numberOfSteps = NSNumber(value: fields.integer("steps"))
    distance = NSNumber(value: Double(fields.integer("millimetres")) / 1_000)
    let metres = Double(fields.integer("recentMillimetres")) / 1_000
    let steps = fields.integer("recentSteps")
    currentPace = metres > 0 ? NSNumber(value: 10 / metres) : nil
    currentCadence = steps > 0 ? NSNumber(value: Double(steps) / 10) : nil
  }
}

public typealias CMPedometerHandler = @Sendable (CMPedometerData?, (any Error)?) -> Void

/// Counts the athlete's steps, where the device is worn.
///
/// Its handlers come on a private queue.
public final class CMPedometer: NSObject, @unchecked Sendable {
  private let number = DeviceClient.shared.next()

  public class func isStepCountingAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func isDistanceAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func isPaceAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func isCadenceAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func isFloorCountingAvailable() -> Bool { false }
  public class func isPedometerEventTrackingAvailable() -> Bool { false }
  public class func authorizationStatus() -> CMAuthorizationStatus { MotionFeed.status }

  /// Sums since a date, which grow for as long as the updates last.
  ///
  /// The first use asks the user.
  public func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    MotionFeed.shared.add(number) { message in
      if message.name == "motion.failed" { return handler(nil, MotionFeed.error(message.fields)) }
      handler(CMPedometerData(message.fields, from: start, to: Date(nanoseconds: message.fields.integer("to"))), nil)
    }
    DeviceClient.shared.send("motion.start", ["pedometer": .integer(number), "from": .integer(start.nanoseconds)])
  }

  public func stopUpdates() {
    MotionFeed.shared.remove(number)
    DeviceClient.shared.send("motion.stop", ["pedometer": .integer(number)])
  }

  public func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    let fields = [DeviceField("from", .integer(start.nanoseconds)), DeviceField("to", .integer(end.nanoseconds))]
    DeviceClient.shared.call("motion.query", fields) { reply in
      guard reply.code == 0 else { return handler(nil, reply.error(CMErrorDomain)) }
      handler(CMPedometerData(reply.fields, from: start, to: end), nil)
    }
  }

  public func startEventUpdates(handler: @escaping @Sendable (Any?, (any Error)?) -> Void) {
    DeviceClient.reportMissing("coreMotion", "CMPedometer.startEventUpdates")
  }
}

/// What the device says of steps and activities, for the objects of this process.
final class MotionFeed: @unchecked Sendable {
  static let shared = MotionFeed()
  private let lock = NSLock()
  private var listeners: [Int64: (DeviceMessage) -> Void] = [:]

  private init() {
    DeviceClient.shared.listen(to: ["motion"]) { [unowned self] message in
      guard let listener = lock.withLock({ listeners[message.fields.integer("pedometer")] }) else { return }
      let call = Unsent((listener, message))
      DeviceClient.shared.answers.async { call.value.0(call.value.1) }
    }
  }

  static var status: CMAuthorizationStatus {
    switch DeviceClient.shared.permission(.motion) {
    case 0: .notDetermined
    case 1: .denied
    default: .authorized
    }
  }

  static func error(_ fields: [DeviceField]) -> NSError {
    NSError(domain: CMErrorDomain, code: Int(fields.integer("code")))
  }

  func add(_ number: Int64, _ listener: @escaping (DeviceMessage) -> Void) {
    lock.withLock { listeners[number] = listener }
  }
  func remove(_ number: Int64) { lock.withLock { listeners[number] = nil } }
}
