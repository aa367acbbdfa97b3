/// One instruction of a compiled expression.
///
/// Programs are postfix over a stack of numbers. Conditions share the stack: 1 is true, 0 is false, NaN is unknown,
/// which makes Kleene's tables plain arithmetic. A program is a sequence of conjuncts, each of which ends in an
/// instruction that gives up unless it is true; so a long AND stops at its first part that does not hold.
struct Instruction: Sendable, Equatable {
  var operation: Operation
  /// The raw value of a variable, for instructions that read one.
  var variable: UInt8 = 0
  /// For instructions that compare.
  var comparison = Comparison.equal
  /// For instructions that need a number.
  var constant: Double = 0

  enum Operation: UInt8, Sendable {
    case pushConstant
    case pushVariable
    case negate, add, subtract, multiply, divide
    /// Compares the two topmost numbers and pushes the outcome.
    case compare
    /// Compares the variable with the constant and pushes the outcome.
    case compareVariable
    case and, or, not
    /// Pops an outcome and gives up unless it is true.
    case require
    /// Compares the variable with the constant and gives up unless it is true.
    case requireVariable
  }
}

/// The evaluation stack, reused so that evaluations do not allocate.
///
/// Always equal: it is not part of its owner's state.
struct ExpressionStack: Sendable, Equatable {
  var stack: [Double] = []

  /// Makes the stack deep enough for a program.
  mutating func reserve(_ depth: Int) {
    if stack.count < depth { stack += Array(repeating: 0, count: depth - stack.count) }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { true }
}

/// Whether a program is true; false if it is false or unknown.
///
/// - Parameters:
///   - code: All programs, one after the other.
///   - range: The instructions of this one.
///   - values: The variables, by raw value.
///   - stack: At least as deep as the program needs.
@inline(__always)
func holds(
  _ code: borrowing Span<Instruction>, _ range: Range<Int>, _ values: borrowing Span<Double>,
  _ stack: inout MutableSpan<Double>
) -> Bool {
  var top = -1
  var step = range.lowerBound
  while step < range.upperBound {
    let instruction = code[step]
    step += 1
    switch instruction.operation {
    case .requireVariable:
      // Values and constants are finite or NaN here, and comparisons with NaN are false.
      guard instruction.comparison.holds(values[Int(instruction.variable)], instruction.constant) else { return false }
    case .require:
      guard stack[top] == 1 else { return false }
      top -= 1
    case .pushConstant:
      top += 1
      stack[top] = instruction.constant
    case .pushVariable:
      top += 1
      stack[top] = values[Int(instruction.variable)]
    case .compareVariable:
      top += 1
      let value = values[Int(instruction.variable)]
      stack[top] = outcome(instruction.comparison, value, instruction.constant)
    case .not: stack[top] = 1 - stack[top]
    case .negate: stack[top] = -stack[top]
    case .add, .subtract, .multiply, .divide, .compare, .and, .or:
      let right = stack[top]
      top -= 1
      stack[top] = combined(instruction, stack[top], right)
    }
  }
  return true
}

/// The result of a binary operation.
@inline(__always)
private func combined(_ instruction: Instruction, _ left: Double, _ right: Double) -> Double {
  switch instruction.operation {
  case .add: left + right
  case .subtract: left - right
  case .multiply: left * right
  // Division by zero stays unknown: as an infinity it could become 1 / x = 0.
  case .divide: right == 0 ? .nan : left / right
  case .compare: outcome(instruction.comparison, left, right)
  // 1 and NaN give NaN by product, 0 and NaN by sum: unknown unless one side settles it.
  case .and: left == 0 || right == 0 ? 0 : left * right
  case .or: left == 1 || right == 1 ? 1 : left + right
  case .pushConstant, .pushVariable, .negate, .compareVariable, .not, .require, .requireVariable:
    preconditionFailure("\(instruction.operation) takes no two operands")
  }
}

@inline(__always)
private func outcome(_ comparison: Comparison, _ left: Double, _ right: Double) -> Double {
  guard left.isFinite, right.isFinite else { return .nan }
  return comparison.holds(left, right) ? 1 : 0
}
