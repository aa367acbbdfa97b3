public import Foundation

/// A unit of measure: a product of powers of base units.
public final class HKUnit: NSObject, @unchecked Sendable {
  /// What is measured, by base quantity and power; empty for a count.
  let dimensions: [String: Int]
  /// How many base units it is.
  let factor: Double
  /// Of a temperature: the base unit's value at zero.
  let offset: Double
  /// As it is written: `count/min`.
  public let unitString: String

  init(_ text: String, _ dimensions: [String: Int], _ factor: Double, offset: Double = 0) {
    unitString = text
    self.dimensions = dimensions.filter { $0.value != 0 }
    self.factor = factor
    self.offset = offset
  }

  /// Reads a unit; anything that is none raises an exception, which ends the app.
  public convenience init(from string: String) {
    guard let unit = UnitParser.parse(string) else { raise("Unable to parse factorization string \(string)") }
    self.init(string, unit.dimensions, unit.factor, offset: unit.offset)
  }

  public override var description: String { unitString }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUnit else { return false }
    return dimensions == other.dimensions && factor == other.factor && offset == other.offset
  }
  public override var hash: Int { dimensions.hashValue ^ factor.hashValue }

  /// Whether quantities of both can be compared.
  func isCompatible(with other: HKUnit) -> Bool { dimensions == other.dimensions }

  /// Whether it is a mere number.
  public func isNull() -> Bool { dimensions.isEmpty && factor == 1 }

  // MARK: Arithmetic

  public func unitMultiplied(by unit: HKUnit) -> HKUnit {
    HKUnit("\(unitString)*\(unit.unitString)", Self.merging(dimensions, unit.dimensions, 1), factor * unit.factor)
  }

  public func unitDivided(by unit: HKUnit) -> HKUnit {
    let divisor = unit.unitString.contains(where: { "*/.".contains($0) }) ? "(\(unit.unitString))" : unit.unitString
    return HKUnit("\(unitString)/\(divisor)", Self.merging(dimensions, unit.dimensions, -1), factor / unit.factor)
  }

  public func unitRaised(toPower power: Int) -> HKUnit {
    let base = unitString.contains(where: { "*/.".contains($0) }) ? "(\(unitString))" : unitString
    return HKUnit("\(base)^\(power)", dimensions.mapValues { $0 * power }, pow(factor, Double(power)))
  }

  public func reciprocal() -> HKUnit { HKUnit.count().unitDivided(by: self) }

  static func merging(_ lhs: [String: Int], _ rhs: [String: Int], _ sign: Int) -> [String: Int] {
    lhs.merging(rhs.mapValues { $0 * sign }, uniquingKeysWith: +).filter { $0.value != 0 }
  }
}

/// A prefix of a unit; the raw values are the framework's.
public enum HKMetricPrefix: Int, Sendable {
  case none = 0, pico, nano, micro, milli, centi, deci, deca, hecto, kilo, mega, giga, tera, femto

  var text: String {
    switch self {
    case .none: ""
    case .pico: "p"
    case .nano: "n"
    case .micro: "mc"
    case .milli: "m"
    case .centi: "c"
    case .deci: "d"
    case .deca: "da"
    case .hecto: "h"
    case .kilo: "k"
    case .mega: "M"
    case .giga: "G"
    case .tera: "T"
    case .femto: "f"
    }
  }

  var factor: Double {
    switch self {
    case .none: 1
    case .femto: 1e-15
    case .pico: 1e-12
    case .nano: 1e-9
    case .micro: 1e-6
    case .milli: 1e-3
    case .centi: 1e-2
    case .deci: 1e-1
    case .deca: 1e1
    case .hecto: 1e2
    case .kilo: 1e3
    case .mega: 1e6
    case .giga: 1e9
    case .tera: 1e12
    }
  }
}

/// The units with names; the ones with a prefix take any.
extension HKUnit {
  private static func named(_ name: String, _ prefix: HKMetricPrefix = .none) -> HKUnit {
    HKUnit(from: prefix.text + name)
  }

  public static func gram() -> HKUnit { named("g") }
  public static func gramUnit(with prefix: HKMetricPrefix) -> HKUnit { named("g", prefix) }
  public static func ounce() -> HKUnit { named("oz") }
  public static func pound() -> HKUnit { named("lb") }
  public static func stone() -> HKUnit { named("st") }
  public static func meter() -> HKUnit { named("m") }
  public static func meterUnit(with prefix: HKMetricPrefix) -> HKUnit { named("m", prefix) }
  public static func inch() -> HKUnit { named("in") }
  public static func foot() -> HKUnit { named("ft") }
  public static func yard() -> HKUnit { named("yd") }
  public static func mile() -> HKUnit { named("mi") }
  public static func liter() -> HKUnit { named("L") }
  public static func literUnit(with prefix: HKMetricPrefix) -> HKUnit { named("L", prefix) }
  public static func fluidOunceUS() -> HKUnit { named("fl_oz_us") }
  public static func cupUS() -> HKUnit { named("cup_us") }
  public static func pascal() -> HKUnit { named("Pa") }
  public static func pascalUnit(with prefix: HKMetricPrefix) -> HKUnit { named("Pa", prefix) }
  public static func millimeterOfMercury() -> HKUnit { named("mmHg") }
  public static func atmosphere() -> HKUnit { named("atm") }
  public static func second() -> HKUnit { named("s") }
  public static func secondUnit(with prefix: HKMetricPrefix) -> HKUnit { named("s", prefix) }
  public static func minute() -> HKUnit { named("min") }
  public static func hour() -> HKUnit { named("hr") }
  public static func day() -> HKUnit { named("d") }
  public static func joule() -> HKUnit { named("J") }
  public static func jouleUnit(with prefix: HKMetricPrefix) -> HKUnit { named("J", prefix) }
  public static func kilocalorie() -> HKUnit { named("kcal") }
  public static func smallCalorie() -> HKUnit { named("cal") }
  public static func largeCalorie() -> HKUnit { named("Cal") }
  public static func degreeCelsius() -> HKUnit { named("degC") }
  public static func degreeFahrenheit() -> HKUnit { named("degF") }
  public static func kelvin() -> HKUnit { named("K") }
  public static func count() -> HKUnit { named("count") }
  public static func percent() -> HKUnit { named("%") }
  public static func watt() -> HKUnit { named("W") }
  public static func wattUnit(with prefix: HKMetricPrefix) -> HKUnit { named("W", prefix) }
  public static func hertz() -> HKUnit { named("Hz") }
  public static func hertzUnit(with prefix: HKMetricPrefix) -> HKUnit { named("Hz", prefix) }
  public static func volt() -> HKUnit { named("V") }
  public static func voltUnit(with prefix: HKMetricPrefix) -> HKUnit { named("V", prefix) }
  public static func siemen() -> HKUnit { named("S") }
  public static func internationalUnit() -> HKUnit { named("IU") }
  public static func decibelAWeightedSoundPressureLevel() -> HKUnit { named("dBASPL") }
  public static func degreeAngle() -> HKUnit { named("deg") }
  public static func radianAngle() -> HKUnit { named("rad") }

  /// `unit / divisor` with the framework's operators.
  public static func / (lhs: HKUnit, rhs: HKUnit) -> HKUnit { lhs.unitDivided(by: rhs) }
}

/// Reads `ml/(kg*min)`: factors with powers, products, a quotient.
private struct UnitParser {
  private var rest: Substring

  static func parse(_ text: String) -> HKUnit? {
    var parser = UnitParser(rest: text[...])
    guard let unit = parser.product(), parser.rest.isEmpty else { return nil }
    return unit
  }

  private mutating func product() -> HKUnit? {
    guard var unit = power() else { return nil }
    while let sign = rest.first, "*./".contains(sign) {
      rest = rest.dropFirst()
      guard let next = power() else { return nil }
      unit = sign == "/" ? unit.unitDivided(by: next) : unit.unitMultiplied(by: next)
    }
    return unit
  }

  private mutating func power() -> HKUnit? {
    guard let unit = factor() else { return nil }
    guard rest.first == "^" else { return unit }
    rest = rest.dropFirst()
    let digits = rest.prefix { $0 == "-" || $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return Int(digits).map { unit.unitRaised(toPower: $0) }
  }

  private mutating func factor() -> HKUnit? {
    if rest.first == "(" {
      rest = rest.dropFirst()
      guard let unit = product(), rest.first == ")" else { return nil }
      rest = rest.dropFirst()
      return unit
    }
    let name = rest.prefix { !"*./^()".contains($0) || $0 == "<" }
    rest = rest.dropFirst(name.count)
    return Self.unit(String(name))
  }

  private static func unit(_ name: String) -> HKUnit? {
    if let (dimensions, factor, offset) = plain[name] { return HKUnit(name, dimensions, factor, offset: offset) }
    for prefix in [
      HKMetricPrefix.micro, .deca, .milli, .centi, .deci, .hecto, .kilo, .mega, .giga, .tera, .nano, .pico, .femto,
    ]
    where name.hasPrefix(prefix.text) {
      let base = String(name.dropFirst(prefix.text.count))
      guard let (dimensions, factor) = metric[base] else { continue }
      return HKUnit(name, dimensions, factor * prefix.factor)
    }
    return metric[name].map { HKUnit(name, $0.0, $0.1) }
  }

  /// Units with prefixes, in grams, metres, seconds, kelvins and amperes.
  private static let metric: [String: ([String: Int], Double)] = [
    "g": (["mass": 1], 1), "m": (["length": 1], 1), "L": (["length": 3], 1e-3), "l": (["length": 3], 1e-3),
    "Pa": (["mass": 1, "length": -1, "time": -2], 1_000), "s": (["time": 1], 1),
    "J": (["mass": 1, "length": 2, "time": -2], 1_000), "cal": (["mass": 1, "length": 2, "time": -2], 4_184),
    "W": (["mass": 1, "length": 2, "time": -3], 1_000), "Hz": (["time": -1], 1), "K": (["temperature": 1], 1),
    "V": (["potential": 1], 1), "S": (["conductance": 1], 1), "IU": (["pharmacology": 1], 1), "mol": (["mole": 1], 1),
  ]

  private static let plain: [String: ([String: Int], Double, Double)] = [
    "count": ([:], 1, 0), "%": ([:], 0.01, 0), "": ([:], 1, 0), "1": ([:], 1, 0),
    "oz": (["mass": 1], 28.349523125, 0), "lb": (["mass": 1], 453.59237, 0), "st": (["mass": 1], 6_350.29318, 0),
    "in": (["length": 1], 0.0254, 0), "ft": (["length": 1], 0.3048, 0), "yd": (["length": 1], 0.9144, 0),
    "mi": (["length": 1], 1_609.344, 0), "fl_oz_us": (["length": 3], 2.95735295625e-5, 0),
    "cup_us": (["length": 3], 2.365882365e-4, 0), "mmHg": (["mass": 1, "length": -1, "time": -2], 133_322.387415, 0),
    "atm": (["mass": 1, "length": -1, "time": -2], 101_325_000, 0), "min": (["time": 1], 60, 0),
    "hr": (["time": 1], 3_600, 0), "d": (["time": 1], 86_400, 0),
    "Cal": (["mass": 1, "length": 2, "time": -2], 4_184_000, 0), "degC": (["temperature": 1], 1, 273.15),
    "degF": (["temperature": 1], 5.0 / 9, 459.67 * 5 / 9), "dBASPL": (["sound": 1], 1, 0), "deg": (["angle": 1], 1, 0),
    "rad": (["angle": 1], 57.29577951308232, 0),
  ]
}

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
