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
