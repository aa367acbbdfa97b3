// Numbers and times in text formats, parsed from bytes: Foundation's formatters cost some 25 microseconds a call on
// Linux, and each refuses some form that real files use.

/// Parses decimal numbers.
enum NumberText {
  /// The finite decimal number in `bytes`, surrounding blanks ignored; nil for anything else (`nan`, `0x10`, `1,5`).
  static func parse(_ bytes: some BidirectionalCollection<UInt8>) -> Double? {
    let trimmed = ASCII.trimmed(bytes)
    guard !trimmed.isEmpty, trimmed.count <= 64 else { return nil }
    for byte in trimmed {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let value = Double(String(decoding: trimmed, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }
}

/// Parses and formats instants, ISO 8601 as recorders write it.
package enum TimeText {
  /// The Unix seconds of an instant; nil if `bytes` is none.
  ///
  /// Accepted: `YYYY-MM-DD`, then `T` or a blank, `hh:mm:ss`, a fraction of any length after `.` or `,`, an optional
  /// blank, and `Z`, `±hh:mm`, `±hhmm` or nothing for UTC. Fractions count to the nanosecond. A leap second counts as
  /// the next second.
  package static func parse(_ bytes: some BidirectionalCollection<UInt8>) -> Double? {
    var scanner = DigitScanner(ASCII.trimmed(bytes).prefix(64))
    guard let year = scanner.number(digits: 4), scanner.skip(UInt8(ascii: "-")),
      let month = scanner.number(digits: 2), scanner.skip(UInt8(ascii: "-")),
      let day = scanner.number(digits: 2),
      scanner.skip(UInt8(ascii: "T")) || scanner.skip(UInt8(ascii: " ")) || scanner.skip(UInt8(ascii: "t")),
      let hour = scanner.number(digits: 2), scanner.skip(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2), scanner.skip(UInt8(ascii: ":")),
      let second = scanner.number(digits: 2)
    else { return nil }
    guard (1...12).contains(month), day >= 1, day <= daysInMonth(month, of: year), hour <= 24, minute <= 59,
      second <= 60
    else { return nil }
    var nanoseconds = 0
    if scanner.skip(UInt8(ascii: ".")) || scanner.skip(UInt8(ascii: ",")) {
      guard let fraction = scanner.fraction() else { return nil }
      nanoseconds = fraction
    }
    _ = scanner.skip(UInt8(ascii: " "))
    guard let offset = zoneOffsetSeconds(&scanner), scanner.isAtEnd else { return nil }
    let days = daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Double(seconds) + Double(nanoseconds) / 1e9
  }

  /// Formats an instant as `YYYY-MM-DDThh:mm:ssZ`, with three decimals if it is not a whole second.
  ///
  /// Years outside 1 to 9999 are shown as the nearest of them; rounds to the nearest millisecond.
  package static func format(unixSeconds: Double) -> String {
    let bounded = min(max(unixSeconds.isFinite ? unixSeconds : 0, -62_135_596_800), 253_402_300_799)
    let milliseconds = Int((bounded * 1_000).rounded())
    let (wholeSeconds, fraction) = floored(milliseconds, by: 1_000)
    let (days, secondOfDay) = floored(wholeSeconds, by: 86_400)
    let (year, month, day) = date(daysSinceEpoch: days)
    let clock = "\(padded(secondOfDay / 3_600)):\(padded(secondOfDay / 60 % 60)):\(padded(secondOfDay % 60))"
    let decimals = fraction == 0 ? "" : "." + padded(fraction, width: 3)
    return "\(padded(year, width: 4))-\(padded(month))-\(padded(day))T\(clock)\(decimals)Z"
  }

  private static func zoneOffsetSeconds(_ scanner: inout DigitScanner<some BidirectionalCollection<UInt8>>) -> Int? {
    if scanner.isAtEnd || scanner.skip(UInt8(ascii: "Z")) || scanner.skip(UInt8(ascii: "z")) { return 0 }
    let sign: Int
    if scanner.skip(UInt8(ascii: "+")) {
      sign = 1
    } else if scanner.skip(UInt8(ascii: "-")) {
      sign = -1
    } else {
      return nil
    }
    guard let hours = scanner.number(digits: 2) else { return nil }
    _ = scanner.skip(UInt8(ascii: ":"))
    guard let minutes = scanner.isAtEnd ? 0 : scanner.number(digits: 2), hours <= 18, minutes <= 59 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin on 1 March.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let (era, yearOfEra) = floored(marchYear, by: 400)
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func floored(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let remainder = value % divisor
    return remainder < 0
      ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
  }

  private static func padded(_ value: Int, width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Bytes of ASCII text.
enum ASCII {
  /// Whether `byte` is a blank or a control character, which files use as blanks.
  static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// `bytes` without the blanks at both ends.
  static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    var from = bytes.startIndex
    var to = bytes.endIndex
    while from < to, isBlank(bytes[from]) { bytes.formIndex(after: &from) }
    while to > from, isBlank(bytes[bytes.index(before: to)]) { bytes.formIndex(before: &to) }
    return bytes[from..<to]
  }
}

/// Reads digits and separators from the left.
private struct DigitScanner<Bytes: BidirectionalCollection<UInt8>> {
  private let bytes: Bytes
  private var index: Bytes.Index

  init(_ bytes: Bytes) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  var isAtEnd: Bool { index == bytes.endIndex }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == byte else { return false }
    bytes.formIndex(after: &index)
    return true
  }

  mutating func digit() -> Int? {
    guard index < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
    defer { bytes.formIndex(after: &index) }
    return Int(bytes[index] - UInt8(ascii: "0"))
  }

  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let next = digit() else { return nil }
      value = value * 10 + next
    }
    return value
  }

  /// Digits after the decimal mark as nanoseconds, further ones dropped; nil without a digit.
  mutating func fraction() -> Int? {
    guard var value = digit() else { return nil }
    var count = 1
    while let next = digit() {
      if count < 9 {
        value = value * 10 + next
        count += 1
      }
    }
    for _ in count..<9 { value *= 10 }
    return value
  }
}
