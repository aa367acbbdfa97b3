import Console
import Link

/// One figure of the benchmark, with its goal.
struct BenchRow {
  enum Goal {
    case atLeast(Double)
    case atMost(Double)

    /// Whether a figure reaches it.
    func isMet(by figure: Double) -> Bool {
      switch self {
      case .atLeast(let least): figure >= least
      case .atMost(let most): figure <= most
      }
    }
  }

  /// What was measured; unique in its measurement.
  var name: String
  /// Of the figure and the goal.
  var unit: String
  /// Nil if it could not be measured, for the reason in `note`.
  var figure: Spread?
  var goal: Goal?
  /// The target beyond the goal.
  var aim: Double?
  /// A short remark.
  var note: String?
  /// The figure with processes placed by the scheduler; nil if not measured.
  var free: Spread?

  init(_ name: String, _ unit: String, _ figure: Spread?, _ goal: Goal? = nil, aim: Double? = nil, note: String? = nil)
  {
    self.name = name
    self.unit = unit
    self.figure = figure
    self.goal = goal
    self.aim = aim
    self.note = note
  }

  /// Whether the goal is met; nil without a goal or a figure.
  var isMet: Bool? {
    guard let goal, let figure else { return nil }
    return goal.isMet(by: figure.median)
  }
}

/// The figures of several rounds.
struct Spread: Equatable {
  var median: Double
  var least: Double
  var most: Double
  var rounds: Int

  /// - Parameter values: One for each round, at least one.
  init(_ values: [Double]) {
    precondition(!values.isEmpty, "no round")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    least = sorted[0]
    most = sorted[sorted.count - 1]
    rounds = sorted.count
  }

  /// The ratios of two variants, round by round: disturbances of a whole round cancel out.
  static func ratio(_ values: [Double], to reference: [Double]) -> Spread {
    precondition(values.count == reference.count, "\(values.count) and \(reference.count) rounds")
    return Spread(zip(values, reference).map { $0 / $1 })
  }
}

/// Measures variants side by side.
enum BenchRounds {
  /// Measures every variant once in each round, in rotating order, so that slow changes affect all of them equally.
  ///
  /// - Parameters:
  ///   - variants: Number of variants.
  ///   - measure: Measures one, by its index.
  /// - Returns: The figures of each variant, in the order of the rounds.
  static func run(
    _ rounds: Int, variants: Int, _ measure: (Int) throws(Failure) -> Double
  ) throws(Failure) -> [[Double]] {
    var figures = [[Double]](repeating: [], count: variants)
    for round in 0..<rounds {
      for step in 0..<variants {
        let variant = (round + step) % variants
        figures[variant].append(try measure(variant))
      }
    }
    return figures
  }
}
