import HealthKit
import os

let logger = Logger(subsystem: "RunBuddy", category: "connection")

/// What is sent of a workout's kind.
enum RunKind {
  static let activity = HKWorkoutActivityType.running

  static func log(_ userInfo: [String: Any]) {
    guard let number = userInfo["activity"] as? UInt, let activity = HKWorkoutActivityType(rawValue: number) else {
      return
    }
    logger.info("the watch has begun \(String(describing: activity), privacy: .public)")
  }
}
