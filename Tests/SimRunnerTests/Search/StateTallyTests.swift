import Foundation
import Link
import Testing

@testable import Experiments

/// The states that a sweep counts.
@Suite struct StateTallyTests {
  @Test func `a state belongs to the first seed that reached it, in whatever order seeds are added`() throws {
    var early = StateTally()
    early.add([1, 2], seed: 3)
    var late = StateTally()
    late.add([2, 5], seed: 8)
    late.add([7], seed: 9)
    for (first, second) in [(early, late), (late, early)] {
      var both = first
      both.add(second)
      #expect(both.count == 4)
      let new = try #require(both.newStates(of: SeedRange(lower: 0, upper: 10)))
      // The last five seeds: 5 and 7 are new, 2 is not.
      #expect(new == (2, 5))
    }
  }

  @Test func `numbers that are no states do not count, and one seed has no end`() {
    var tally = StateTally()
    tally.add([-1, .max, .min, StateCoverage.size * StateCoverage.stepCount], seed: 0)
    #expect(tally.count == 0)
    #expect(tally.newStates(of: SeedRange(lower: 4, upper: 5)) == nil)
  }

  @Test func `steps are what a run adds to a corpus`() {
    let coverage = StateCoverage()
    for second in 0..<20 {
      coverage.observe(TraceEvent("workout.beat", at: .start + .seconds(Int64(second)), on: .watch))
    }
    coverage.observe(TraceEvent("workout.end", at: .start + .seconds(30), on: .watch))
    var known = [UInt8](repeating: 0, count: StateCoverage.size)
    let new = coverage.add(to: &known)
    // Two events, and three successions: nothing and a beat, two beats, a beat and the end.
    #expect(new == 5)
    #expect(Set(coverage.steps).count == 5)
    #expect(coverage.add(to: &known) == 0)
  }

  @Test func `a worker's line of states is read as it was written`() {
    let answer = SweepMessage.Answer.states(17, [4, 65_536, 9])
    #expect(SweepMessage.Answer(answer.line) == answer)
    for line in ["states", "states x 1", "states 1 x", "states -1 4"] {
      #expect(SweepMessage.Answer(line) == nil, "\(line)")
    }
  }
}
