package import Link

/// A sample of a health store, as apps and daemons exchange it.
package struct HealthSample: Sendable, Equatable {
  /// What a sample is.
  package enum Kind: Int64, Sendable { case quantity, category, workout, route }

  package var kind = Kind.quantity
  package var uuid: Identifier = .none
  /// The identifier of its type: `HKQuantityTypeIdentifierHeartRate`.
  package var type = ""
  /// In nanoseconds since 1970, by the clock of the device that recorded it.
  package var start: Int64 = 0
  package var end: Int64 = 0
  /// In ``unit``; of a category its raw value.
  package var value = 0.0
  package var unit = ""
  /// The bundle identifier of the app, or of the device, that saved it.
  package var source = ""
  package var sourceName = ""
  /// The name of the device that measured it; empty for none.
  package var device = ""
  package var metadata: [DeviceField] = []
  /// Further fields of a workout or a route.
  package var details: [DeviceField] = []
  /// The workout that it belongs to; ``Identifier/none`` for none.
  package var workout: Identifier = .none

  package init() {}

  package init(_ value: DeviceValue) {
    let fields = value.fields
    kind = Kind(rawValue: fields.integer("kind")) ?? .quantity
    uuid = fields.identifier("uuid")
    type = fields.text("type")
    start = fields.integer("start")
    end = fields.integer("end")
    self.value = fields.number("value")
    unit = fields.text("unit")
    source = fields.text("source")
    sourceName = fields.text("sourceName")
    device = fields.text("device")
    metadata = fields.fields("metadata")
    details = fields.fields("details")
    workout = fields.identifier("workout")
  }

  package var encoded: DeviceValue {
    var fields: [DeviceField] = [
      DeviceField("kind", .integer(kind.rawValue)), DeviceField("uuid", .identifier(uuid)),
      DeviceField("type", .text(type)), DeviceField("start", .integer(start)), DeviceField("end", .integer(end)),
      DeviceField("value", .number(value)), DeviceField("unit", .text(unit)), DeviceField("source", .text(source)),
      DeviceField("sourceName", .text(sourceName)),
    ]
    if !device.isEmpty { fields.append(DeviceField("device", .text(device))) }
    if !metadata.isEmpty { fields.append(DeviceField("metadata", .record(metadata))) }
    if !details.isEmpty { fields.append(DeviceField("details", .record(details))) }
    if workout != .none { fields.append(DeviceField("workout", .identifier(workout))) }
    return .record(fields)
  }
}

/// The identifiers of the types that a device measures by itself.
package enum HealthType {
  package static let heartRate = "HKQuantityTypeIdentifierHeartRate"
  package static let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
  package static let cycling = "HKQuantityTypeIdentifierDistanceCycling"
  package static let swimming = "HKQuantityTypeIdentifierDistanceSwimming"
  package static let activeEnergy = "HKQuantityTypeIdentifierActiveEnergyBurned"
  package static let basalEnergy = "HKQuantityTypeIdentifierBasalEnergyBurned"
  package static let steps = "HKQuantityTypeIdentifierStepCount"
  package static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"
  package static let workout = "HKWorkoutTypeIdentifier"
  package static let route = "HKWorkoutRouteTypeIdentifier"
}

/// What is known of one type in a workout: the values that a live builder's statistics have.
package struct TypeStatistics: Sendable, Equatable {
  package var type = ""
  package var unit = ""
  package var sum = 0.0
  package var count: Int64 = 0
  package var least = 0.0
  package var most = 0.0
  package var recent = 0.0
  /// In nanoseconds since 1970.
  package var start: Int64 = 0
  package var end: Int64 = 0
  package var recentStart: Int64 = 0

  package init(type: String, unit: String) {
    self.type = type
    self.unit = unit
  }

  /// Adds a sample.
  package mutating func add(_ value: Double, from begin: Int64, to end: Int64) {
    sum += value
    least = count == 0 ? value : min(least, value)
    most = count == 0 ? value : max(most, value)
    if count == 0 { start = begin }
    count += 1
    recent = value
    recentStart = begin
    self.end = max(self.end, end)
  }

  package init(_ value: DeviceValue) {
    let fields = value.fields
    type = fields.text("type")
    unit = fields.text("unit")
    sum = fields.number("sum")
    count = fields.integer("count")
    least = fields.number("least")
    most = fields.number("most")
    recent = fields.number("recent")
    start = fields.integer("start")
    end = fields.integer("end")
    recentStart = fields.integer("recentStart")
  }

  package var encoded: DeviceValue {
    .record([
      DeviceField("type", .text(type)), DeviceField("unit", .text(unit)), DeviceField("sum", .number(sum)),
      DeviceField("count", .integer(count)), DeviceField("least", .number(least)), DeviceField("most", .number(most)),
      DeviceField("recent", .number(recent)), DeviceField("start", .integer(start)), DeviceField("end", .integer(end)),
      DeviceField("recentStart", .integer(recentStart)),
    ])
  }
}
