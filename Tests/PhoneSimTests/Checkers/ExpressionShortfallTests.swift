@testable import CoachReference
import Testing

@testable import PhoneSim

@Suite struct ExpressionShortfallTests {
  private func shortfall(_ text: String, _ given: [ReferenceExpression.Variable: Double]) throws -> ExpressionShortfall
  {
    let expression = try #require(ReferenceExpression(text))
    var values = [Double](repeating: .nan, count: ReferenceExpression.Variable.allCases.count)
    for (variable, value) in given { values[variable.rawValue] = value }
    let found = ReferenceExpression.shortfall(expression.steps, expression.steps.indices, values: values)
    #expect((found.distance == 0) == expression.isTrue(values))
    return found
  }

  @Test func `what is missing is named with its value, and what holds is not`() throws {
    let both = "pace_3min_ratio >= 1.05 AND distance > 1000"
    #expect(
      try shortfall(both, [.paceRatio: 1.04, .distance: 2000]).text == "pace_3min_ratio 1.04, needs >= 1.05")
    #expect(try shortfall(both, [.paceRatio: 1.06, .distance: 2000]).text.isEmpty)
    #expect(
      try shortfall("NOT (hr < 150)", [.heartRate: 149]).text == "hr 149, needs >= 150")
    #expect(
      try shortfall("current_pace > target_pace * 1.1", [.currentPace: 300, .targetPace: 300]).text
        == "current_pace 300, needs > target_pace * 1.1 (330)")
    #expect(try shortfall("hr > 150", [:]).text == "hr is not known")
  }

  @Test func `of alternatives the nearer one counts`() throws {
    let found = try shortfall("hr > 150 OR distance > 1000", [.heartRate: 100, .distance: 990])
    #expect(found.text == "distance 990, needs > 1000")
    #expect(found.distance < (try shortfall("distance > 1000", [.distance: 980])).distance)
  }
}
