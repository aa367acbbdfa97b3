import Link

extension Int64 {
  /// These seconds in nanoseconds; saturates.
  var saturatingNanoseconds: Int64 {
    let (product, isOver) = multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? (self < 0 ? .min : .max) : product
  }
}

/// A day of the local calendar, counted from 1970-01-01.
package struct LocalDay: Sendable, Hashable, Comparable {
  package var number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The day at a reading of a clock, in nanoseconds since 1970, where local time is `offset` seconds ahead of UTC.
  package init(clock: Int64, offset: Int64) {
    // The offset may come from a trace.
    let (seconds, isOver) = Self.floorDivided(clock, 1_000_000_000).addingReportingOverflow(offset)
    number = Self.floorDivided(isOver ? (offset < 0 ? .min : .max) : seconds, 86_400)
  }

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Its midnight in nanoseconds since 1970; saturates outside the years 1678 to 2261.
  func begin(offset: Int64) -> Int64 {
    let (nanoseconds, isOver) = (number &* 86_400 &- offset).multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? (number < 0 ? .min : .max) : nanoseconds
  }

  /// `YYYY-MM-DD`.
  ///
  /// The year begins in March, so that the leap day comes last (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  package var text: String {
    let shifted = number + 719_468
    let era = Self.floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// A time in nanoseconds since 1970 as a date in UTC, in whole seconds: `2026-04-12T06:30:00Z`.
  package static func dateText(_ nanoseconds: Int64) -> String {
    let seconds = floorDivided(nanoseconds, 1_000_000_000)
    let day = floorDivided(seconds, 86_400)
    let rest = seconds - day * 86_400
    return LocalDay(day).text + "T" + padded(rest / 3_600, 2) + ":" + padded(rest / 60 % 60, 2) + ":"
      + padded(rest % 60, 2) + "Z"
  }

  private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  private static func padded(_ value: Int64, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
