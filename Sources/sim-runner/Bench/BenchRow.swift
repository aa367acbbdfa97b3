import Link

/// One figure of the benchmark, with its goal.
struct BenchRow {
  /// What must be reached.
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
  /// Of the figure, and of the goal.
  var unit: String
  /// Nil where it could not be measured; the note then says why.
  var figure: Spread?
  var goal: Goal?
  /// What is aimed at beyond the goal.
  var aim: Double?
  /// More, in a few words.
  var note: String?
  /// The figure where the scheduler places the processes; nil where it was not taken.
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

  /// - Parameter values: One a round, at least one.
  init(_ values: [Double]) {
    precondition(!values.isEmpty, "no round")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    least = sorted[0]
    most = sorted[sorted.count - 1]
    rounds = sorted.count
  }

  /// The ratios of two variants, each of one round: what moved both that round moves no ratio.
  static func ratio(_ values: [Double], to reference: [Double]) -> Spread {
    precondition(values.count == reference.count, "\(values.count) and \(reference.count) rounds")
    return Spread(zip(values, reference).map { $0 / $1 })
  }
}

/// Measures variants side by side.
enum BenchRounds {
  /// Measures every variant once a round, each round beginning with another one, so that what changes while the
  /// benchmark runs changes all of them.
  ///
  /// - Parameters:
  ///   - variants: How many there are.
  ///   - measure: Measures one, by its number.
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
