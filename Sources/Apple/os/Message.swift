public import Foundation

/// A line with its values.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Collects the parts of a line.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  private mutating func append(_ value: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy) {
    text += align.pad(privacy.show(value))
  }

  public mutating func appendInterpolation(
    _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    attributes: String = ""
  ) {
    append(argumentString(), align, privacy)
  }

  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    attributes: String = ""
  ) {
    append(value().description, align, privacy)
  }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    attributes: String = ""
  ) {
    append("\(value())", align, privacy)
  }

  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append("\(error())", .none, privacy)
  }

  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ argumentObject: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append(argumentObject()?.description ?? "(null)", .none, privacy)
  }

  public mutating func appendInterpolation<T: FixedWidthInteger & CustomStringConvertible>(
    _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append(format.text(number()), align, privacy)
  }

  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append(format.text(number()), align, privacy)
  }

  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto, attributes: String = ""
  ) {
    append(format.text(Double(number())), align, privacy)
  }

  public mutating func appendInterpolation(
    _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto,
    attributes: String = ""
  ) {
    let value = boolean()
    append(format == .answer ? (value ? "YES" : "NO") : "\(value)", .none, privacy)
  }
}

/// Who may read a value.
///
/// A private value is shown, as it is on a device that a debugger is attached to: a trace is read by the app's developers. A
/// sensitive one is not, and a mask hides any.
public struct OSLogPrivacy: Sendable {
  private enum Kind { case auto, open, hidden, sensitive }

  /// What stands in a value's place.
  public enum Mask: Sendable {
    case none
    /// A number that is the same for equal values.
    case hash
  }

  private let kind: Kind
  private let mask: Mask

  public static let auto = OSLogPrivacy(kind: .auto, mask: .none)
  public static let `public` = OSLogPrivacy(kind: .open, mask: .none)
  public static let `private` = OSLogPrivacy(kind: .hidden, mask: .none)
  public static let sensitive = OSLogPrivacy(kind: .sensitive, mask: .none)
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: mask) }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

  func show(_ value: String) -> String {
    if mask == .hash { return "<mask.hash: '\(Self.hash(value))'>" }
    return kind == .sensitive ? "<private>" : value
  }

  /// The same number in every process, unlike `hashValue`: FNV-1a.
  private static func hash(_ value: String) -> String {
    let hash = value.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}

/// The columns of a value.
public struct OSLogStringAlignment: Sendable {
  private let columns: Int
  private let isRight: Bool

  public static let none = OSLogStringAlignment(columns: 0, isRight: false)
  public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: columns(), isRight: true)
  }
  public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: columns(), isRight: false)
  }

  func pad(_ text: String) -> String {
    let space = String(repeating: " ", count: max(0, min(columns, LogLine.textBytesMax) - text.count))
    return isRight ? space + text : text + space
  }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  private var radix = 10
  private var isSigned = false
  private var hasPrefix = false
  private var isUppercase = false
  private var digits = 0

  public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    var format = decimal
    (format.isSigned, format.digits) = (explicitPositiveSign, minDigits())
    return format
  }

  public static var hex: OSLogIntegerFormatting { hex() }
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    var format = decimal(explicitPositiveSign: explicitPositiveSign, minDigits: minDigits())
    (format.radix, format.hasPrefix, format.isUppercase) = (16, includePrefix, uppercase)
    return format
  }

  public static var octal: OSLogIntegerFormatting { octal() }
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    var format = hex(
      explicitPositiveSign: explicitPositiveSign, includePrefix: includePrefix, uppercase: uppercase,
      minDigits: minDigits())
    format.radix = 8
    return format
  }

  func text<Number: FixedWidthInteger>(_ number: Number) -> String {
    var text = String(number.magnitude, radix: radix, uppercase: isUppercase)
    text = String(repeating: "0", count: max(0, min(digits, LogLine.textBytesMax) - text.count)) + text
    if hasPrefix, radix != 10 { text = (radix == 16 ? "0x" : "0o") + text }
    return (number < 0 ? "-" : isSigned ? "+" : "") + text
  }
}

/// How a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  private var conversion = "f"
  private var precision = 6
  private var isSigned = false

  private static func make(
    _ conversion: String, precision: Int, explicitPositiveSign: Bool, uppercase: Bool
  ) -> OSLogFloatFormatting {
    let limited = max(0, min(precision, 100))
    return OSLogFloatFormatting(
      conversion: uppercase ? conversion.uppercased() : conversion, precision: limited, isSigned: explicitPositiveSign)
  }

  public static var fixed: OSLogFloatFormatting { fixed() }
  public static func fixed(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    make("f", precision: precision(), explicitPositiveSign: explicitPositiveSign, uppercase: uppercase)
  }

  public static var exponential: OSLogFloatFormatting { exponential() }
  public static func exponential(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    make("e", precision: precision(), explicitPositiveSign: explicitPositiveSign, uppercase: uppercase)
  }

  public static var hybrid: OSLogFloatFormatting { hybrid() }
  public static func hybrid(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    make("g", precision: precision(), explicitPositiveSign: explicitPositiveSign, uppercase: uppercase)
  }

  public static var hex: OSLogFloatFormatting { hex() }
  public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
    make("a", precision: 13, explicitPositiveSign: explicitPositiveSign, uppercase: uppercase)
  }

  func text(_ number: Double) -> String {
    String(format: "%\(isSigned ? "+" : "").\(precision)\(conversion)", number)
  }
}

/// How a Boolean value is written.
public enum OSLogBoolFormat: Sendable {
  case truth, answer
}
