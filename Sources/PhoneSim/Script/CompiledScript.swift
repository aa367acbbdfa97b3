import Link

/// A script in the form that the engine evaluates: flat arrays, all expressions in one program, branches by number.
struct CompiledScript: Sendable, Equatable {
  /// The branch number of lines without a branch, and of a run without an active one.
  static let noBranch: Int32 = -1

  private(set) var lines: [Line] = []
  /// The lines with expressions, in script order.
  private(set) var conditions: [Condition] = []
  private(set) var code: [Instruction] = []
  /// The stack depth that they need.
  private(set) var stackDepth = 1
  /// Whether an expression uses the pace of the trailing three minutes.
  private(set) var usesPaceRatio = false
  private var branches: [String] = []

  struct Line: Sendable, Equatable {
    var id: String
    var type: String
    var words: Int
    var priority: Int
    var playOnce: Bool
    var form: Form
    /// How far past its point it may be spoken: metres, or seconds for a point in time.
    var grace: Double
    /// The branch that must be active; `noBranch` for any.
    var branch: Int32
    /// The branch that its dispatch activates, if any.
    var opens: String?
  }

  /// How a line is judged.
  enum Form: Sendable, Equatable {
    case distancePoint(Double)
    case timePoint(Double)
    case everyMultiple(Double)
    /// The fields that every evaluation needs are in ``Condition``.
    case condition
    case never
  }

  /// A line with an expression.
  struct Condition: Sendable, Equatable {
    /// A necessary comparison from the front of the program, which usually settles the matter alone.
    var gate: Gate
    /// The instructions of its program.
    var start: Int32
    var end: Int32
    /// The line's index in the script.
    var line: Int32
    /// The branch that must be active; `noBranch` for any.
    var branch: Int32
    /// Nanoseconds between two dispatches.
    var cooldown: Int64
  }

  /// A comparison of a variable with a constant, as the interval in which it holds.
  struct Gate: Sendable, Equatable {
    var low: Double
    var high: Double
    var variable: UInt8

    /// A gate that always holds, since the hour is always known.
    static let open = Self(low: -.infinity, high: .infinity, variable: Variable.hourOfDay.rawValue)

    init(low: Double, high: Double, variable: UInt8) {
      self.low = low
      self.high = high
      self.variable = variable
    }

    /// Creates a gate from an instruction; nil for other instructions and for "unequal", which is no interval.
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

    /// Whether it holds; false for an unknown value.
    @inline(__always)
    func holds(_ values: borrowing Span<Double>) -> Bool {
      let value = values[Int(variable)]
      return value >= low && value <= high
    }
  }

  init(_ script: Script?, plan: Plan) {
    guard let script else { return }
    var graces = (meters: script.grace.meters, seconds: script.grace.seconds)
    // With a NaN grace nothing would ever expire.
    if graces.meters.isNaN { graces.meters = Grace().meters }
    if graces.seconds.isNaN { graces.seconds = Grace().seconds }
    let isBranched = script.branchPolicy == .branched
    for (index, message) in script.messages.enumerated() {
      let opens = isBranched ? message.trigger.branchKey : nil
      // A line whose own trigger names its branch activates it, so it cannot require it.
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

  /// A branch's number; a branch that the script does not name is like none.
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
