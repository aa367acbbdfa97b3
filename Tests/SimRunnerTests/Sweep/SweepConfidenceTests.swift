import Foundation
import Testing

@testable import Experiments

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

  /// From the examples of Newcombe, Statistics in Medicine 17 (1998), table I, method 3, and by R's `prop.test`.
  @Test(arguments: [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)])
  func `the interval of a rate is Wilson's`(failed: Int, seeds: Int, low: Double, high: Double) {
    let interval = SweepConfidence.interval(failed: failed, of: seeds)
    #expect(abs(interval.lowerBound - low) < 0.000_06 && abs(interval.upperBound - high) < 0.000_06, "\(interval)")
    let other = SweepConfidence.interval(failed: seeds - failed, of: seeds)
    #expect(abs(other.lowerBound + interval.upperBound - 1) < 1e-12)
  }

  @Test(arguments: [(1, 29), (10, 100), (3, 4_000), (50, 50)])
  func `clean seeds for the low end of the interval are more than for the rate`(failed: Int, seeds: Int) {
    let most = SweepConfidence.cleanSeedsMax(failed: failed, of: seeds)
    #expect(most >= SweepConfidence.cleanSeeds(failed: failed, of: seeds))
    let low = SweepConfidence.interval(failed: failed, of: seeds).lowerBound
    #expect(pow(1 - low, Double(most)) <= 0.05 && pow(1 - low, Double(most - 1)) > 0.05)
  }

  @Test func `few seeds say nothing`() {
    #expect(SweepConfidence.sentence(failed: 0, of: 19) == nil)
    #expect(SweepConfidence.sentence(failed: 0, of: 200) == "95 % sure that fewer than 1 seed in 67 fails")
    #expect(
      SweepConfidence.sentence(failed: 10, of: 100) == "after a fix, 29 clean seeds make 95 % sure that it works")
  }
}
