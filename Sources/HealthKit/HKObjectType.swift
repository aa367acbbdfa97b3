public import Foundation

/// A type of what a health store has; equal to any other with its identifier.
public class HKObjectType: NSObject, @unchecked Sendable {
  public let identifier: String

  init(identifier: String) { self.identifier = identifier }

  public override func isEqual(_ object: Any?) -> Bool { (object as? HKObjectType)?.identifier == identifier }
  public override var hash: Int { identifier.hashValue }
  public override var description: String { identifier }

  public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
    HKQuantityType(identifier)
  }
  public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier) -> HKCategoryType? {
    HKCategoryType(identifier)
  }
  public class func characteristicType(
    forIdentifier identifier: HKCharacteristicTypeIdentifier
  ) -> HKCharacteristicType? { HKCharacteristicType(identifier) }
  public class func workoutType() -> HKWorkoutType { HKWorkoutType() }
  public class func activitySummaryType() -> HKActivitySummaryType { HKActivitySummaryType() }

  /// The type of an identifier.
  static func named(_ identifier: String) -> HKSampleType {
    if identifier == HKWorkoutType().identifier { return HKWorkoutType() }
    if identifier.hasPrefix("HKCategoryTypeIdentifier") { return HKCategoryType(.init(rawValue: identifier)) }
    if identifier == HKSeriesType.workoutRoute().identifier { return HKSeriesType.workoutRoute() }
    return HKQuantityType(.init(rawValue: identifier))
  }
}

public class HKSampleType: HKObjectType, @unchecked Sendable {
  public var isMaximumDurationRestricted: Bool { false }
  public var isMinimumDurationRestricted: Bool { false }
}

/// How samples of a type are added up; the raw values are the framework's.
public enum HKQuantityAggregationStyle: Int, Sendable {
  case cumulative, discreteArithmetic, discreteTemporallyWeighted, discreteEquivalentContinuousLevel
}

public final class HKQuantityType: HKSampleType, @unchecked Sendable {
  public init(_ identifier: HKQuantityTypeIdentifier) { super.init(identifier: identifier.rawValue) }

  public var aggregationStyle: HKQuantityAggregationStyle {
    switch HKQuantityTypeIdentifier(rawValue: identifier) {
    case .heartRate: .discreteTemporallyWeighted
    case let known where known.isCumulative: .cumulative
    default: .discreteArithmetic
    }
  }

  /// Whether samples may have a unit.
  public func `is`(compatibleWith unit: HKUnit) -> Bool {
    HKQuantityTypeIdentifier(rawValue: identifier).unit.map { HKUnit(from: $0).isCompatible(with: unit) } ?? true
  }
}

public final class HKCategoryType: HKSampleType, @unchecked Sendable {
  public init(_ identifier: HKCategoryTypeIdentifier) { super.init(identifier: identifier.rawValue) }
}

public final class HKCharacteristicType: HKObjectType, @unchecked Sendable {
  public init(_ identifier: HKCharacteristicTypeIdentifier) { super.init(identifier: identifier.rawValue) }
}

public final class HKActivitySummaryType: HKObjectType, @unchecked Sendable {
  public init() { super.init(identifier: "HKActivitySummaryTypeIdentifier") }
}

public final class HKWorkoutType: HKSampleType, @unchecked Sendable {
  init() { super.init(identifier: "HKWorkoutTypeIdentifier") }
}

public final class HKSeriesType: HKSampleType, @unchecked Sendable {
  public class func workoutRoute() -> HKSeriesType { HKSeriesType(identifier: "HKWorkoutRouteTypeIdentifier") }
}

/// The identifier of a quantity type.
///
/// Any other raw value is a type too, which the device does not measure.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(name: String) { rawValue = "HKQuantityTypeIdentifier" + name }

  public static let heartRate = Self(name: "HeartRate")
  public static let restingHeartRate = Self(name: "RestingHeartRate")
  public static let walkingHeartRateAverage = Self(name: "WalkingHeartRateAverage")
  public static let heartRateVariabilitySDNN = Self(name: "HeartRateVariabilitySDNN")
  public static let heartRateRecoveryOneMinute = Self(name: "HeartRateRecoveryOneMinute")
  public static let distanceWalkingRunning = Self(name: "DistanceWalkingRunning")
  public static let distanceCycling = Self(name: "DistanceCycling")
  public static let distanceSwimming = Self(name: "DistanceSwimming")
  public static let activeEnergyBurned = Self(name: "ActiveEnergyBurned")
  public static let basalEnergyBurned = Self(name: "BasalEnergyBurned")
  public static let stepCount = Self(name: "StepCount")
  public static let flightsClimbed = Self(name: "FlightsClimbed")
  public static let swimmingStrokeCount = Self(name: "SwimmingStrokeCount")
  public static let appleExerciseTime = Self(name: "AppleExerciseTime")
  public static let appleStandTime = Self(name: "AppleStandTime")
  public static let vo2Max = Self(name: "VO2Max")
  public static let bodyMass = Self(name: "BodyMass")
  public static let bodyMassIndex = Self(name: "BodyMassIndex")
  public static let bodyFatPercentage = Self(name: "BodyFatPercentage")
  public static let height = Self(name: "Height")
  public static let bodyTemperature = Self(name: "BodyTemperature")
  public static let oxygenSaturation = Self(name: "OxygenSaturation")
  public static let respiratoryRate = Self(name: "RespiratoryRate")
  public static let bloodGlucose = Self(name: "BloodGlucose")
  public static let bloodPressureSystolic = Self(name: "BloodPressureSystolic")
  public static let bloodPressureDiastolic = Self(name: "BloodPressureDiastolic")
  public static let runningSpeed = Self(name: "RunningSpeed")
  public static let runningPower = Self(name: "RunningPower")
  public static let runningStrideLength = Self(name: "RunningStrideLength")
  public static let runningVerticalOscillation = Self(name: "RunningVerticalOscillation")
  public static let runningGroundContactTime = Self(name: "RunningGroundContactTime")
  public static let cyclingSpeed = Self(name: "CyclingSpeed")
  public static let cyclingPower = Self(name: "CyclingPower")
  public static let cyclingCadence = Self(name: "CyclingCadence")
  public static let walkingSpeed = Self(name: "WalkingSpeed")
  public static let dietaryEnergyConsumed = Self(name: "DietaryEnergyConsumed")
  public static let dietaryWater = Self(name: "DietaryWater")
  public static let dietaryProtein = Self(name: "DietaryProtein")
  public static let dietaryCarbohydrates = Self(name: "DietaryCarbohydrates")
  public static let dietaryFatTotal = Self(name: "DietaryFatTotal")

  /// A unit that samples of the type may have; nil for a type that is not known here.
  var unit: String? { Self.units[rawValue] }
  var isCumulative: Bool { Self.cumulative.contains(rawValue) || rawValue.contains("Dietary") }

  private static let cumulative: Set<String> = Set(
    [
      distanceWalkingRunning, distanceCycling, distanceSwimming, activeEnergyBurned, basalEnergyBurned, stepCount,
      flightsClimbed, swimmingStrokeCount, appleExerciseTime, appleStandTime,
    ].map(\.rawValue))

  private static let units: [String: String] = {
    let units: [(String, [Self])] = [
      (
        "count/min",
        [
          heartRate, restingHeartRate, walkingHeartRateAverage, respiratoryRate, cyclingCadence,
          heartRateRecoveryOneMinute,
        ]
      ),
      ("ms", [heartRateVariabilitySDNN, runningGroundContactTime]),
      (
        "m",
        [
          distanceWalkingRunning, distanceCycling, distanceSwimming, height, runningStrideLength,
          runningVerticalOscillation,
        ]
      ),
      ("kcal", [activeEnergyBurned, basalEnergyBurned, dietaryEnergyConsumed]),
      ("count", [stepCount, flightsClimbed, swimmingStrokeCount, bodyMassIndex]),
      ("min", [appleExerciseTime, appleStandTime]), ("ml/(kg*min)", [vo2Max]),
      ("kg", [bodyMass, dietaryProtein, dietaryCarbohydrates, dietaryFatTotal]),
      ("%", [bodyFatPercentage, oxygenSaturation]), ("degC", [bodyTemperature]),
      ("mmHg", [bloodPressureSystolic, bloodPressureDiastolic]), ("m/s", [runningSpeed, cyclingSpeed, walkingSpeed]),
      ("W", [runningPower, cyclingPower]), ("mL", [dietaryWater]),
    ]
    return Dictionary(uniqueKeysWithValues: units.flatMap { unit, types in types.map { ($0.rawValue, unit) } })
  }()
}

/// The identifier of a category type.
public struct HKCategoryTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(name: String) { rawValue = "HKCategoryTypeIdentifier" + name }

  public static let sleepAnalysis = Self(name: "SleepAnalysis")
  public static let mindfulSession = Self(name: "MindfulSession")
  public static let appleStandHour = Self(name: "AppleStandHour")
  public static let highHeartRateEvent = Self(name: "HighHeartRateEvent")
  public static let lowHeartRateEvent = Self(name: "LowHeartRateEvent")
}

/// The identifier of a characteristic.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")
  public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex")
}

/// A phase of sleep; the raw values are the framework's.
public enum HKCategoryValueSleepAnalysis: Int, Sendable, CaseIterable {
  case inBed = 0
  case asleepUnspecified = 1
  case awake = 2
  case asleepCore = 3
  case asleepDeep = 4
  case asleepREM = 5
}

/// The value of a category without values.
public enum HKCategoryValue: Int, Sendable { case notApplicable = 0 }
