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
