import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// A plan's pacing.
@Suite struct PacingTests {
  @Test(arguments: PacingStrategy.allCases)
  func `both halves together take the planned time`(pacing: PacingStrategy) throws {
    let plan = Plan(distance: 5_000, time: 1_500, pacing: pacing)
    let first = try #require(plan.targetPace(at: 2_499.99))
    let second = try #require(plan.targetPace(at: 2_500))
    #expect(abs((first + second) * 2.5 - 1_500) < 1e-9)
    switch pacing {
    case .even, .custom: #expect(first == 300 && second == 300)
    case .negative: #expect(first == 306 && second == 294)
    case .positive: #expect(first == 294 && second == 306)
    }
    #expect(plan.targetPace(at: 9_000) == second)
    #expect(Plan(time: 1_500, pacing: pacing).targetPace(at: 1) == nil)
  }

  @Test func `a condition on the target pace can hold if one of the halves has it`() throws {
    func canHold(_ text: String, _ pacing: PacingStrategy) throws -> Bool {
      try Expression(text).canHold(under: Plan(distance: 3_000, time: 720, pacing: pacing))
    }
    #expect(try canHold("target_pace < 240", .negative) && canHold("target_pace > 240", .negative))
    #expect(try !canHold("target_pace < 240", .even))
    #expect(try !canHold("target_pace < 235", .negative))
  }
}
