/// A condition over the run's values, checked and compiled.
///
/// Grammar: `or := and { OR and }`, `and := not { AND not }`, `not := NOT not | comparison | "(" or ")"`,
/// `comparison := sum (< | <= | > | >= | == | !=) sum`, `sum := term { (+|-) term }`,
/// `term := factor { (*|/) factor }`, `factor := number | variable | "-" factor | "(" sum ")"`,
/// `number := digits [ "." digits ]`; keywords in any case, variables as written.
///
/// Logic is three-valued (Kleene, "Introduction to Metamathematics", 1952): a comparison with a value that is unknown
/// or not finite is unknown, and so is whatever a division by zero reaches.
package struct Expression: Sendable, Equatable {
  /// Unicode scalars of one expression, at most.
  package static let lengthMax = 2_000
  /// Parentheses, NOTs and minus signs inside one another, at most.
  package static let depthMax = 64

  /// The text it was made from.
  package let text: String
  /// The program.
  let code: [Instruction]
  /// How deep a stack the program needs.
  let stackDepth: Int

  /// Checks and compiles an expression.
  ///
  /// - Throws: The first error, with its column.
  package init(_ text: String) throws(ExpressionError) {
    var compiler = try ExpressionCompiler(text)
    self.text = text
    (code, stackDepth) = try compiler.compile()
  }

  /// Tells whether the expression names a variable.
  package func uses(_ variable: Variable) -> Bool {
    code.contains { instruction in
      switch instruction.operation {
      case .pushVariable, .compareVariable, .requireVariable: instruction.variable == variable.rawValue
      default: false
      }
    }
  }

  /// Tells whether the expression is true; false where it is false or unknown.
  ///
  /// Makes its own room for the reckoning; ``ScriptEngine`` keeps one for all its expressions.
  package func holds(_ values: VariableValues) -> Bool {
    var scratch = ExpressionScratch()
    scratch.reserve(stackDepth)
    var stack = scratch.stack.mutableSpan
    return PhoneSim.holds(code.span, code.indices, values.storage.span, &stack)
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }
}
