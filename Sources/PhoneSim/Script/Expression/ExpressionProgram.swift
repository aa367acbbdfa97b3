/// One step of a compiled expression.
///
/// The program is postfix over a stack of numbers. Conditions stand on the same stack: 1 is true, 0 is
/// false, NaN is unknown, which makes Kleene's tables plain arithmetic. A program is a row of
/// conjuncts, each of which ends in a step that gives up unless it is true; so a long AND is left at its
/// first part that does not hold.
struct Instruction: Sendable, Equatable {
  /// What to do.
  var operation: Operation
  /// The raw value of a variable, for the steps that read one.
  var variable: UInt8 = 0
  /// For the steps that compare.
  var comparison = Comparison.equal
  /// For the steps that need a number.
  var constant: Double = 0

  /// What a step can do.
  enum Operation: UInt8, Sendable {
    /// Pushes the constant.
    case pushConstant
    /// Pushes the variable.
    case pushVariable
    case negate, add, subtract, multiply, divide
    /// Compares the two topmost numbers and pushes the outcome.
    case compare
    /// Compares the variable with the constant and pushes the outcome.
    case compareVariable
    case and, or, not
    /// Takes the topmost outcome and gives up unless it is true.
    case require
    /// Compares the variable with the constant and gives up unless it is true.
    case requireVariable
  }
}

/// The room in which expressions are reckoned: kept from one evaluation to the next, so that none allocates.
///
/// It says nothing about its owner's state, so all are equal.
struct ExpressionScratch: Sendable, Equatable {
  var stack: [Double] = []

  /// Makes room for a program.
  mutating func reserve(_ depth: Int) {
    if stack.count < depth { stack += Array(repeating: 0, count: depth - stack.count) }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { true }
}

/// Tells whether a program is true of the values; false where it is false or unknown.
///
/// - Parameters:
///   - code: Programs, one after the other.
///   - range: The steps of this one.
///   - values: What the variables are, by their raw values.
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
      // Values and constants are finite or NaN here, and NaN compares as nothing.
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

/// What a step makes of the two topmost numbers.
@inline(__always)
private func combined(_ instruction: Instruction, _ left: Double, _ right: Double) -> Double {
  switch instruction.operation {
  case .add: left + right
  case .subtract: left - right
  case .multiply: left * right
  // A division by zero is unknown for good: as an infinity it could come back as 1 / x = 0.
  case .divide: right == 0 ? .nan : left / right
  case .compare: outcome(instruction.comparison, left, right)
  // Of 1 and NaN the product is NaN, of 0 and NaN the sum: what neither side settles is unknown.
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
