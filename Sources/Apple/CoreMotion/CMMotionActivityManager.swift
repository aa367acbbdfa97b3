import DeviceClient
public import Foundation
import HealthSim
import Link

/// How sure the device is; the raw values are the framework's.
public enum CMMotionActivityConfidence: Int, Sendable { case low = 0, medium, high }

/// What the athlete does from a date on.
public final class CMMotionActivity: NSObject, @unchecked Sendable {
  public let startDate: Date
  private let kind: Int64
  public var confidence: CMMotionActivityConfidence { unknown ? .low : .high }
  public var stationary: Bool { kind == 0 }
  public var walking: Bool { kind == 1 }
  public var running: Bool { kind == 2 }
  public var cycling: Bool { kind == 3 }
  public var automotive: Bool { false }
  public var unknown: Bool { kind > 3 }

  init(_ value: DeviceValue) {
    startDate = Date(nanoseconds: value.fields.integer("at"))
    kind = value.fields.integer("activity")
  }
}

public typealias CMMotionActivityHandler = @Sendable (CMMotionActivity?) -> Void
public typealias CMMotionActivityQueryHandler = @Sendable ([CMMotionActivity]?, (any Error)?) -> Void

/// Follows what the athlete does: known 5 s after it has begun.
public final class CMMotionActivityManager: NSObject, @unchecked Sendable {
  private let number = DeviceClient.shared.next()

  public class func isActivityAvailable() -> Bool { DeviceClient.shared.isInRun }
  public class func authorizationStatus() -> CMAuthorizationStatus { MotionFeed.status }

  public func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
    let queue = Unsent(queue)
    MotionFeed.shared.add(number) { message in
      guard let entry = message.fields["entry"] else { return }
      let activity = CMMotionActivity(entry)
      queue.value.addOperation { handler(activity) }
    }
    DeviceClient.shared.send("motion.watch", ["pedometer": .integer(number)])
  }

  public func stopActivityUpdates() {
    MotionFeed.shared.remove(number)
    DeviceClient.shared.send("motion.unwatch", ["pedometer": .integer(number)])
  }

  public func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    let queue = Unsent(queue)
    let fields = [DeviceField("from", .integer(start.nanoseconds)), DeviceField("to", .integer(end.nanoseconds))]
    DeviceClient.shared.call("motion.activities", fields) { reply in
      let activities = reply.code == 0 ? reply.fields.list("activities").map { CMMotionActivity($0) } : nil
      let error = Unsent(reply.error(CMErrorDomain))
      queue.value.addOperation { handler(activities, error.value) }
    }
  }
}

/// The raw sensors, which no athlete of a run has.
public final class CMMotionManager: NSObject, @unchecked Sendable {
  public var isDeviceMotionAvailable: Bool { false }
  public var isAccelerometerAvailable: Bool { false }
  public var isGyroAvailable: Bool { false }
  public var deviceMotionUpdateInterval: TimeInterval = 0
  public var accelerometerUpdateInterval: TimeInterval = 0

  public func startDeviceMotionUpdates() { Self.reportMissing("startDeviceMotionUpdates") }
  public func startAccelerometerUpdates() { Self.reportMissing("startAccelerometerUpdates") }
  public func startGyroUpdates() { Self.reportMissing("startGyroUpdates") }
  public func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping (CMDeviceMotion?, (any Error)?) -> Void
  ) { Self.reportMissing("startDeviceMotionUpdates") }
  public func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping (CMAccelerometerData?, (any Error)?) -> Void
  ) { Self.reportMissing("startAccelerometerUpdates") }
  public func startGyroUpdates(
    to queue: OperationQueue, withHandler handler: @escaping (CMGyroData?, (any Error)?) -> Void
  ) { Self.reportMissing("startGyroUpdates") }
  public var isDeviceMotionActive: Bool { false }
  public var isAccelerometerActive: Bool { false }
  public var isGyroActive: Bool { false }
  public var gyroUpdateInterval: TimeInterval = 0
  public var deviceMotion: CMDeviceMotion? { nil }
  public var accelerometerData: CMAccelerometerData? { nil }
  public var gyroData: CMGyroData? { nil }
  public func stopDeviceMotionUpdates() {}
  public func stopAccelerometerUpdates() {}
  public func stopGyroUpdates() {}

  private static func reportMissing(_ call: String) {
    DeviceClient.reportMissing("coreMotion", "CMMotionManager.\(call)")
  }
}
