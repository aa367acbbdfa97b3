/// Compiles an expression by recursive descent.
///
/// A parenthesis may contain a condition or a number, which is known only at its end. So one descent reads both, and
/// every part says which it was. A number where a condition is required is reported where the number begins; so is a
/// condition where a number is required, except to the left of an operator, where the operator is reported.
struct ExpressionCompiler {
  private var code: [Instruction] = []
  private var lexer: ExpressionLexer
  private var token: ExpressionToken
  /// Open parentheses, NOTs and minus signs.
  private var nesting = 0

  private enum Sort { case number, condition }

  /// A parsed part: its sort, and where its text and its instructions begin.
  private struct Part {
    var sort: Sort
    var column: Int
    var start: Int
  }

  /// - Throws: A text that is too long, or the first token's error.
  init(_ text: String) throws(ExpressionError) {
    // Counting stops early, so that long texts cost no more than one at the limit.
    let scalars = Array(text.unicodeScalars.prefix(Expression.lengthMax + 1))
    guard scalars.count <= Expression.lengthMax else {
      throw ExpressionError(
        column: Expression.lengthMax + 1, found: "more text", expected: "at most \(Expression.lengthMax) characters")
    }
    lexer = ExpressionLexer(scalars)
    token = try lexer.next()
  }

  /// Compiles the whole text; returns the program and its stack depth.
  mutating func compile() throws(ExpressionError) -> (code: [Instruction], stackDepth: Int) {
    var conjuncts: [Range<Int>] = []
    let whole = try disjunction(conjuncts: &conjuncts)
    try need(.condition, whole)
    guard token.kind == .end else { throw unexpected("AND, OR or the end of the expression") }
    var program: [Instruction] = []
    for conjunct in conjuncts {
      program += code[conjunct]
      if var last = program.last, last.operation == .compareVariable, conjunct.count == 1 {
        last.operation = .requireVariable
        program[program.count - 1] = last
      } else {
        program.append(Instruction(operation: .require))
      }
    }
    return (program, Self.stackDepth(of: program))
  }

  // MARK: Conditions

  /// Parses an `or` of the grammar.
  ///
  /// If the whole is one AND, `conjuncts` are its operands' instructions; otherwise the whole is the only conjunct.
  private mutating func disjunction(conjuncts: inout [Range<Int>]) throws(ExpressionError) -> Part {
    let first = try conjunction(conjuncts: &conjuncts)
    guard token.kind == .or else { return first }
    try need(.condition, first)
    while token.kind == .or {
      try advance()
      var ignored: [Range<Int>] = []
      try need(.condition, try conjunction(conjuncts: &ignored))
      emit(.or)
    }
    conjuncts = [first.start..<code.count]
    return Part(sort: .condition, column: first.column, start: first.start)
  }

  private mutating func conjunction(conjuncts: inout [Range<Int>]) throws(ExpressionError) -> Part {
    let first = try negation()
    conjuncts = [first.start..<code.count]
    guard token.kind == .and else { return first }
    try need(.condition, first)
    while token.kind == .and {
      try advance()
      let next = try negation()
      try need(.condition, next)
      conjuncts.append(next.start..<code.count)
      emit(.and)
    }
    return Part(sort: .condition, column: first.column, start: first.start)
  }

  private mutating func negation() throws(ExpressionError) -> Part {
    guard token.kind == .not else { return try comparison() }
    let column = token.column
    try enter()
    let operand = try negation()
    try need(.condition, operand)
    leave()
    emit(.not)
    return Part(sort: .condition, column: column, start: operand.start)
  }

  private mutating func comparison() throws(ExpressionError) -> Part {
    let left = try sum()
    guard case .comparison(let comparison) = token.kind else { return left }
    try needNumberOnTheLeft(left)
    let middle = code.count
    try advance()
    let right = try sum()
    try need(.number, right)
    emitComparison(comparison, left: left.start..<middle, right: middle..<code.count)
    return Part(sort: .condition, column: left.column, start: left.start)
  }

  // MARK: Numbers

  private mutating func sum() throws(ExpressionError) -> Part {
    let first = try term()
    while token.kind == .plus || token.kind == .minus {
      let operation: Instruction.Operation = token.kind == .plus ? .add : .subtract
      try needNumberOnTheLeft(first)
      try advance()
      try need(.number, try term())
      emit(operation)
    }
    return first
  }

  private mutating func term() throws(ExpressionError) -> Part {
    let first = try factor()
    while token.kind == .times || token.kind == .divided {
      let operation: Instruction.Operation = token.kind == .times ? .multiply : .divide
      try needNumberOnTheLeft(first)
      try advance()
      try need(.number, try factor())
      emit(operation)
    }
    return first
  }

  private mutating func factor() throws(ExpressionError) -> Part {
    let column = token.column
    let start = code.count
    switch token.kind {
    case .number(let value):
      // Non-finite constants are unknown, as in variables.
      code.append(Instruction(operation: .pushConstant, constant: value.isFinite ? value : .nan))
      try advance()
      return Part(sort: .number, column: column, start: start)
    case .variable(let variable):
      code.append(Instruction(operation: .pushVariable, variable: variable.rawValue))
      try advance()
      return Part(sort: .number, column: column, start: start)
    case .minus:
      try enter()
      try need(.number, try factor())
      leave()
      if code.count == start + 1, code[start].operation == .pushConstant {
        code[start].constant = -code[start].constant
      } else {
        emit(.negate)
      }
      return Part(sort: .number, column: column, start: start)
    case .open:
      try enter()
      var ignored: [Range<Int>] = []
      let inner = try disjunction(conjuncts: &ignored)
      guard token.kind == .close else {
        throw unexpected("\")\" for the parenthesis at column \(column)")
      }
      leave()
      try advance()
      return Part(sort: inner.sort, column: column, start: start)
    case .comparison, .plus, .times, .divided, .and, .or, .not, .close, .end:
      throw unexpected("a number, a variable, \"-\" or \"(\"")
    }
  }

  // MARK: Tokens

  private mutating func advance() throws(ExpressionError) { token = try lexer.next() }

  /// Enters a parenthesis, a NOT or a minus sign.
  private mutating func enter() throws(ExpressionError) {
    guard nesting < Expression.depthMax else {
      throw unexpected("at most \(Expression.depthMax) parentheses, NOTs and minus signs inside one another")
    }
    nesting += 1
    try advance()
  }

  private mutating func leave() { nesting -= 1 }

  private func unexpected(_ expected: String) -> ExpressionError {
    ExpressionError(column: token.column, found: token.described, expected: expected)
  }

  private func need(_ sort: Sort, _ part: Part) throws(ExpressionError) {
    guard part.sort != sort else { return }
    switch sort {
    case .condition: throw ExpressionError(column: part.column, found: "a number", expected: "a condition")
    case .number: throw ExpressionError(column: part.column, found: "a condition", expected: "a number")
    }
  }

  private func needNumberOnTheLeft(_ part: Part) throws(ExpressionError) {
    if part.sort == .condition { throw unexpected("AND, OR or the end after a condition") }
  }

  // MARK: Steps

  private mutating func emit(_ operation: Instruction.Operation) {
    code.append(Instruction(operation: operation))
  }

  /// Emits a comparison; one variable with one constant, the common case, becomes a single instruction.
  private mutating func emitComparison(_ comparison: Comparison, left: Range<Int>, right: Range<Int>) {
    guard left.count == 1, right.count == 1 else {
      code.append(Instruction(operation: .compare, comparison: comparison))
      return
    }
    let sides = (code[left.lowerBound], code[right.lowerBound])
    let fused: Instruction
    switch (sides.0.operation, sides.1.operation) {
    case (.pushVariable, .pushConstant):
      fused = Instruction(
        operation: .compareVariable, variable: sides.0.variable, comparison: comparison, constant: sides.1.constant)
    case (.pushConstant, .pushVariable):
      fused = Instruction(
        operation: .compareVariable, variable: sides.1.variable, comparison: comparison.mirrored,
        constant: sides.0.constant)
    default:
      code.append(Instruction(operation: .compare, comparison: comparison))
      return
    }
    code.removeSubrange(left.lowerBound...)
    code.append(fused)
  }

  /// The greatest depth of the stack.
  private static func stackDepth(of program: [Instruction]) -> Int {
    var depth = 0
    var deepest = 1
    for instruction in program {
      switch instruction.operation {
      case .pushConstant, .pushVariable, .compareVariable: depth += 1
      case .add, .subtract, .multiply, .divide, .compare, .and, .or, .require: depth -= 1
      case .negate, .not, .requireVariable: break
      }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
