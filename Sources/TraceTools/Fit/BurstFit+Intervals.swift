import Foundation

extension BurstFit {
  /// Where the four probabilities lie.
  package struct Intervals: Equatable {
    package var goodToBad: FitInterval
    package var badToGood: FitInterval
    package var lossGood: FitInterval
    package var lossBad: FitInterval
  }

  /// The fall of the log-likelihood at the ends of an interval of 95 %.
  private static let fall = 1.92
  /// Probabilities beyond this many units of their logit count as 0 or 1.
  private static let edge = 9.0
  /// The logit of a probability that is as good as 0 or 1.
  private static let far = 20.0
  /// Intervals are found on at most this many frames, and narrowed by the rest.
  private static let trialsMax = 6_000

  /// Where the probabilities lie, by how fast the likelihood falls beside its maximum.
  ///
  /// Inside, the curvature of the log-likelihood in logits gives the interval. A probability at 0 or 1 has the interval
  /// from there to where the likelihood has fallen as far.
  func intervals(_ trials: ArraySlice<Trial>) -> Intervals {
    let used = Array(trials.prefix(Self.trialsMax))
    let narrowing = (Double(used.count) / Double(max(trials.count, 1))).squareRoot()
    let best = [goodToBad, badToGood, lossGood, lossBad].map(Self.logit)
    let free = best.indices.filter { abs(best[$0]) < Self.edge }
    let errors = Self.errors(best, free) { Self.logLikelihood(used, Self.probabilities($0)) }
    let peak = Self.logLikelihood(used, Self.probabilities(best))
    let ranges = best.indices.map { index -> FitInterval in
      var range = Self.interval(best, index) { Self.logLikelihood(used, Self.probabilities($0)) }
      if let place = free.firstIndex(of: index), let error = errors?[place] {
        let reach = FitInterval.reach * error * narrowing
        range = FitInterval(Self.probability(best[index] - reach), Self.probability(best[index] + reach))
      }
      // A probability that may as well be 0 or 1 can be.
      for end in [-Self.far, Self.far] {
        var point = best
        point[index] = end
        guard peak - Self.logLikelihood(used, Self.probabilities(point)) < Self.fall else { continue }
        if end < 0 { range.low = 0 } else { range.high = 1 }
      }
      return range
    }
    return Intervals(goodToBad: ranges[0], badToGood: ranges[1], lossGood: ranges[2], lossBad: ranges[3])
  }

  private static func logit(_ share: Double) -> Double {
    let inside = min(max(share, 1e-7), 1 - 1e-7)
    return Foundation.log(inside / (1 - inside))
  }

  private static func probability(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }

  /// The standard errors of some of the parameters, from the inverse of the matrix of second derivatives; nil if the
  /// likelihood has no peak here.
  private static func errors(
    _ best: [Double], _ free: [Int], _ logLikelihood: ([Double]) -> Double
  ) -> [Double]? {
    guard !free.isEmpty else { return [] }
    let peak = logLikelihood(best)
    // Steps that lower the likelihood by about a half, where the curvature matters.
    let steps = free.map { index -> Double in
      var step = 0.02
      while step < 2 {
        var point = best
        point[index] += step
        if peak - logLikelihood(point) > 0.3 { break }
        step *= 1.6
      }
      return step
    }
    func value(_ moves: [(Int, Double)]) -> Double {
      var point = best
      for (place, sign) in moves { point[free[place]] += sign * steps[place] }
      return logLikelihood(point)
    }
    var matrix = free.indices.map { _ in [Double](repeating: 0, count: free.count) }
    for row in free.indices {
      matrix[row][row] = -(value([(row, 1)]) + value([(row, -1)]) - 2 * peak) / (steps[row] * steps[row])
      for column in 0..<row {
        let mixed =
          value([(row, 1), (column, 1)]) - value([(row, 1), (column, -1)]) - value([(row, -1), (column, 1)])
          + value([(row, -1), (column, -1)])
        matrix[row][column] = -mixed / (4 * steps[row] * steps[column])
        matrix[column][row] = matrix[row][column]
      }
    }
    guard let inverse = inverse(matrix) else { return nil }
    let variances = free.indices.map { inverse[$0][$0] }
    return variances.allSatisfy { $0 > 0 } ? variances.map { $0.squareRoot() } : nil
  }

  /// Gauss-Jordan elimination; nil for a singular matrix.
  private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
    let size = matrix.count
    var rows = matrix.enumerated().map { index, row in row + (0..<size).map { $0 == index ? 1.0 : 0.0 } }
    for column in 0..<size {
      guard let pivot = (column..<size).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12
      else { return nil }
      rows.swapAt(pivot, column)
      let scale = rows[column][column]
      rows[column] = rows[column].map { $0 / scale }
      for other in 0..<size where other != column {
        let part = rows[other][column]
        rows[other] = zip(rows[other], rows[column]).map { $0 - part * $1 }
      }
    }
    return rows.map { Array($0[size...]) }
  }

  /// Where the likelihood falls when one parameter alone moves; from 0 or up to 1 if it lies there.
  private static func interval(
    _ best: [Double], _ index: Int, _ logLikelihood: ([Double]) -> Double
  ) -> FitInterval {
    let peak = logLikelihood(best)
    func end(_ sign: Double) -> Double {
      var (near, far) = (0.0, 16.0)
      func isBelow(_ reach: Double) -> Bool {
        var point = best
        point[index] += sign * reach
        return peak - logLikelihood(point) > fall
      }
      guard isBelow(far) else { return sign > 0 ? 1 : 0 }
      for _ in 0..<20 {
        let middle = (near + far) / 2
        if isBelow(middle) { far = middle } else { near = middle }
      }
      return probability(best[index] + sign * far)
    }
    return FitInterval(end(-1), end(1))
  }
}
