/// A day of the Gregorian calendar, counted from 1970-01-01.
///
/// The conversions count years that begin in March, so that the leap day comes last (Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms"). They hold for all days within a billion years.
public struct CalendarDay: Sendable, Hashable {
  /// Days since 1970-01-01; negative before.
  public var number: Int64

  public init(_ number: Int64) { self.number = number }

  /// - Parameters:
  ///   - year: Of the Gregorian calendar; 0 is 1 BC.
  ///   - month: 1 to 12.
  ///   - day: 1 to 31; days past the end of the month count into the next one.
  public init(year: Int64, month: Int64, day: Int64) {
    let marchYear = month > 2 ? year : year - 1
    let era = Self.floorDivided(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  /// Year, month (1 to 12) and day of the month.
  public var date: (year: Int64, month: Int64, day: Int64) {
    let shifted = number + 719_468
    let era = Self.floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// `YYYY-MM-DD`.
  public var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8]) {
    let (year, month, day) = date
    Self.append(year, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(month, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(day, digits: 2, to: &bytes)
  }

  /// An instant in UTC, with three decimals if it is not a whole second: `2026-04-12T06:30:00Z`.
  ///
  /// - Parameter milliseconds: Since 1970; years 1 to 9999.
  public static func dateText(milliseconds: Int64) -> String {
    let day = floorDivided(milliseconds, 86_400_000)
    let rest = milliseconds - day * 86_400_000
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    CalendarDay(day).append(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(rest / 3_600_000, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(rest / 60_000 % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(rest / 1_000 % 60, digits: 2, to: &bytes)
    if rest % 1_000 != 0 {
      bytes.append(UInt8(ascii: "."))
      append(rest % 1_000, digits: 3, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A quotient that is rounded down, also for a negative value.
  public static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  /// Appends a number with leading zeros, `digits` characters at least; a sign counts as one.
  private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
    var power: Int64 = 1
    for _ in 1..<digits { power *= 10 }
    guard (0..<power * 10).contains(value) else {
      let text = String(value)
      bytes += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)) + text.utf8
      return
    }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }
}
