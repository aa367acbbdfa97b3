// Numbers and times in text formats, parsed from bytes: Foundation's formatters cost some 25 microseconds a call on
// Linux, and each refuses some form that real files use.

import Link

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
    let days = CalendarDay(year: Int64(year), month: Int64(month), day: Int64(day)).number
    let seconds = Int(days) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Double(seconds) + Double(nanoseconds) / 1e9
  }

  /// Formats an instant as `YYYY-MM-DDThh:mm:ssZ`, with three decimals if it is not a whole second.
  ///
  /// Years outside 1 to 9999 are shown as the nearest of them; rounds to the nearest millisecond.
  package static func format(unixSeconds: Double) -> String {
    let bounded = min(max(unixSeconds.isFinite ? unixSeconds : 0, -62_135_596_800), 253_402_300_799)
    return CalendarDay.dateText(milliseconds: Int64((bounded * 1_000).rounded()))
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
