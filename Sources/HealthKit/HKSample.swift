import DeviceClient
public import Foundation
import HealthSim
import Link

/// Something that a health store has.
public class HKObject: NSObject, @unchecked Sendable {
  public let uuid: UUID
  public let metadata: [String: Any]?
  public let device: HKDevice?
  /// The app or the device that saved it; this app's until then.
  public internal(set) var sourceRevision: HKSourceRevision
  /// The workout that it belongs to.
  var workout = Identifier.none

  init(uuid: UUID = UUID.drawn(), metadata: [String: Any]?, device: HKDevice?, source: HKSourceRevision) {
    self.uuid = uuid
    self.metadata = metadata
    self.device = device
    sourceRevision = source
  }

  public var source: HKSource { sourceRevision.source }
  public override func isEqual(_ object: Any?) -> Bool { (object as? HKObject)?.uuid == uuid }
  public override var hash: Int { uuid.hashValue }
}

/// A sample: an object with a type and a time.
public class HKSample: HKObject, @unchecked Sendable {
  public let sampleType: HKSampleType
  public let startDate: Date
  public let endDate: Date

  init(
    type: HKSampleType, start: Date, end: Date, uuid: UUID = UUID.drawn(), metadata: [String: Any]?, device: HKDevice?,
    source: HKSourceRevision = .current
  ) {
    guard start <= end else { raise("startDate must not be after endDate") }
    sampleType = type
    startDate = start
    endDate = end
    super.init(uuid: uuid, metadata: metadata, device: device, source: source)
  }

  /// Further fields for the daemon.
  var details: [DeviceField] { [] }

  /// The sample as the daemon stores it.
  var stored: HealthSample {
    var sample = HealthSample()
    sample.uuid = Identifier(uuid)
    sample.type = sampleType.identifier
    sample.start = startDate.nanoseconds
    sample.end = endDate.nanoseconds
    sample.sourceName = sourceRevision.source.name
    sample.device = device?.name ?? ""
    sample.metadata = Metadata.fields(metadata)
    sample.details = details
    return sample
  }

  /// The object of a stored sample.
  static func make(_ stored: HealthSample) -> HKSample {
    let sample: HKSample =
      switch stored.kind {
      case .quantity: HKQuantitySample(stored)
      case .category: HKCategorySample(stored)
      case .workout: HKWorkout(stored)
      case .route: HKWorkoutRoute(stored)
      }
    sample.workout = stored.workout
    return sample
  }
}

/// A measured quantity.
public class HKQuantitySample: HKSample, @unchecked Sendable {
  public let quantityType: HKQuantityType
  public let quantity: HKQuantity

  public convenience init(type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
    self.init(type: type, quantity: quantity, start: start, end: end, device: nil, metadata: nil)
  }
  public convenience init(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, metadata: [String: Any]?
  ) { self.init(type: type, quantity: quantity, start: start, end: end, device: nil, metadata: metadata) }

  /// A quantity whose unit does not fit the type raises an exception, which ends the app.
  public init(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    guard type.is(compatibleWith: quantity.unit) else {
      raise("HKQuantitySample \(quantity) is incompatible with type \(type.identifier)")
    }
    quantityType = type
    self.quantity = quantity
    super.init(type: type, start: start, end: end, metadata: metadata, device: device)
  }

  init(_ stored: HealthSample) {
    quantityType = HKQuantityType(.init(rawValue: stored.type))
    quantity = HKQuantity(unit: HKUnit(from: stored.unit), doubleValue: stored.value)
    super.init(
      type: quantityType, start: Date(nanoseconds: stored.start), end: Date(nanoseconds: stored.end),
      uuid: UUID(stored.uuid), metadata: Metadata.dictionary(stored.metadata), device: HKDevice(stored),
      source: HKSourceRevision(stored))
  }

  public var count: Int { 1 }

  override var stored: HealthSample {
    var sample = super.stored
    sample.value = quantity.value
    sample.unit = quantity.unit.unitString
    return sample
  }
}

/// A sample of a cumulative type.
public typealias HKCumulativeQuantitySample = HKQuantitySample
/// A sample of a discrete type.
public typealias HKDiscreteQuantitySample = HKQuantitySample

/// A sample that is one of a few words: a phase of sleep.
public final class HKCategorySample: HKSample, @unchecked Sendable {
  public let categoryType: HKCategoryType
  public let value: Int

  public convenience init(type: HKCategoryType, value: Int, start: Date, end: Date) {
    self.init(type: type, value: value, start: start, end: end, device: nil, metadata: nil)
  }
  public convenience init(type: HKCategoryType, value: Int, start: Date, end: Date, metadata: [String: Any]?) {
    self.init(type: type, value: value, start: start, end: end, device: nil, metadata: metadata)
  }
  public init(
    type: HKCategoryType, value: Int, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    categoryType = type
    self.value = value
    super.init(type: type, start: start, end: end, metadata: metadata, device: device)
  }

  init(_ stored: HealthSample) {
    categoryType = HKCategoryType(.init(rawValue: stored.type))
    value = Int(stored.value)
    super.init(
      type: categoryType, start: Date(nanoseconds: stored.start), end: Date(nanoseconds: stored.end),
      uuid: UUID(stored.uuid), metadata: Metadata.dictionary(stored.metadata), device: HKDevice(stored),
      source: HKSourceRevision(stored))
  }

  override var stored: HealthSample {
    var sample = super.stored
    sample.kind = .category
    sample.value = Double(value)
    return sample
  }
}

/// What is known of an object that was deleted.
public final class HKDeletedObject: NSObject, @unchecked Sendable {
  public let uuid: UUID
  public var metadata: [String: Any]? { nil }

  init(uuid: UUID) { self.uuid = uuid }
}

/// A device that measures.
public final class HKDevice: NSObject, @unchecked Sendable {
  public let name: String?
  public let manufacturer: String?
  public let model: String?
  public let hardwareVersion: String?
  public let firmwareVersion: String?
  public let softwareVersion: String?
  public let localIdentifier: String?
  public let udiDeviceIdentifier: String?

  public init(
    name: String?, manufacturer: String?, model: String?, hardwareVersion: String?, firmwareVersion: String?,
    softwareVersion: String?, localIdentifier: String?, udiDeviceIdentifier: String?
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.hardwareVersion = hardwareVersion
    self.firmwareVersion = firmwareVersion
    self.softwareVersion = softwareVersion
    self.localIdentifier = localIdentifier
    self.udiDeviceIdentifier = udiDeviceIdentifier
  }

  convenience init?(_ stored: HealthSample) {
    guard !stored.device.isEmpty else { return nil }
    self.init(
      name: stored.device, manufacturer: "Apple Inc.", model: stored.device.contains("Watch") ? "Watch" : "iPhone",
      hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  }

  /// This device.
  public static func local() -> HKDevice {
    let name = HealthClient.shared.isWatch ? "Apple Watch" : "iPhone"
    return HKDevice(
      name: name, manufacturer: "Apple Inc.", model: name, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  }
}

/// An app or a device that saves samples.
public final class HKSource: NSObject, @unchecked Sendable {
  public let name: String
  public let bundleIdentifier: String

  init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }

  /// This app.
  public class func `default`() -> HKSource {
    let isWatch = HealthClient.shared.isWatch
    return HKSource(name: isWatch ? "Apple Watch" : "iPhone", bundleIdentifier: isWatch ? "app.watch" : "app.phone")
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? HKSource)?.bundleIdentifier == bundleIdentifier
  }
  public override var hash: Int { bundleIdentifier.hashValue }
}

/// A source with its version.
public final class HKSourceRevision: NSObject, @unchecked Sendable {
  public let source: HKSource
  public let version: String?
  public let productType: String?

  public init(source: HKSource, version: String?) {
    self.source = source
    self.version = version
    productType = nil
  }

  convenience init(_ stored: HealthSample) {
    self.init(source: HKSource(name: stored.sourceName, bundleIdentifier: stored.source), version: nil)
  }

  static var current: HKSourceRevision { HKSourceRevision(source: .default(), version: nil) }
}
