import HealthKit

/// What the app asks for on either device.
enum HealthAccess {
  static let share: Set<HKSampleType> = [HKObjectType.workoutType(), HKQuantityType(.activeEnergyBurned)]
  static let read: Set<HKObjectType> = [
    HKObjectType.workoutType(), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
    HKQuantityType(.distanceWalkingRunning),
  ]
}
