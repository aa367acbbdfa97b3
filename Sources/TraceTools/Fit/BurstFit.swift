import Foundation
import Link

/// Fits a Gilbert-Elliott chain to a sequence of losses at given times, by maximum likelihood.
///
/// The chain steps once a slot whether or not anything is sent, so between two frames it makes as many steps as there
/// are slots between them (in closed form, as it has two states). The likelihood is computed by the forward algorithm
/// and maximised by the simplex method of Nelder and Mead (1965) from several starting points.
package struct BurstFit {
  /// Per slot.
  package var goodToBad: Double
  package var badToGood: Double
  package var lossGood: Double
  package var lossBad: Double
  /// The natural logarithm of the likelihood.
  package var logLikelihood: Double
  /// The same for independent losses.
  package var logLikelihoodIndependent: Double
  /// Number of frames.
  package var count: Int

  /// Whether bursts explain the losses better than independent losses, given three more parameters (Schwarz's
  /// criterion).
  package var isBursty: Bool {
    count > 0 && 2 * (logLikelihood - logLikelihoodIndependent) > 3 * Foundation.log(Double(count))
  }

  /// Limit of fitted frames: the likelihood is computed some thousand times.
  static let countMax = 20_000

  /// One frame.
  struct Trial {
    /// Slots since the previous frame; 0 in the same slot.
    var slots: Double
    var isLost: Bool
  }

  init(_ trials: ArraySlice<Trial>) {
    count = trials.count
    let lost = trials.count(where: \.isLost)
    let share = count > 0 ? Double(lost) / Double(count) : 0
    logLikelihoodIndependent = Self.entropy(lost, of: count)
    (goodToBad, badToGood, lossGood, lossBad) = (0.01, 0.3, share, min(1, share * 2 + 0.1))
    logLikelihood = logLikelihoodIndependent
    guard lost > 0, lost < count else { return }
    var best: (point: [Double], value: Double)?
    for start in [
      [-4.0, -1.0, -4.0, 1.0], [-5.0, -2.0, -5.0, 0.0], [-3.0, 0.0, -6.0, 2.0], [-6.0, -4.0, -4.0, 2.0],
    ] {
      let found = Simplex.minimum(from: start) { -Self.logLikelihood(Array(trials), Self.probabilities($0)) }
      if best.map({ found.value < $0.value }) ?? true { best = found }
    }
    guard let best else { return }
    let found = Self.probabilities(best.point)
    (goodToBad, badToGood, lossGood, lossBad) = (found[0], found[1], found[2], found[3])
    // Which state is called bad is a convention.
    if lossGood > lossBad { (goodToBad, badToGood, lossGood, lossBad) = (badToGood, goodToBad, lossBad, lossGood) }
    logLikelihood = -best.value
  }

  static func probabilities(_ point: [Double]) -> [Double] { point.map { 1 / (1 + exp(-$0)) } }

  private static func entropy(_ lost: Int, of count: Int) -> Double {
    guard lost > 0, lost < count else { return 0 }
    let share = Double(lost) / Double(count)
    return Double(lost) * Foundation.log(share) + Double(count - lost) * Foundation.log(1 - share)
  }

  static func logLikelihood(_ trials: [Trial], _ parameters: [Double]) -> Double {
    let (toBad, toGood, lossGood, lossBad) = (parameters[0], parameters[1], parameters[2], parameters[3])
    let share = toBad / (toBad + toGood)
    let memory = 1 - toBad - toGood
    var bad = share
    var sum = 0.0
    for trial in trials {
      if trial.slots > 0 {
        let kept =
          trial.slots == 1
          ? memory
          : pow(abs(memory), trial.slots) * (memory < 0 && trial.slots.truncatingRemainder(dividingBy: 2) == 1 ? -1 : 1)
        bad = share + (bad - share) * kept
      }
      let ofBad = trial.isLost ? lossBad : 1 - lossBad
      let ofGood = trial.isLost ? lossGood : 1 - lossGood
      let seen = bad * ofBad + (1 - bad) * ofGood
      guard seen > 0 else { return -1e300 }
      sum += Foundation.log(seen)
      bad = bad * ofBad / seen
    }
    return sum
  }
}

/// The simplex method of Nelder and Mead for functions of a few numbers.
enum Simplex {
  private static let stepsMax = 400
  private static let tolerance = 1e-7

  /// A minimum near a starting point.
  static func minimum(
    from start: [Double], _ function: ([Double]) -> Double
  ) -> (point: [Double], value: Double) {
    var corners = [(point: start, value: function(start))]
    for index in start.indices {
      var point = start
      point[index] += 1
      corners.append((point, function(point)))
    }
    func mix(_ a: [Double], _ b: [Double], _ share: Double) -> [Double] {
      // Bounded, so that no probability becomes exactly 0 or 1.
      zip(a, b).map { max(-16, min($0 + ($1 - $0) * share, 16)) }
    }
    for _ in 0..<stepsMax {
      corners.sort { $0.value < $1.value }
      let worst = corners[corners.count - 1]
      guard worst.value - corners[0].value > tolerance * (1 + abs(corners[0].value)) else { break }
      let others = corners.dropLast()
      let centre = start.indices.map { index in others.reduce(0) { $0 + $1.point[index] } / Double(others.count) }
      let mirrored = mix(worst.point, centre, 2)
      let value = function(mirrored)
      if value < corners[0].value {
        let further = mix(worst.point, centre, 3)
        let furtherValue = function(further)
        corners[corners.count - 1] = furtherValue < value ? (further, furtherValue) : (mirrored, value)
      } else if value < corners[corners.count - 2].value {
        corners[corners.count - 1] = (mirrored, value)
      } else {
        let inside = mix(worst.point, centre, 0.5)
        let insideValue = function(inside)
        if insideValue < worst.value {
          corners[corners.count - 1] = (inside, insideValue)
        } else {
          for index in 1..<corners.count {
            let point = mix(corners[index].point, corners[0].point, 0.5)
            corners[index] = (point, function(point))
          }
        }
      }
    }
    corners.sort { $0.value < $1.value }
    return corners[0]
  }
}

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
