import Link

/// A script as the engine walks it: flat arrays, expressions one after the other, branches by number.
struct CompiledScript: Sendable, Equatable {
  /// The number of "no branch": of a line that belongs to none, and of a run in which none is active.
  static let noBranch: Int32 = -1

  /// The lines in script order.
  private(set) var lines: [Line] = []
  /// The conditions among them, in script order.
  private(set) var conditions: [Condition] = []
  /// The programs of all expressions.
  private(set) var code: [Instruction] = []
  /// How deep a stack they need.
  private(set) var stackDepth = 1
  /// Whether an expression asks for the pace of the trailing three minutes.
  private(set) var usesPaceRatio = false
  /// The branches that the script names, by number.
  private var branches: [String] = []

  /// One line.
  struct Line: Sendable, Equatable {
    var id: String
    var type: String
    var words: Int
    var priority: Int
    var playOnce: Bool
    var form: Form
    /// How far past its point it may be spoken: metres, or seconds for a point in time.
    var grace: Double
    /// The branch it may be spoken in; `noBranch` for all.
    var branch: Int32
    /// The branch its dispatch makes active; nil for none.
    var opens: String?
  }

  /// How a line is judged.
  enum Form: Sendable, Equatable {
    case distancePoint(Double)
    case timePoint(Double)
    case everyMultiple(Double)
    /// The rest is in ``Condition``, with all that the look at every snapshot needs.
    case condition
    case never
  }

  /// A line with an expression.
  struct Condition: Sendable, Equatable {
    /// A step that has to hold, cut from the front of the program: at most looks it settles the matter by itself.
    var gate: Gate
    /// The steps of its program.
    var start: Int32
    var end: Int32
    /// The line's place in the script.
    var line: Int32
    /// The branch it may be spoken in; `noBranch` for all.
    var branch: Int32
    /// Nanoseconds between two dispatches.
    var cooldown: Int64
  }

  /// A comparison of a variable with a constant, as the interval in which it holds.
  struct Gate: Sendable, Equatable {
    var low: Double
    var high: Double
    var variable: UInt8

    /// A gate that always holds, as the hour is always known.
    static let open = Self(low: -.infinity, high: .infinity, variable: Variable.hourOfDay.rawValue)

    init(low: Double, high: Double, variable: UInt8) {
      self.low = low
      self.high = high
      self.variable = variable
    }

    /// Makes a gate of a step; nil for a step of another kind, and for "unequal", which is no interval.
    init?(_ step: Instruction?) {
      guard let step, step.operation == .requireVariable, !step.constant.isNaN else { return nil }
      self = Self(low: -.infinity, high: .infinity, variable: step.variable)
      switch step.comparison {
      case .less: high = step.constant.nextDown
      case .lessOrEqual: high = step.constant
      case .greater: low = step.constant.nextUp
      case .greaterOrEqual: low = step.constant
      case .equal: (low, high) = (step.constant, step.constant)
      default: return nil
      }
    }

    /// Tells whether it holds; false where the variable is unknown.
    @inline(__always)
    func holds(_ values: borrowing Span<Double>) -> Bool {
      let value = values[Int(variable)]
      return value >= low && value <= high
    }
  }

  init(_ script: Script?, plan: Plan) {
    guard let script else { return }
    var graces = (meters: script.grace.meters, seconds: script.grace.seconds)
    // A grace that is no number would let nothing ever expire.
    if graces.meters.isNaN { graces.meters = Grace().meters }
    if graces.seconds.isNaN { graces.seconds = Grace().seconds }
    let isBranched = script.branchPolicy == .branched
    for (index, message) in script.messages.enumerated() {
      let opens = isBranched ? message.trigger.branchKey : nil
      // A line whose own trigger names its branch is what opens it, so it cannot wait for it.
      let belongs = isBranched && message.branchKey != message.trigger.branchKey ? message.branchKey : nil
      let branch = belongs.map { number(of: $0) } ?? Self.noBranch
      if let opens { _ = number(of: opens) }
      let form: Form
      var grace = graces.meters
      switch message.trigger.form(for: plan) {
      case .distancePoint(let at): form = .distancePoint(at)
      case .timePoint(let at):
        form = .timePoint(at)
        grace = graces.seconds
      case .everyMultiple(let length): form = .everyMultiple(length)
      case .never: form = .never
      case .condition(let expression, let cooldown):
        form = .condition
        let gate = Gate(expression.code.first)
        let steps = expression.code.dropFirst(gate == nil ? 0 : 1)
        conditions.append(
          Condition(
            gate: gate ?? .open, start: Int32(code.count),
            end: Int32(code.count + steps.count), line: Int32(index), branch: branch,
            cooldown: cooldown.nanoseconds))
        code += steps
        stackDepth = max(stackDepth, expression.stackDepth)
        if expression.uses(.paceRatio) { usesPaceRatio = true }
      }
      lines.append(
        Line(
          id: message.id, type: Swift.type(of: message.trigger).type, words: message.words,
          priority: message.priority, playOnce: message.playOnce, form: form, grace: grace, branch: branch,
          opens: opens))
    }
  }

  /// The number of a branch; one that the script does not name is as good as none.
  func branchNumber(_ branch: String?) -> Int32 {
    guard let branch, let index = branches.firstIndex(of: branch) else { return Self.noBranch }
    return Int32(index)
  }

  private mutating func number(of branch: String) -> Int32 {
    if let index = branches.firstIndex(of: branch) { return Int32(index) }
    branches.append(branch)
    return Int32(branches.count - 1)
  }
}
