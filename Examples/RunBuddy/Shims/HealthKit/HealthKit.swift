/// What this app uses of HealthKit's types, for Linux, with Apple's raw values.
public enum HKWorkoutActivityType: UInt, Sendable {
  case running = 37
  case walking = 52
}
