/// A checked and compiled condition over the run's values.
///
/// Grammar: `or := and { OR and }`, `and := not { AND not }`, `not := NOT not | comparison | "(" or ")"`, `comparison
/// := sum (< | <= | > | >= | == | !=) sum`, `sum := term { (+|-) term }`, `term := factor { (*|/) factor }`, `factor :=
/// number | variable | "-" factor | "(" sum ")"`, `number := digits [ "." digits ]`; keywords in any case, variables as
/// written.
///
/// Logic is three-valued (Kleene, "Introduction to Metamathematics", 1952): a comparison with an unknown or non-finite
/// value is unknown, and so is everything computed from a division by zero.
package struct Expression: Sendable, Equatable {
  /// Limit of Unicode scalars in one expression.
  package static let lengthMax = 2_000
  /// Limit of nested parentheses, NOTs and minus signs.
  package static let depthMax = 64

  /// The source text.
  package let text: String
  let code: [Instruction]
  let stackDepth: Int

  /// Checks and compiles an expression.
  ///
  /// - Throws: The first error, with its column.
  package init(_ text: String) throws(ExpressionError) {
    var compiler = try ExpressionCompiler(text)
    self.text = text
    (code, stackDepth) = try compiler.compile()
  }

  package func uses(_ variable: Variable) -> Bool {
    code.contains { instruction in
      switch instruction.operation {
      case .pushVariable, .compareVariable, .requireVariable: instruction.variable == variable.rawValue
      default: false
      }
    }
  }

  /// Whether the expression is true; false if it is false or unknown.
  ///
  /// Allocates its own stack; ``ScriptEngine`` reuses one for all expressions.
  package func holds(_ values: VariableValues) -> Bool {
    var scratch = ExpressionStack()
    scratch.reserve(stackDepth)
    var stack = scratch.stack.mutableSpan
    return PhoneSim.holds(code.span, code.indices, values.storage.span, &stack)
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }
}

/// Why an expression was refused: column, found, expected.
package struct ExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Counts from 1, in Unicode scalars of the expression's text.
  package var column: Int
  package var found: String
  package var expected: String

  /// `column 3: found X, expected Y`.
  package var description: String { "column \(column): \(message)" }

  /// `found X, expected Y`.
  package var message: String { "found \(found), expected \(expected)" }
}

/// The values that an expression can have in any run: interval arithmetic.
///
/// Errs on the side of "can": two uses of one variable count as independent.
extension Expression {
  /// Whether the expression can be true in a run of this plan, which ends at the planned distance.
  ///
  /// The planned time is not a bound: a slower runner passes it, and a line may be meant for that.
  package func canHold(under plan: Plan) -> Bool {
    var stack: [Range] = []
    func pop() -> Range { stack.popLast() ?? .anything }
    for instruction in code {
      switch instruction.operation {
      case .pushConstant: stack.append(.constant(instruction.constant))
      case .pushVariable: stack.append(.variable(instruction.variable, plan))
      case .compareVariable, .requireVariable:
        let outcome = Range.variable(instruction.variable, plan)
          .compared(instruction.comparison, to: .constant(instruction.constant))
        if instruction.operation == .compareVariable {
          stack.append(outcome)
        } else if !outcome.contains(1) {
          return false
        }
      case .require: if !pop().contains(1) { return false }
      case .negate:
        let value = pop()
        stack.append(Range(-value.high, -value.low))
      case .not:
        let value = pop()
        stack.append(Range(1 - value.high, 1 - value.low))
      case .add, .subtract, .multiply, .divide, .compare, .and, .or:
        let right = pop()
        let left = pop()
        stack.append(left.combined(instruction, right))
      }
    }
    return true
  }

  /// The interval of a value; NaN bounds if it is always unknown.
  fileprivate struct Range {
    var low: Double
    var high: Double

    static let anything = Range(-.infinity, .infinity)
    static let unknown = Range(.nan, .nan)

    init(_ low: Double, _ high: Double) {
      self.low = low
      self.high = high
    }

    var isEmpty: Bool { low.isNaN || high.isNaN }

    func contains(_ value: Double) -> Bool { low <= value && value <= high }

    static func constant(_ value: Double) -> Range { Range(value, value) }

    static func variable(_ raw: UInt8, _ plan: Plan) -> Range {
      guard let variable = Variable(rawValue: raw) else { return .anything }
      switch variable {
      case .distance: return Range(0, plan.distance ?? .infinity)
      case .targetPace:
        // Of the two halves.
        guard let first = plan.targetPace(at: 0), let second = plan.targetPace(at: plan.distance ?? 0) else {
          return .unknown
        }
        return Range(min(first, second), max(first, second))
      case .heartRateZone: return Range(0, 5)
      case .hourOfDay: return Range(0, 23)
      case .duration, .currentPace, .averagePace, .paceRatio, .heartRate, .cadence: return Range(0, .infinity)
      }
    }

    func combined(_ instruction: Instruction, _ other: Range) -> Range {
      switch instruction.operation {
      case .and:
        // Unknown AND false is false; unknown AND anything else is never true.
        if isEmpty || other.isEmpty { return contains(0) || other.contains(0) ? .constant(0) : .unknown }
        return Range(min(low, other.low), min(high, other.high))
      case .or:
        if isEmpty || other.isEmpty { return contains(1) || other.contains(1) ? .constant(1) : .unknown }
        return Range(max(low, other.low), max(high, other.high))
      default: break
      }
      if isEmpty || other.isEmpty { return .unknown }
      switch instruction.operation {
      case .add: return Self.spanning([low + other.low, high + other.high])
      case .subtract: return Self.spanning([low - other.high, high - other.low])
      case .multiply:
        return Self.spanning([low * other.low, low * other.high, high * other.low, high * other.high])
      case .divide:
        if other.low == 0, other.high == 0 { return .unknown }
        if other.contains(0) { return .anything }
        return Self.spanning([low / other.low, low / other.high, high / other.low, high / other.high])
      default: return compared(instruction.comparison, to: other)
      }
    }

    /// Infinity minus infinity is not a bound.
    private static func spanning(_ ends: [Double]) -> Range {
      guard let low = ends.min(), let high = ends.max(), !ends.contains(where: \.isNaN) else { return .anything }
      return Range(low, high)
    }

    /// The possible outcomes of a comparison, as an interval of 0 and 1.
    func compared(_ comparison: Comparison, to other: Range) -> Range {
      if isEmpty || other.isEmpty { return .unknown }
      var possible: UInt8 = 0
      if low < other.high { possible |= Comparison.less.outcomes }
      if high > other.low { possible |= Comparison.greater.outcomes }
      if low <= other.high, other.low <= high { possible |= Comparison.equal.outcomes }
      let canHold = comparison.outcomes & possible != 0
      let canFail = ~comparison.outcomes & possible != 0
      return Range(canFail ? 0 : 1, canHold ? 1 : 0)
    }
  }
}

/// The closed list of variables in a trigger's expression.
package enum Variable: UInt8, Sendable, CaseIterable {
  /// Metres.
  case distance
  /// Seconds of the run without pauses.
  case duration
  /// Seconds per kilometre over the last seconds.
  case currentPace
  /// Seconds per kilometre over the whole run.
  case averagePace
  /// Seconds per kilometre as planned.
  case targetPace
  /// Target pace divided by the pace of the trailing 180 s; above 1 is faster than planned.
  case paceRatio
  /// Beats per minute.
  case heartRate
  /// 0...5.
  case heartRateZone
  /// Steps per minute.
  case cadence
  /// 0...23.
  case hourOfDay

  /// The name in an expression.
  package var text: String {
    switch self {
    case .distance: "distance"
    case .duration: "duration"
    case .currentPace: "current_pace"
    case .averagePace: "avg_pace"
    case .targetPace: "target_pace"
    case .paceRatio: "pace_3min_ratio"
    case .heartRate: "hr"
    case .heartRateZone: "hr_zone"
    case .cadence: "cadence"
    case .hourOfDay: "time_of_day_hour"
    }
  }

  /// Reads a name exactly as written; nil for an unknown one.
  init?(text: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// The values of all variables at one snapshot.
///
/// Unknown values are NaN, so arithmetic propagates them without checks.
package struct VariableValues: Sendable {
  /// The values by the variables' raw values.
  ///
  /// Read it through its span: indexing an inline array with a dynamic index copies the array.
  private(set) var storage = InlineArray<10, Double>(repeating: .nan)

  package init() {}

  /// A variable's value, NaN if unknown; non-finite values are stored as unknown.
  package subscript(variable: Variable) -> Double {
    @inline(__always) get { storage[Int(variable.rawValue)] }
    @inline(__always) set { storage[Int(variable.rawValue)] = newValue.isFinite ? newValue : .nan }
  }
}
