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
