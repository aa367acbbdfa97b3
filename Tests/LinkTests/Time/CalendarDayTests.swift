import Foundation
import Link
import Testing

@Suite struct CalendarDayTests {
  @Test func `dates are those of Foundation, over leap days and before 1970`() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate]
    for number in stride(from: Int64(-140_000), through: 140_000, by: 61) {
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(number) * 86_400))
      #expect(CalendarDay(number).text == text)
      let (year, month, day) = CalendarDay(number).date
      #expect(CalendarDay(year: year, month: month, day: day).number == number)
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_827_696_789, "2000-02-29T12:34:56.789Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00Z"), (253_402_300_799_000, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `an instant has its date and time in UTC`(milliseconds: Int64, text: String) {
    #expect(CalendarDay.dateText(milliseconds: milliseconds) == text)
  }
}
