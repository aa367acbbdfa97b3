import DeviceClient
public import Foundation
import HealthSim
import Link

/// What a session is for.
public final class HKWorkoutConfiguration: NSObject, NSCopying, @unchecked Sendable {
  public var activityType = HKWorkoutActivityType.other
  public var locationType = HKWorkoutSessionLocationType.unknown
  public var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown
  public var lapLength: HKQuantity?

  public override init() {}

  init(activity: Int64, location: Int64) {
    activityType = HKWorkoutActivityType(rawValue: UInt(max(0, activity))) ?? .other
    locationType = HKWorkoutSessionLocationType(rawValue: Int(location)) ?? .unknown
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = HKWorkoutConfiguration()
    copy.activityType = activityType
    copy.locationType = locationType
    copy.swimmingLocationType = swimmingLocationType
    copy.lapLength = lapLength
    return copy
  }

  var fields: [DeviceField] {
    [
      DeviceField("activity", .integer(Int64(activityType.rawValue))),
      DeviceField("location", .integer(Int64(locationType.rawValue))),
    ]
  }

  /// The types that a live data source collects by itself.
  var collectedTypes: Set<HKQuantityType> {
    let distance: [HKQuantityType] =
      switch activityType {
      case .cycling, .handCycling: [HKQuantityType(.distanceCycling)]
      case .swimming: [HKQuantityType(.distanceSwimming)]
      case .running, .walking, .hiking, .trackAndField: [HKQuantityType(.distanceWalkingRunning)]
      default: []
      }
    return Set(
      distance + [
        HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned), HKQuantityType(.basalEnergyBurned),
      ])
  }
}

/// Something that happened in a workout.
public final class HKWorkoutEvent: NSObject, @unchecked Sendable {
  public let type: HKWorkoutEventType
  public let dateInterval: DateInterval
  public let metadata: [String: Any]?

  public init(type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]? = nil) {
    self.type = type
    self.dateInterval = dateInterval
    self.metadata = metadata
  }

  public convenience init(type: HKWorkoutEventType, date: Date) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0))
  }

  convenience init(_ fields: [DeviceField]) {
    let start = Date(nanoseconds: fields.integer("start"))
    self.init(
      type: HKWorkoutEventType(rawValue: Int(fields.integer("type"))) ?? .marker,
      dateInterval: DateInterval(start: start, end: max(start, Date(nanoseconds: fields.integer("end")))),
      metadata: Metadata.dictionary(fields.fields("metadata")))
  }

  var encoded: DeviceValue {
    .record([
      DeviceField("type", .integer(Int64(type.rawValue))),
      DeviceField("start", .integer(dateInterval.start.nanoseconds)),
      DeviceField("end", .integer(dateInterval.end.nanoseconds)),
      DeviceField("metadata", .record(Metadata.fields(metadata))),
    ])
  }
}

/// A part of a workout with a configuration of its own; a session here has one.
public final class HKWorkoutActivity: NSObject, @unchecked Sendable {
  public let workoutConfiguration: HKWorkoutConfiguration
  public let startDate: Date
  public let endDate: Date?

  init(_ configuration: HKWorkoutConfiguration, start: Date, end: Date?) {
    workoutConfiguration = configuration
    startDate = start
    endDate = end
  }
}

/// A workout that is saved.
public final class HKWorkout: HKSample, @unchecked Sendable {
  public let workoutActivityType: HKWorkoutActivityType
  /// Without the pauses, in seconds.
  public let duration: TimeInterval
  public let workoutEvents: [HKWorkoutEvent]?
  private let statistics: [TypeStatistics]

  public convenience init(activityType: HKWorkoutActivityType, start: Date, end: Date) {
    self.init(
      activityType: activityType, start: start, end: end, workoutEvents: nil, totalEnergyBurned: nil,
      totalDistance: nil, metadata: nil)
  }

  /// A workout without a builder, which has no statistics but the given totals.
  public init(
    activityType: HKWorkoutActivityType, start: Date, end: Date, workoutEvents: [HKWorkoutEvent]?,
    totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, metadata: [String: Any]?
  ) {
    workoutActivityType = activityType
    duration = end.timeIntervalSince(start)
    self.workoutEvents = workoutEvents
    var statistics: [TypeStatistics] = []
    func add(_ quantity: HKQuantity?, _ unit: String, _ type: HKQuantityTypeIdentifier) {
      guard let quantity else { return }
      var total = TypeStatistics(type: type.rawValue, unit: unit)
      total.add(quantity.doubleValue(for: HKUnit(from: unit)), from: start.nanoseconds, to: end.nanoseconds)
      statistics.append(total)
    }
    add(totalEnergyBurned, "kcal", .activeEnergyBurned)
    add(totalDistance, "m", activityType == .cycling ? .distanceCycling : .distanceWalkingRunning)
    self.statistics = statistics
    super.init(type: HKWorkoutType(), start: start, end: end, metadata: metadata, device: nil)
  }

  init(_ stored: HealthSample) {
    workoutActivityType = HKWorkoutActivityType(rawValue: UInt(max(0, stored.details.integer("activity")))) ?? .other
    duration = stored.details.number("duration")
    workoutEvents = stored.details.list("events").map { HKWorkoutEvent($0.fields) }
    statistics = stored.details.list("statistics").map { TypeStatistics($0) }
    super.init(
      type: HKWorkoutType(), start: Date(nanoseconds: stored.start), end: Date(nanoseconds: stored.end),
      uuid: UUID(stored.uuid), metadata: Metadata.dictionary(stored.metadata), device: HKDevice(stored),
      source: HKSourceRevision(stored))
  }

  override var stored: HealthSample {
    var sample = super.stored
    sample.kind = .workout
    sample.value = Double(workoutActivityType.rawValue)
    return sample
  }

  override var details: [DeviceField] {
    [
      DeviceField("activity", .integer(Int64(workoutActivityType.rawValue))),
      DeviceField("duration", .number(duration)), DeviceField("statistics", .list(statistics.map(\.encoded))),
      DeviceField("events", .list((workoutEvents ?? []).map(\.encoded))),
    ]
  }

  /// Nil for a type without samples.
  public func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    statistics.first { $0.type == quantityType.identifier }.map { HKStatistics($0) }
  }
  public var allStatistics: [HKQuantityType: HKStatistics] {
    Dictionary(uniqueKeysWithValues: statistics.map { (HKQuantityType(.init(rawValue: $0.type)), HKStatistics($0)) })
  }

  public var totalDistance: HKQuantity? {
    statistics.first { $0.type.contains("Distance") }.map { HKStatistics($0) }?.sumQuantity()
  }
  public var totalEnergyBurned: HKQuantity? { statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity() }
  public var workoutActivities: [HKWorkoutActivity] {
    let configuration = HKWorkoutConfiguration(activity: Int64(workoutActivityType.rawValue), location: 1)
    return [HKWorkoutActivity(configuration, start: startDate, end: endDate)]
  }
}

extension HKStatistics {
  /// The statistics of a workout.
  convenience init(_ known: TypeStatistics) {
    let type = HKQuantityType(.init(rawValue: known.type))
    self.init(type, start: Date(nanoseconds: known.start), end: Date(nanoseconds: known.end))
    unit = HKUnit(from: known.unit)
    recent = known.recent
    let begin = Date(nanoseconds: known.recentStart)
    recentInterval = DateInterval(start: begin, end: max(begin, endDate))
    if type.aggregationStyle == .cumulative {
      sum = known.sum
    } else {
      average = known.count > 0 ? known.sum / Double(known.count) : nil
      least = known.least
      most = known.most
    }
  }
}

/// The way of a workout.
public final class HKWorkoutRoute: HKSample, @unchecked Sendable {
  let points: [DeviceValue]

  init(_ stored: HealthSample) {
    points = stored.details.list("points")
    super.init(
      type: HKSeriesType.workoutRoute(), start: Date(nanoseconds: stored.start), end: Date(nanoseconds: stored.end),
      uuid: UUID(stored.uuid), metadata: Metadata.dictionary(stored.metadata), device: HKDevice(stored),
      source: HKSourceRevision(stored))
  }

  /// The number of its points.
  public var count: Int { points.count }
}

/// A kind of workout; the raw values are the framework's.
public enum HKWorkoutActivityType: UInt, Sendable, CaseIterable {
  case americanFootball = 1, archery, australianFootball, badminton, baseball, basketball, bowling, boxing
  case climbing, cricket, crossTraining, curling, cycling, dance, danceInspiredTraining, elliptical
  case equestrianSports, fencing, fishing, functionalStrengthTraining, golf, gymnastics, handball, hiking
  case hockey, hunting, lacrosse, martialArts, mindAndBody, mixedMetabolicCardioTraining, paddleSports, play
  case preparationAndRecovery, racquetball, rowing, rugby, running, sailing, skatingSports, snowSports, soccer
  case softball, squash, stairClimbing, surfingSports, swimming, tableTennis, tennis, trackAndField
  case traditionalStrengthTraining, volleyball, walking, waterFitness, waterPolo, waterSports, wrestling, yoga
  case barre, coreTraining, crossCountrySkiing, downhillSkiing, flexibility, highIntensityIntervalTraining
  case jumpRope, kickboxing, pilates, snowboarding, stairs, stepTraining, wheelchairWalkPace
  case wheelchairRunPace, taiChi, mixedCardio, handCycling, discSports, fitnessGaming, cardioDance
  case socialDance, pickleball, cooldown
  case swimBikeRun = 82
  case transition, underwaterDiving
  case other = 3000
}

/// Where a workout takes place; the raw values are the framework's.
public enum HKWorkoutSessionLocationType: Int, Sendable { case unknown = 1, indoor, outdoor }

/// Where a swimmer swims; the raw values are the framework's.
public enum HKWorkoutSwimmingLocationType: Int, Sendable { case unknown = 0, pool, openWater }

/// The states of a session; the raw values are the framework's, in historical order.
public enum HKWorkoutSessionState: Int, Sendable { case notStarted = 1, running, ended, paused, prepared, stopped }

/// Whether a session is this device's own; the raw values are the framework's.
public enum HKWorkoutSessionType: Int, Sendable { case primary = 0, mirrored }

/// What happens in a workout; the raw values are the framework's.
public enum HKWorkoutEventType: Int, Sendable {
  case pause = 1, resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
}
