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
