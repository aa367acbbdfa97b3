/// A token of an expression.
struct ExpressionToken: Equatable {
  var kind: Kind
  /// The column of its first scalar, from 1.
  var column: Int
  /// As written, for messages.
  var text: String

  enum Kind: Equatable {
    case number(Double)
    case variable(Variable)
    case comparison(Comparison)
    case plus, minus, times, divided
    case and, or, not
    case open, close
    case end
  }

  /// The token as a message names it.
  var described: String { kind == .end ? "the end of the expression" : "\"\(text)\"" }
}

/// A comparison operator: which of less (1), equal (2) and greater (4) make it true.
struct Comparison: Sendable, Equatable {
  /// Bitmask of the outcomes that make it true.
  var outcomes: UInt8

  static let less = Self(outcomes: 1)
  static let lessOrEqual = Self(outcomes: 3)
  static let greater = Self(outcomes: 4)
  static let greaterOrEqual = Self(outcomes: 6)
  static let equal = Self(outcomes: 2)
  static let notEqual = Self(outcomes: 5)

  /// The equivalent comparison with exchanged sides.
  var mirrored: Self { Self(outcomes: outcomes & 2 | (outcomes & 1) << 2 | (outcomes & 4) >> 2) }

  /// Whether it is true of two numbers; false if one is NaN.
  @inline(__always)
  func holds(_ left: Double, _ right: Double) -> Bool {
    let less: UInt8 = left < right ? 1 : 0
    let equal: UInt8 = left == right ? 2 : 0
    let greater: UInt8 = left > right ? 4 : 0
    return outcomes & (less | equal | greater) != 0
  }
}

/// Splits an expression into tokens, one at a time.
struct ExpressionLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  /// The caller has checked the number of scalars.
  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// Returns the next token; at the end always `.end`.
  mutating func next() throws(ExpressionError) -> ExpressionToken {
    while index < scalars.count, Self.isSpace(scalars[index]) { index += 1 }
    guard index < scalars.count else { return ExpressionToken(kind: .end, column: index + 1, text: "") }
    let start = index
    let scalar = scalars[index]
    if Self.isDigit(scalar) { return try number() }
    if Self.isLetter(scalar) { return try word() }
    index += 1
    let followsEquals = index < scalars.count && scalars[index] == "="
    let kind: ExpressionToken.Kind
    switch scalar {
    case "<": kind = .comparison(followsEquals ? .lessOrEqual : .less)
    case ">": kind = .comparison(followsEquals ? .greaterOrEqual : .greater)
    case "=" where followsEquals: kind = .comparison(.equal)
    case "!" where followsEquals: kind = .comparison(.notEqual)
    case "=": throw ExpressionError(column: start + 1, found: "\"=\"", expected: "\"==\"")
    case "!": throw ExpressionError(column: start + 1, found: "\"!\"", expected: "\"!=\", or NOT")
    case "+": kind = .plus
    case "-": kind = .minus
    case "*": kind = .times
    case "/": kind = .divided
    case "(": kind = .open
    case ")": kind = .close
    default:
      throw ExpressionError(
        column: start + 1, found: Self.described(scalar),
        expected: "a number, a variable, an operator or a parenthesis")
    }
    if case .comparison = kind, followsEquals { index += 1 }
    return token(kind, from: start)
  }

  private func token(_ kind: ExpressionToken.Kind, from start: Int) -> ExpressionToken {
    ExpressionToken(kind: kind, column: start + 1, text: text(from: start))
  }

  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<index])
    return String(text)
  }

  private mutating func number() throws(ExpressionError) -> ExpressionToken {
    let start = index
    while index < scalars.count, Self.isDigit(scalars[index]) { index += 1 }
    if index < scalars.count, scalars[index] == "." {
      index += 1
      guard index < scalars.count, Self.isDigit(scalars[index]) else {
        let found = index < scalars.count ? Self.described(scalars[index]) : "the end of the expression"
        throw ExpressionError(column: index + 1, found: found, expected: "a digit after the point")
      }
      while index < scalars.count, Self.isDigit(scalars[index]) { index += 1 }
    }
    // Digits with one point always parse; a number that is too large is infinite, and so unknown.
    return token(.number(Double(text(from: start)) ?? .infinity), from: start)
  }

  private mutating func word() throws(ExpressionError) -> ExpressionToken {
    let start = index
    while index < scalars.count, Self.isLetter(scalars[index]) || Self.isDigit(scalars[index]) { index += 1 }
    let text = text(from: start)
    switch text.lowercased() {
    case "and": return token(.and, from: start)
    case "or": return token(.or, from: start)
    case "not": return token(.not, from: start)
    default: break
    }
    guard let variable = Variable(text: text) else {
      let names = Variable.allCases.map(\.text).joined(separator: ", ")
      throw ExpressionError(column: start + 1, found: "the unknown variable \"\(text)\"", expected: "one of \(names)")
    }
    return token(.variable(variable), from: start)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar >= "a" && scalar <= "z" || scalar >= "A" && scalar <= "Z" || scalar == "_"
  }

  private static func described(_ scalar: Unicode.Scalar) -> String {
    scalar.value < 0x20 || scalar.value == 0x7F
      ? "the control character U+\(String(scalar.value, radix: 16, uppercase: true))" : "\"\(scalar)\""
  }
}
