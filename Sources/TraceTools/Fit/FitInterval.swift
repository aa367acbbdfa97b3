/// The values between which a fitted one lies, 19 times of 20.
package struct FitInterval: Equatable, Sendable {
  package var low: Double
  package var high: Double

  package init(_ low: Double, _ high: Double) {
    self.low = min(low, high)
    self.high = max(low, high)
  }

  /// Around a value whose error is normally distributed.
  init(_ value: Double, error: Double) {
    let reach = Self.reach * (error.isFinite ? error : 0)
    self.init(value - reach, value + reach)
  }

  /// Standard errors to each side: more than the 1.96 of a normal distribution, because the errors are
  /// estimated, too.
  static let reach = 2.3

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// The least interval that has both.
  func hull(_ other: Self) -> Self { Self(min(low, other.low), max(high, other.high)) }

  func overlaps(_ other: Self) -> Bool { low <= other.high && other.low <= high }

  /// The share of `count` trials that `hits` are, by Wilson's score; wider if the trials cluster.
  ///
  /// - Parameter clustering: The variance of the number of hits in multiples of that of independent trials.
  static func share(_ hits: Int, of count: Int, clustering: Double = 1) -> Self {
    guard count > 0 else { return Self(0, 1) }
    let number = Double(count) / max(1, clustering)
    let share = Double(hits) / Double(count)
    let square = reach * reach
    let centre = (share + square / (2 * number)) / (1 + square / number)
    let half =
      reach * (share * (1 - share) / number + square / (4 * number * number)).squareRoot() / (1 + square / number)
    return Self(hits == 0 ? 0 : max(0, centre - half), hits == count ? 1 : min(1, centre + half))
  }
}
