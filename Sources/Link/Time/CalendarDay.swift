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
    let (year, month, day) = date
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// An instant in UTC, with three decimals if it is not a whole second: `2026-04-12T06:30:00Z`.
  ///
  /// - Parameter milliseconds: Since 1970; years 1 to 9999.
  public static func dateText(milliseconds: Int64) -> String {
    let day = floorDivided(milliseconds, 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }.joined(separator: ":")
    let decimals = rest % 1_000 == 0 ? "" : "." + padded(rest % 1_000, 3)
    return "\(CalendarDay(day).text)T\(clock)\(decimals)Z"
  }

  /// A quotient that is rounded down, also for a negative value.
  public static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  /// A number with leading zeros.
  private static func padded(_ value: Int64, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
