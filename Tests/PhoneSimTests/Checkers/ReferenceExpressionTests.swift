@testable import CoachReference
import Testing

@testable import PhoneSim

@Suite struct `reference expressions` {
  /// In the order of the variables: distance, duration, paces, ratio, hr, zone, cadence, hour.
  private let values: [Double] = [1000, 300, .nan, 310, 300, 0.97, 150, 3, 170, 8]

  @Test(arguments: [
    "distance >= 1000", "distance / duration > 3", "2 + 3 * 4 == 14", "(2 + 3) * 4 == 20", "- 2 - -3 == 1",
    "8 / 4 / 2 == 1", "hr > 100 AND cadence > 100", "hr < 100 OR cadence > 100", "NOT hr < 100", "not not hr > 100",
    "hr < 100 and hr < 90 or hr_zone == 3", "(hr > 100)", "((hr) > (100))", "NOT (hr < 100 OR hr > 200)",
    "hr != 151", "1.50 == 1.5", "time_of_day_hour <= 8", "current_pace > 0 OR hr > 1",
    "NOT (current_pace > 0 AND hr < 1)",
    "avg_pace - target_pace == 10", "pace_3min_ratio<1",
  ])
  func `true`(text: String) throws {
    #expect(try #require(ReferenceExpression(text)).isTrue(values))
  }

  @Test(arguments: [
    "distance > 1000", "current_pace > 0", "NOT current_pace > 0", "current_pace > 0 AND hr > 1",
    "current_pace == current_pace",
    "1 / 0 > 0", "NOT 1 / 0 > 0", "1 / (1 / 0) == 0", "hr < 100 AND hr > 1 OR hr < 3",
  ])
  func `false or unknown`(text: String) throws {
    #expect(try #require(ReferenceExpression(text)).isTrue(values) == false)
  }

  @Test(arguments: [
    "", "hr", "hr >", "hr > 1 2", "hr > 1)", "(hr > 1", "speed > 1", "HR > 1", "hr > 1 AND", "hr AND hr > 1", "NOT hr",
    "(hr > 1) + 1 > 0", "-(hr > 1)", "1 < 2 < 3", "hr = 1", "hr > .5", "hr > 1.", "hr & 1", "hr > 1e3",
    String(repeating: "(", count: 70) + "hr > 1" + String(repeating: ")", count: 70),
    String(repeating: "NOT ", count: 65) + "hr > 1",
    "hr > 1" + String(repeating: " ", count: 2000),
  ])
  func `refused`(text: String) {
    #expect(ReferenceExpression(text) == nil)
  }
}
