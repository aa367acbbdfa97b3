/// Dates as ISO 8601 text.
enum DateText {
  /// A moment in UTC, to the millisecond where it has any: `2026-04-12T06:30:00Z`.
  ///
  /// - Parameter seconds: Unix seconds.
  /// - Returns: Nil outside the years 1 to 9999.
  static func utc(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let milliseconds = Int64((seconds * 1_000).rounded())
    let days = floorDivided(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    guard let date = date(days) else { return nil }
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }
    var text = date + "T" + clock.joined(separator: ":")
    if rest % 1_000 != 0 { text += "." + padded(rest % 1_000, 3) }
    return text + "Z"
  }

  /// The date of a day counted from 1970-01-01, the year beginning in March so that the leap day comes last
  /// (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func date(_ days: Int64) -> String? {
    let shifted = days + 719_468
    let era = floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    guard (1...9_999).contains(year) else { return nil }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  private static func padded(_ value: Int64, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
