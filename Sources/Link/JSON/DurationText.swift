/// Durations as scenarios write them: `"250ms"`, `"12m30s"`, `"-1.5s"`, or a number of seconds.
///
/// All arithmetic is in integers, so `"0.1s"` is exactly 100 000 000 ns. Fractions of a nanosecond, which programs
/// often write, are rounded to the nearest one.
public enum DurationText {
  /// Why a text is not a duration.
  public struct Failure: Error, Sendable, Equatable {
    /// What was expected.
    public let expected: String
  }

  /// The units from long to short, in nanoseconds.
  private static let units: [(name: String, nanoseconds: UInt64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
  ]

  /// Reads numbers with units `h`, `m`, `s`, `ms`, `us`, `ns`, each shorter than the one before.
  ///
  /// Only the last number may have decimals. `-` comes before the whole.
  public static func parse(_ text: String) throws(Failure) -> VirtualTime.Span {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    var total: UInt64 = 0
    var nextUnit = 0
    repeat {
      let number = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
      rest = rest[number.endIndex...]
      let name = rest.prefix { !isDigit($0) && $0 != UInt8(ascii: ".") }
      rest = rest[name.endIndex...]
      guard let unit = units[nextUnit...].firstIndex(where: { name.elementsEqual($0.name.utf8) }) else {
        if !number.isEmpty, units.contains(where: { name.elementsEqual($0.name.utf8) }) {
          throw Failure(expected: "units from long to short, each at most once")
        }
        throw Failure(expected: "a duration such as \"250ms\", \"90s\", \"12m30s\" or \"1h\"")
      }
      let decimal = try Decimal(number)
      guard decimal.exponent == 0 || rest.isEmpty else {
        throw Failure(expected: "decimals only in a duration's last number")
      }
      let (sum, overflow) = total.addingReportingOverflow(try decimal.nanoseconds(unit: units[unit].nanoseconds))
      guard !overflow else { throw tooLong }
      total = sum
      nextUnit = unit + 1
    } while !rest.isEmpty
    return try span(total, isNegative: isNegative)
  }

  /// Reads a number of seconds as Swift prints it: digits, an optional fraction, an optional exponent.
  public static func seconds(_ text: String) throws(Failure) -> VirtualTime.Span {
    var mantissa = text.utf8[...]
    let isNegative = mantissa.first == UInt8(ascii: "-")
    if isNegative { mantissa.removeFirst() }
    var exponent = 0
    if let mark = mantissa.firstIndex(of: UInt8(ascii: "e")) {
      // A Double's exponent has three digits; the bound keeps the sum below from overflowing.
      guard let written = Int(Substring(mantissa[mantissa.index(after: mark)...])), abs(written) < 1000 else {
        throw Failure(expected: "a number of seconds")
      }
      exponent = written
      mantissa = mantissa[..<mark]
    }
    var decimal = try Decimal(mantissa)
    decimal.exponent += exponent
    return try span(try decimal.nanoseconds(unit: 1_000_000_000), isNegative: isNegative)
  }

  /// Writes a duration so that ``parse(_:)`` gives the same one.
  ///
  /// Whole seconds are written as hours, minutes and seconds; otherwise whole milliseconds, otherwise seconds with
  /// decimals; below a second the largest unit without decimals.
  public static func text(_ span: VirtualTime.Span) -> String {
    let magnitude = span.nanoseconds.magnitude
    let sign = span.nanoseconds < 0 ? "-" : ""
    guard magnitude > 0 else { return "0s" }
    let fraction = magnitude % 1_000_000_000
    if fraction != 0, magnitude < 1_000_000_000 || fraction % 1_000_000 == 0 {
      let unit = units[3...].first { magnitude % $0.nanoseconds == 0 } ?? ("ns", 1)
      return "\(sign)\(magnitude / unit.nanoseconds)\(unit.name)"
    }
    var rest = magnitude - fraction
    var text = sign
    for unit in units[...1] where rest >= unit.nanoseconds {
      text += "\(rest / unit.nanoseconds)\(unit.name)"
      rest %= unit.nanoseconds
    }
    guard rest > 0 || fraction > 0 else { return text }
    text += "\(rest / 1_000_000_000)"
    if fraction > 0 {
      let digits = "\(1_000_000_000 + fraction)".dropFirst()
      text += "." + String(digits.reversed().drop { $0 == "0" }.reversed())
    }
    return text + "s"
  }

  private static let tooLong = Failure(expected: "a duration of less than 292 years")

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func span(_ magnitude: UInt64, isNegative: Bool) throws(Failure) -> VirtualTime.Span {
    guard let nanoseconds = Int64(exactly: magnitude) else { throw tooLong }
    return VirtualTime.Span(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
  }

  /// The value `digits` times ten to the power of `exponent`.
  private struct Decimal {
    var digits: UInt64 = 0
    var exponent = 0
    /// Whether there is no room for more digits.
    private var isFull = false

    /// Reads digits with at most one point.
    init(_ text: Substring.UTF8View) throws(Failure) {
      var hasPoint = false
      var digitCount = 0
      // Zeros at the end of a fraction do not matter, and must not overflow it.
      var pendingZeros = 0
      for byte in text {
        if byte == UInt8(ascii: ".") {
          guard !hasPoint, digitCount > 0 else { throw Failure(expected: "a number before the unit") }
          hasPoint = true
          digitCount = 0
          continue
        }
        digitCount += 1
        if hasPoint, byte == UInt8(ascii: "0") {
          pendingZeros += 1
          continue
        }
        for _ in 0..<pendingZeros { try append(0, isFraction: true) }
        pendingZeros = 0
        try append(UInt64(byte - UInt8(ascii: "0")), isFraction: hasPoint)
      }
      guard digitCount > 0 else { throw Failure(expected: "a number before the unit") }
    }

    private mutating func append(_ digit: UInt64, isFraction: Bool) throws(Failure) {
      guard !isFull else { return }
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(digit)
      guard !overflow, !carry else {
        // With nineteen digits, the rest of a fraction is far below a nanosecond.
        guard isFraction else { throw DurationText.tooLong }
        isFull = true
        return
      }
      digits = sum
      if isFraction { exponent -= 1 }
    }

    /// Returns the number of units in nanoseconds, rounded.
    func nanoseconds(unit: UInt64) throws(Failure) -> UInt64 {
      var product = UInt128(digits) * UInt128(unit)
      for _ in 0..<max(exponent, 0) where product > 0 {
        guard product <= UInt128(UInt64.max) else { throw DurationText.tooLong }
        product *= 10
      }
      if exponent < 0 {
        // 10 to the power of 38 is the largest that fits in 128 bits, and makes every quotient less than one half.
        var divisor: UInt128 = 1
        for _ in 0..<min(-exponent, 38) { divisor *= 10 }
        product = (product + divisor / 2) / divisor
      }
      guard let nanoseconds = UInt64(exactly: product) else { throw DurationText.tooLong }
      return nanoseconds
    }
  }
}
