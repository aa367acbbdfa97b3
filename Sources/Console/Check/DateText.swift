import Link

/// Dates as ISO 8601 text.
package enum DateText {
  /// A moment in UTC, to the millisecond where it has any: `2026-04-12T06:30:00Z`.
  ///
  /// - Parameter seconds: Unix seconds.
  /// - Returns: Nil outside the years 1 to 9999.
  package static func utc(_ seconds: Double) -> String? {
    guard seconds.isFinite, (-62_135_596_800..<253_402_300_800).contains((seconds * 1_000).rounded() / 1_000) else {
      return nil
    }
    return CalendarDay.dateText(milliseconds: Int64((seconds * 1_000).rounded()))
  }
}
