/// How a delay varies around its mean.
public enum DelayDistribution: String, Sendable, CaseIterable {
  /// Always the mean.
  case constant
  /// Evenly between mean - jitter and mean + jitter.
  case uniform
  /// Normal with the jitter as standard deviation.
  case normal
  /// Pareto with shape 3 around the mean: rarely very late, as in netem.
  ///
  /// The table cuts off its tail at 9.9 jitters, so its standard deviation is 0.87 of the jitter.
  case pareto
  /// Exponential above mean - jitter, with the jitter as its own mean: a memoryless queue.
  case exponential

  /// The distributions that depend on the jitter.
  static let varying: [Self] = [.uniform, .normal, .pareto, .exponential]

  /// Draws one delay in nanoseconds; never below 0.
  ///
  /// - Parameters:
  ///   - mean: In nanoseconds.
  ///   - jitter: In nanoseconds; its meaning depends on the distribution.
  ///   - bits: 64 random bits.
  func draw(mean: Int64, jitter: Int64, bits: UInt64) -> Int64 {
    switch self {
    case .constant: return mean
    case .uniform:
      guard jitter > 0 else { return mean }
      let width = UInt64(2 * jitter) + 1
      return max(0, mean - jitter + Int64(bits.multipliedFullWidth(by: width).high))
    case .normal: return spread(mean, jitter, QuantileTable.normal, bits)
    case .pareto: return spread(mean, jitter, QuantileTable.pareto, bits)
    case .exponential: return spread(mean, jitter, QuantileTable.exponential, bits)
    }
  }

  /// The delay that a given share of all draws does not reach, in nanoseconds.
  ///
  /// - Parameters:
  ///   - mean: The mean delay in nanoseconds.
  ///   - jitter: The spread of the delay in nanoseconds.
  ///   - share: At least 0 and below 1.
  public func quantile(mean: Int64, jitter: Int64, share: Double) -> Int64 {
    draw(mean: mean, jitter: jitter, bits: UInt64((min(max(share, 0), 0.999_999_999) * 0x1p64).rounded(.down)))
  }

  private func spread(_ mean: Int64, _ jitter: Int64, _ table: [Int32], _ bits: UInt64) -> Int64 {
    guard jitter > 0 else { return mean }
    return max(0, mean + Int64((Double(jitter) * Self.quantile(table, bits)).rounded()))
  }

  /// Interpolates a table at the probability given by `bits`.
  static func quantile(_ table: [Int32], _ bits: UInt64) -> Double {
    let step = Int(bits >> 56)
    let part = Double(bits >> 24 & 0xFFFF_FFFF) / 4_294_967_296
    let low = Double(table[step])
    return (low + (Double(table[step + 1]) - low) * part) / 1_000_000
  }
}
