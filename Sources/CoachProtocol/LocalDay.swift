import Link

extension Int64 {
  /// These seconds in nanoseconds; saturates.
  package var saturatingNanoseconds: Int64 {
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
    let (seconds, isOver) = CalendarDay.floorDivided(clock, 1_000_000_000).addingReportingOverflow(offset)
    number = CalendarDay.floorDivided(isOver ? (offset < 0 ? .min : .max) : seconds, 86_400)
  }

  /// The day of a date, `YYYY-MM-DD`; nil for any other text.
  package init?(text: String) {
    guard let midnight = TraceHeader.unixStart(text + "T00:00:00Z") else { return nil }
    self.init(clock: midnight, offset: 0)
  }

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Its midnight in nanoseconds since 1970; saturates outside the years 1678 to 2261.
  package func begin(offset: Int64) -> Int64 {
    let (nanoseconds, isOver) = (number &* 86_400 &- offset).multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? (number < 0 ? .min : .max) : nanoseconds
  }

  /// `YYYY-MM-DD`.
  package var text: String { CalendarDay(number).text }

  /// A time in nanoseconds since 1970 as a date in UTC, in whole seconds: `2026-04-12T06:30:00Z`.
  package static func dateText(_ nanoseconds: Int64) -> String {
    CalendarDay.dateText(milliseconds: CalendarDay.floorDivided(nanoseconds, 1_000_000_000) * 1_000)
  }
}
