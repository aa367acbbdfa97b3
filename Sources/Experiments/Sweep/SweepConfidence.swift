import Console
import Foundation

/// What the seeds of a sweep say about the seeds that were not run.
///
/// Seeds are independent draws, so the number of failures is binomial.
enum SweepConfidence {
  /// How sure the statements are.
  static let level = 0.95
  /// Fewer seeds say too little for a sentence.
  static let seedsMin = 20

  /// The N of "fewer than one seed in N fails", after this many seeds without a failure: the largest failure rate that still
  /// passes them with a probability of 5 % is 1 - 0.05^(1 / seeds), about 3 / seeds.
  static func oneIn(afterPassing seeds: Int) -> Int {
    let rate = 1 - pow(1 - level, 1 / Double(max(seeds, 1)))
    return Int((1 / rate).rounded(.down))
  }

  /// The failure rates with which this many failures are no surprise: Wilson's score interval (JASA 22, 1927), which also
  /// holds for few failures, and for none.
  ///
  /// - Parameters:
  ///   - failed: The seeds that failed.
  ///   - seeds: All seeds, at least 1.
  static func interval(failed: Int, of seeds: Int) -> ClosedRange<Double> {
    precondition(seeds > 0 && (0...seeds).contains(failed), "\(failed) of \(seeds)")
    // The quantile of the normal distribution for 95 % on both sides.
    let (z, n) = (1.959_964, Double(seeds))
    let rate = Double(failed) / n
    let middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
    return (failed == 0 ? 0 : middle - half)...(failed == seeds ? 1 : middle + half)
  }

  /// How many seeds must pass after a fix until it is as sure that it works, even if the old failure rate was at the
  /// low end of its interval.
  ///
  /// - Parameters:
  ///   - failed: The seeds that failed before, at least 1.
  ///   - seeds: All seeds before.
  static func cleanSeedsMax(failed: Int, of seeds: Int) -> Int {
    precondition(failed > 0, "nothing failed")
    return Int((log(1 - level) / log(1 - interval(failed: failed, of: seeds).lowerBound)).rounded(.up))
  }

  /// How many seeds must pass after a fix until it is as sure that it works: with the old failure rate, that many would all
  /// pass with a probability of 5 % only.
  ///
  /// - Parameters:
  ///   - failed: The seeds that failed before, at least 1.
  ///   - seeds: All seeds before.
  static func cleanSeeds(failed: Int, of seeds: Int) -> Int {
    precondition((1...max(seeds, 1)).contains(failed), "\(failed) of \(seeds)")
    guard failed < seeds else { return 1 }
    return Int((log(1 - level) / log(1 - Double(failed) / Double(seeds))).rounded(.up))
  }

  /// The sentence for a complete sweep; nil for one of too few seeds.
  static func sentence(failed: Int, of seeds: Int) -> String? {
    guard seeds >= seedsMin else { return nil }
    guard failed > 0 else {
      return "95 % sure that fewer than 1 seed in \(StoryText.count(oneIn(afterPassing: seeds))) fails"
    }
    let clean = cleanSeeds(failed: failed, of: seeds)
    let verb = clean == 1 ? "makes" : "make"
    return "after a fix, \(StoryText.count(clean, "clean seed")) \(verb) 95 % sure that it works"
  }
}
