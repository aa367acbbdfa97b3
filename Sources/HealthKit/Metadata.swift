import DeviceClient
import Foundation
import HealthSim
import Link

public let HKMetadataKeyExternalUUID = "HKExternalUUID"
public let HKMetadataKeyTimeZone = "HKTimeZone"
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"
public let HKMetadataKeyIndoorWorkout = "HKIndoorWorkout"
public let HKMetadataKeyWorkoutBrandName = "HKWorkoutBrandName"
public let HKMetadataKeySyncIdentifier = "HKMetadataKeySyncIdentifier"
public let HKMetadataKeySyncVersion = "HKMetadataKeySyncVersion"
public let HKMetadataKeyAverageMETs = "HKAverageMETs"
public let HKMetadataKeyElevationAscended = "HKElevationAscended"
public let HKMetadataKeyWeatherTemperature = "HKWeatherTemperature"
public let HKMetadataKeyWeatherHumidity = "HKWeatherHumidity"
public let HKMetadataKeyLapLength = "HKLapLength"
public let HKMetadataKeySwimmingLocationType = "HKSwimmingLocationType"
public let HKMetadataKeyHeartRateMotionContext = "HKHeartRateMotionContext"
public let HKMetadataKeyDeviceName = "HKDeviceName"

/// Metadata between an app and the daemon: strings, numbers, dates and quantities; anything else raises an exception.
enum Metadata {
  static func fields(_ metadata: [String: Any]?) -> [DeviceField] {
    guard let metadata else { return [] }
    return metadata.keys.sorted().map { key in DeviceField(key, value(metadata[key], of: key)) }
  }

  private static func value(_ value: Any?, of key: String) -> DeviceValue {
    guard let value else { raise("metadata key \(key) has no value") }
    // First: casts to and from number objects succeed for more than they should.
    if type(of: value) == Bool.self, let flag = value as? Bool { return .flag(flag) }
    if let number = value as? any BinaryInteger { return .integer(Int64(clamping: number)) }
    switch value {
    case let text as String: return .text(text)
    case let date as Date: return .record([DeviceField("date", .integer(date.nanoseconds))])
    case let quantity as HKQuantity:
      return .record([
        DeviceField("value", .number(quantity.value)), DeviceField("unit", .text(quantity.unit.unitString)),
      ])
    case let number as NSNumber:
      switch String(cString: number.objCType) {
      case "c", "B": return .flag(number.boolValue)
      case "d", "f": return .number(number.doubleValue)
      default: return .integer(number.int64Value)
      }
    default: raise("metadata key \(key) has a value that is no string, number, date or quantity")
    }
  }

  static func dictionary(_ fields: [DeviceField]) -> [String: Any]? {
    guard !fields.isEmpty else { return nil }
    var metadata: [String: Any] = [:]
    for field in fields {
      switch field.value {
      case .text(let text): metadata[field.key] = text
      case .flag(let flag): metadata[field.key] = flag
      case .integer(let number): metadata[field.key] = Int(number)
      case .number(let number): metadata[field.key] = number
      case .record(let record):
        if record["date"] != nil {
          metadata[field.key] = Date(nanoseconds: record.integer("date"))
        } else {
          metadata[field.key] = HKQuantity(unit: HKUnit(from: record.text("unit")), doubleValue: record.number("value"))
        }
      case .bytes, .list: break
      }
    }
    return metadata
  }
}

extension UUID {
  /// A new identifier; in virtual time it follows from the run's seed.
  static func drawn() -> UUID {
    let high = UInt64.random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = UInt64.random(in: .min ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return UUID(Identifier(high: high, low: low))
  }

  init(_ name: Identifier) {
    func byte(_ half: UInt64, _ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64(place))) }
    let high = name.high
    let low = name.low
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7)
      ))
  }
}

extension Identifier {
  init(_ uuid: UUID) {
    let bytes = uuid.uuid
    func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: number([bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7]),
      low: number([bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15]))
  }
}
