import Foundation
import Testing

@testable import sim_runner

struct SweepConfidenceTests {
  /// By hand: 0.05 = (1 - p)^n.
  @Test(arguments: [(20, 7), (200, 67), (2_000, 668), (1_000_000, 333_808)])
  func `the bound after passing seeds is the rate that would still pass them once in twenty`(seeds: Int, oneIn: Int) {
    #expect(SweepConfidence.oneIn(afterPassing: seeds) == oneIn)
    let bound = pow(1 - 1 / Double(oneIn), Double(seeds))
    let next = pow(1 - 1 / Double(oneIn + 1), Double(seeds))
    #expect(bound <= 0.05 + 1e-9 && next > 0.05 - 1e-9)
  }

  @Test(arguments: [(1, 750, 2_246), (10, 100, 29), (50, 100, 5), (99, 100, 1), (100, 100, 1)])
  func `clean seeds after a fix follow from the rate before`(failed: Int, seeds: Int, clean: Int) {
    #expect(SweepConfidence.cleanSeeds(failed: failed, of: seeds) == clean)
  }

  @Test func `few seeds say nothing`() {
    #expect(SweepConfidence.sentence(failed: 0, of: 19) == nil)
    #expect(SweepConfidence.sentence(failed: 0, of: 200) == "95 % sure that fewer than 1 seed in 67 fails")
    #expect(
      SweepConfidence.sentence(failed: 10, of: 100) == "after a fix, 29 clean seeds make 95 % sure that it works")
  }
}
