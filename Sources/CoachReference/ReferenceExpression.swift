/// A trigger's expression, compiled by the checkers' own implementation of the grammar, so that a bug in the engine's
/// does not hide in both.
///
/// Compiled to a postfix program over numbers. An unknown number is NaN. Truth values are 0 for false, 1 for true and
/// one half for unknown: then Kleene's AND is the minimum, his OR the maximum, and his NOT the difference from one.
package struct ReferenceExpression: Sendable {
  /// The variables of an expression; the raw value is the index in the array of values.
  enum Variable: Int, CaseIterable, Sendable {
    case distance, duration, currentPace, avgPace, targetPace, paceRatio, heartRate, heartRateZone, cadence, hour

    var name: String {
      switch self {
      case .distance: "distance"
      case .duration: "duration"
      case .currentPace: "current_pace"
      case .avgPace: "avg_pace"
      case .targetPace: "target_pace"
      case .paceRatio: "pace_3min_ratio"
      case .heartRate: "hr"
      case .heartRateZone: "hr_zone"
      case .cadence: "cadence"
      case .hour: "time_of_day_hour"
      }
    }
  }

  /// A comparison of two numbers.
  enum Comparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="

    /// The truth of a comparison; unknown if either number is.
    @inline(__always)
    func truth(_ left: Double, _ right: Double) -> Double {
      guard left.isFinite, right.isFinite else { return 0.5 }
      let holds =
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
      return holds ? 1 : 0
    }
  }

  /// One operation of a program; operands come from a stack.
  enum Step: Sendable {
    case constant(Double)
    case variable(Int)
    case negate, add, subtract, multiply, divide
    case compare(Comparison)
    /// Compares a variable with a constant: the most common part of expressions.
    case test(Int, Comparison, Double)
    case and, or, not
    /// Skips a number of steps if the truth on the stack already decides.
    case leave(whenAt: Double, over: Int)
  }

  /// The program that ``isTrue(_:_:values:stack:)`` executes.
  private(set) var steps: [Step] = []
  /// Bitmask of the variables it names.
  private(set) var variables: UInt16 = 0

  /// Compiles an expression; nil if it violates the grammar.
  init?(_ text: String) {
    var parser = Parser(text)
    guard let kind = parser.alternatives(depth: 0), kind == .truth, parser.isAtEnd else { return nil }
    steps = parser.steps
    variables = parser.variables
  }

  /// Whether it does more than compare variables with constants.
  var calculates: Bool {
    steps.contains { step in
      switch step {
      case .test, .and, .or, .not, .leave: false
      case .constant, .variable, .negate, .add, .subtract, .multiply, .divide, .compare: true
      }
    }
  }

  /// Whether the expression names a variable.
  func uses(_ variable: Variable) -> Bool { variables & (1 << UInt16(variable.rawValue)) != 0 }

  /// Whether an expression is true, and neither false nor unknown.
  ///
  /// - Parameters:
  ///   - program: The steps of several expressions.
  ///   - range: Those of this one.
  ///   - values: By ``Variable``; what is unknown is NaN.
  ///   - stack: Scratch memory, at least as long as the expression.
  static func isTrue(
    _ program: Span<Step>, _ range: Range<Int>, values: Span<Double>, stack: inout MutableSpan<Double>
  ) -> Bool {
    var top = -1
    var index = range.lowerBound
    while index < range.upperBound {
      switch program[index] {
      case .constant(let value):
        top += 1
        stack[top] = value
      case .variable(let place):
        top += 1
        stack[top] = values[place]
      case .test(let place, let comparison, let value):
        top += 1
        stack[top] = comparison.truth(values[place], value)
      case .negate: stack[top] = -stack[top]
      case .not: stack[top] = 1 - stack[top]
      case .leave(let value, let count):
        if stack[top] == value { index += count }
      case .add:
        top -= 1
        stack[top] += stack[top + 1]
      case .subtract:
        top -= 1
        stack[top] -= stack[top + 1]
      case .multiply:
        top -= 1
        stack[top] *= stack[top + 1]
      case .divide:
        top -= 1
        stack[top] = stack[top + 1] == 0 ? .nan : stack[top] / stack[top + 1]
      case .and:
        top -= 1
        stack[top] = min(stack[top], stack[top + 1])
      case .or:
        top -= 1
        stack[top] = max(stack[top], stack[top + 1])
      case .compare(let comparison):
        top -= 1
        stack[top] = comparison.truth(stack[top], stack[top + 1])
      }
      index += 1
    }
    return stack[0] == 1
  }

  /// Whether an expression is true.
  ///
  /// - Parameter scratch: As long as the program.
  static func isTrue(_ program: [Step], _ range: Range<Int>, values: [Double], scratch: inout [Double]) -> Bool {
    var span = scratch.mutableSpan
    return isTrue(program.span, range, values: values.span, stack: &span)
  }

  /// Whether this expression is true.
  func isTrue(_ values: [Double]) -> Bool {
    var stack = [Double](repeating: 0, count: steps.count)
    return Self.isTrue(steps, steps.indices, values: values, scratch: &stack)
  }

  /// Parses from left to right and emits the program.
  private struct Parser {
    /// The type of a part of an expression.
    enum Kind { case number, truth }

    private enum Token: Equatable {
      case number(Double)
      case word(String)
      case sign(String)
    }

    private var tokens: [Token] = []
    private var next = 0
    private var isBroken = false
    var steps: [Step] = []
    var variables: UInt16 = 0

    private static let depthMax = 64
    private static let lengthMax = 2000

    init(_ text: String) {
      // Beyond ASCII, where a character has several bytes, no token of the grammar begins.
      let bytes = Array(text.utf8)
      guard bytes.count <= Self.lengthMax, bytes.allSatisfy({ $0 < 0x80 }) else {
        isBroken = true
        return
      }
      var place = 0
      while place < bytes.count, !isBroken { readToken(bytes, &place) }
    }

    var isAtEnd: Bool { !isBroken && next == tokens.count }

    private mutating func readToken(_ bytes: [UInt8], _ place: inout Int) {
      let start = place
      func text() -> String { String(decoding: bytes[start..<place], as: UTF8.self) }
      func skip(while holds: (UInt8) -> Bool) { while place < bytes.count, holds(bytes[place]) { place += 1 } }
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): place += 1
      case let byte where Self.isDigit(byte):
        skip(while: Self.isDigit)
        if place + 1 < bytes.count, bytes[place] == UInt8(ascii: "."), Self.isDigit(bytes[place + 1]) {
          place += 1
          skip(while: Self.isDigit)
        }
        guard let number = Double(text()) else {
          isBroken = true
          return
        }
        tokens.append(.number(number))
      case let byte where Self.isLetter(byte):
        skip { Self.isLetter($0) || Self.isDigit($0) }
        tokens.append(.word(text()))
      case let byte:
        place += 1
        if "<>=!".utf8.contains(byte), place < bytes.count, bytes[place] == UInt8(ascii: "=") { place += 1 }
        tokens.append(.sign(text()))
      }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isLetter(_ byte: UInt8) -> Bool {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
    }

    private mutating func consume(sign: String) -> Bool {
      guard next < tokens.count, tokens[next] == .sign(sign) else { return false }
      next += 1
      return true
    }

    private mutating func consume(keyword: String) -> Bool {
      guard next < tokens.count, case .word(let word) = tokens[next], word.uppercased() == keyword else { return false }
      next += 1
      return true
    }

    mutating func alternatives(depth: Int) -> Kind? {
      guard !isBroken, depth <= Self.depthMax, let first = conjunction(depth) else { return nil }
      while consume(keyword: "OR") {
        guard first == .truth, join(.or, decidedBy: 1, { $0.conjunction(depth) }) else { return nil }
      }
      return first
    }

    private mutating func conjunction(_ depth: Int) -> Kind? {
      guard let first = negation(depth) else { return nil }
      while consume(keyword: "AND") {
        guard first == .truth, join(.and, decidedBy: 0, { $0.negation(depth) }) else { return nil }
      }
      return first
    }

    /// Reads the right side of AND or OR; it is skipped if the left side decides.
    private mutating func join(_ step: Step, decidedBy value: Double, _ read: (inout Self) -> Kind?) -> Bool {
      let place = steps.count
      steps.append(.leave(whenAt: value, over: 0))
      guard read(&self) == .truth else { return false }
      steps.append(step)
      steps[place] = .leave(whenAt: value, over: steps.count - place - 1)
      return true
    }

    private mutating func negation(_ depth: Int) -> Kind? {
      guard depth <= Self.depthMax else { return nil }
      guard consume(keyword: "NOT") else { return comparison(depth) }
      guard negation(depth + 1) == .truth else { return nil }
      steps.append(.not)
      return .truth
    }

    private mutating func comparison(_ depth: Int) -> Kind? {
      let place = steps.count
      guard let left = sum(depth) else { return nil }
      for comparison in Comparison.allCases where consume(sign: comparison.rawValue) {
        guard left == .number, sum(depth) == .number else { return nil }
        if steps.count == place + 2, case .variable(let variable) = steps[place],
          case .constant(let value) = steps[place + 1]
        {
          steps[place...] = [.test(variable, comparison, value)]
        } else {
          steps.append(.compare(comparison))
        }
        return .truth
      }
      return left
    }

    private mutating func sum(_ depth: Int) -> Kind? {
      guard let first = term(depth) else { return nil }
      while true {
        let step: Step
        if consume(sign: "+") { step = .add } else if consume(sign: "-") { step = .subtract } else { return first }
        guard first == .number, term(depth) == .number else { return nil }
        steps.append(step)
      }
    }

    private mutating func term(_ depth: Int) -> Kind? {
      guard let first = factor(depth) else { return nil }
      while true {
        let step: Step
        if consume(sign: "*") { step = .multiply } else if consume(sign: "/") { step = .divide } else { return first }
        guard first == .number, factor(depth) == .number else { return nil }
        steps.append(step)
      }
    }

    private mutating func factor(_ depth: Int) -> Kind? {
      guard depth <= Self.depthMax else { return nil }
      if consume(sign: "-") {
        guard factor(depth + 1) == .number else { return nil }
        steps.append(.negate)
        return .number
      }
      if consume(sign: "(") {
        // A parenthesis may contain a number or a truth value, which shows only inside.
        guard let inner = alternatives(depth: depth + 1), consume(sign: ")") else { return nil }
        return inner
      }
      guard next < tokens.count else { return nil }
      switch tokens[next] {
      case .number(let number): steps.append(.constant(number))
      case .word(let word):
        guard let variable = Variable.allCases.first(where: { $0.name == word }) else { return nil }
        steps.append(.variable(variable.rawValue))
        variables |= 1 << UInt16(variable.rawValue)
      case .sign: return nil
      }
      next += 1
      return .number
    }
  }
}
