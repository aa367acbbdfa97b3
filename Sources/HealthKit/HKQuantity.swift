public import Foundation

/// A value with its unit.
public final class HKQuantity: NSObject, @unchecked Sendable {
  let unit: HKUnit
  let value: Double

  public init(unit: HKUnit, doubleValue: Double) {
    self.unit = unit
    value = doubleValue
  }

  /// Whether the value can be given in a unit.
  public func `is`(compatibleWith unit: HKUnit) -> Bool { self.unit.isCompatible(with: unit) }

  /// The value in a unit; one of another kind raises an exception, which ends the app.
  public func doubleValue(for unit: HKUnit) -> Double {
    guard self.is(compatibleWith: unit) else {
      raise("Attempt to convert incompatible units: \(self.unit.unitString), \(unit.unitString)")
    }
    if unit.isEqual(self.unit) { return value }
    return (value * self.unit.factor + self.unit.offset - unit.offset) / unit.factor
  }

  public func compare(_ other: HKQuantity) -> ComparisonResult {
    let difference = doubleValue(for: other.unit) - other.value
    return difference < 0 ? .orderedAscending : difference > 0 ? .orderedDescending : .orderedSame
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQuantity, other.is(compatibleWith: unit) else { return false }
    return compare(other) == .orderedSame
  }
  public override var hash: Int { value.hashValue }
  public override var description: String { "\(value) \(unit.unitString)" }
}
