/// The states that the seeds of a sweep reached, each with the first seed that did.
///
/// A state is one of ``StateCoverage/steps``. The tally is the same for any number of jobs.
struct StateTally: Equatable, Sendable {
  /// How many seeds, at the end of a sweep, ``newStates(of:)`` is about.
  static let windowMax: UInt64 = 1_000

  private var first: [Int: UInt64] = [:]

  /// How many states were reached.
  var count: Int { first.count }

  /// Adds states of a seed; numbers out of range are ignored.
  mutating func add(_ steps: [Int], seed: UInt64) {
    for step in steps where (0..<StateCoverage.size * StateCoverage.stepCount).contains(step) {
      first[step] = min(first[step] ?? seed, seed)
    }
  }

  /// Adds the states of other seeds.
  mutating func add(_ other: StateTally) { first.merge(other.first) { min($0, $1) } }

  /// How many states the last seeds of a sweep reached first: up to ``windowMax``, and at most half of the seeds.
  ///
  /// - Returns: Nil if there is only one seed.
  func newStates(of seeds: SeedRange) -> (states: Int, seeds: UInt64)? {
    let window = min(Self.windowMax, seeds.count / 2)
    guard window > 0 else { return nil }
    return (first.values.count { $0 >= seeds.upper - window }, window)
  }
}
