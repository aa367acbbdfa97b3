import Testing

@testable import PhoneSim

@Suite struct ScriptExpressionTests {
  private func holds(_ text: String, _ known: [(Variable, Double)] = []) throws -> Bool {
    var values = VariableValues()
    for (variable, value) in known { values[variable] = value }
    return try Expression(text).holds(values)
  }

  private func error(_ text: String) -> ExpressionError? {
    do {
      _ = try Expression(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("1 < 2", true), ("2 < 2", false), ("2 <= 2", true), ("3 <= 2", false), ("3 > 2", true), ("2 > 2", false),
    ("2 >= 2", true), ("1 >= 2", false), ("2 == 2", true), ("2 == 3", false), ("2 != 3", true), ("2 != 2", false),
    ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 == 9", true), ("10 - 3 - 2 == 5", true), ("12 / 3 / 2 == 2", true),
    ("-2 * -3 == 6", true), ("--2 == 2", true), ("- (1 + 1) == -2", true), ("0.5 + 0.25 == 0.75", true),
    ("1 < 2 AND 3 < 4", true), ("1 < 2 AND 4 < 3", false), ("4 < 3 OR 1 < 2", true), ("4 < 3 OR 2 < 1", false),
    // AND binds tighter than OR, NOT tighter than AND.
    ("1 < 2 OR 1 < 2 AND 2 < 1", true), ("(1 < 2 OR 1 < 2) AND 2 < 1", false),
    ("NOT 2 < 1 AND 1 < 2", true), ("NOT (2 < 1 OR 1 < 2)", false), ("NOT NOT 1 < 2", true),
    ("1 < 2 and not 2 < 1 Or 2 < 1", true), ("((1 < 2))", true), ("((1)) < (2)", true), ("(1 + (2)) < ((4))", true),
    ("1<2AND 2<3", true), ("\t1\n<\r2 ", true),
  ])
  func `arithmetic, comparisons and logic follow the grammar`(text: String, expected: Bool) throws {
    #expect(try holds(text) == expected)
    #expect(try holds("NOT (\(text))") == !expected)
  }

  @Test(arguments: Variable.allCases)
  func `every variable reads its own value on either side of a comparison`(variable: Variable) throws {
    let known = Variable.allCases.map { ($0, Double($0.rawValue) + 10) }
    let value = Int(variable.rawValue) + 10
    #expect(try holds("\(variable.text) == \(value)", known))
    #expect(try holds("\(value) == \(variable.text)", known))
    #expect(try holds("\(value) < \(variable.text)", known) == false)
    #expect(try holds("\(value - 1) < \(variable.text)", known))
    #expect(try holds("\(variable.text) + 0 == \(value)", known))
    #expect(usesOnly("\(variable.text) > 1", variable))
  }

  private func usesOnly(_ text: String, _ variable: Variable) -> Bool {
    guard let expression = try? Expression(text) else { return false }
    return Variable.allCases.allSatisfy { expression.uses($0) == ($0 == variable) }
  }

  /// An unknown condition is neither true nor, negated, true.
  @Test(arguments: [
    "hr > 1", "hr == hr", "hr != hr", "hr != 1", "hr + 1 > 0", "-hr < 0", "1 / 0 > 0", "1 / 0 < 0", "0 / 0 == 0",
    "1 / (1 / 0) == 0", "1 / -0 > 1", "hr > 1 AND 1 < 2", "1 < 2 AND hr > 1", "hr > 1 OR 2 < 1", "2 < 1 OR hr > 1",
    "hr > 1 OR hr > 1", "hr > 1 AND hr > 1", "NOT hr > 1",
  ])
  func `what rests on an unknown value or a division by zero is unknown`(text: String) throws {
    #expect(try holds(text) == false)
    #expect(try holds("NOT (\(text))") == false)
  }

  @Test func `what an unknown part cannot change is known`() throws {
    #expect(try holds("hr > 1 OR 1 < 2"))
    #expect(try holds("1 < 2 OR hr > 1"))
    #expect(try holds("NOT (hr > 1 AND 2 < 1)"))
    #expect(try holds("NOT (2 < 1 AND hr > 1)"))
  }

  @Test func `a comparison with a value that is not finite is unknown`() throws {
    let huge = String(repeating: "9", count: 400)
    for text in ["distance < \(huge)", "\(huge) > distance", "distance * \(huge) > 1", "\(huge) == \(huge)"] {
      #expect(try holds(text, [(.distance, 5)]) == false)
      #expect(try holds("NOT \(text)", [(.distance, 5)]) == false)
    }
    let large = "1" + String(repeating: "0", count: 200)
    #expect(try holds("\(large) * \(large) > 1") == false)
    #expect(try holds("NOT \(large) * \(large) > 1") == false)
    #expect(try holds("hr > 1", [(.heartRate, .infinity)]) == false)
  }

  @Test(arguments: [
    ("", 1), ("   ", 4), ("distance", 1), ("distance > ", 12), ("distance > 1)", 13), ("(distance > 1", 14),
    ("((distance > 1)", 16), ("speed > 1", 1), ("distance > 1 AND Speed < 2", 18), ("Distance > 1", 1),
    ("distance > 1 hr > 2", 14), ("distance = 1", 10), ("distance ! 1", 10), ("distance > 1 AND", 17),
    ("distance > 1 AND hr", 18), ("hr AND distance > 1", 1), ("NOT distance", 5), ("distance > 1.", 14),
    ("distance > .5", 12), ("distance > 1.x", 14), ("1 < 2 < 3", 7), ("(1 < 2) + 1 > 2", 9), ("1 + (1 < 2) > 2", 5),
    ("-(1 < 2) > 2", 2), ("(distance)", 1), ("1 < NOT 2 < 3", 5), ("distance > 1 OR OR hr > 2", 17),
    ("() > 1", 2), ("distance > 1e3", 13), ("distance > 1 & hr > 2", 14), ("\u{1F3C3} > 1", 1), ("hr > 1 \u{1F3C3}", 8),
    ("hr > 1\u{A0}", 7), ("distance > 1,5", 13), ("1 < (2 < 3)", 5), ("(1 < 2) == (2 < 3)", 9),
  ])
  func `what the grammar does not have is refused with its column`(text: String, column: Int) {
    #expect(error(text)?.column == column, "\(text): \(String(describing: error(text)))")
  }

  @Test func `an error says what was found and what was expected`() {
    #expect(error("speed > 1")?.found == "the unknown variable \"speed\"")
    #expect(error("(hr > 1")?.found == "the end of the expression")
    #expect(error("(hr > 1")?.expected.contains("\")\"") == true)
    #expect(error("hr")?.description == "column 1: found a number, expected a condition")
    #expect(error("1 + (hr > 1) > 2")?.message == "found a condition, expected a number")
  }

  /// One level less is accepted, so the bound is where it is said to be.
  @Test(arguments: ["(", "NOT ", "-"])
  func `nesting is bounded, and each kind counts`(opening: String) throws {
    let closing = opening == "(" ? ")" : ""
    func nested(_ depth: Int) -> String {
      let inner = String(repeating: opening, count: depth) + "1"
      return opening == "NOT "
        ? inner + " < 2" : inner + String(repeating: closing, count: depth) + " < 2"
    }
    _ = try Expression(nested(64))
    #expect(error(nested(65))?.column == 64 * opening.count + 1)
    let mixed = String(repeating: "(NOT (-", count: 16) + "1"
    #expect(error(mixed)?.expected.contains("64") != true)
    // What is closed again does not count.
    _ = try Expression(Array(repeating: "(((1))) < 2", count: 40).joined(separator: " AND "))
  }

  @Test func `length is bounded in scalars, whatever their bytes`() throws {
    let fitting = "1 < 2" + String(repeating: " ", count: 1995)
    _ = try Expression(fitting)
    #expect(error(fitting + " ")?.column == 2001)
    let emoji = String(repeating: "\u{1F3C3}", count: 2000)
    #expect(error(emoji)?.column == 1)
    #expect(error(emoji + "\u{1F3C3}")?.column == 2001)
  }

  @Test func `the deepest expression needs no more stack than it declares`() throws {
    let deep = String(repeating: "1 + 2 * (", count: 64) + "1" + String(repeating: ")", count: 64) + " > 0"
    #expect(try holds(deep))
    let logic = String(repeating: "hr > 1 OR 1 < 2 AND (", count: 64) + "1 < 2" + String(repeating: ")", count: 64)
    #expect(try holds(logic))
  }

  @Test func `any text is refused or accepted, and never more`() {
    let pieces = [
      "(", ")", "NOT ", "-", " AND ", " OR ", "1", "0.5", "hr", "distance", "<", "<=", "==", "!=", "+", "*", "/", " ",
      "x", ".", "\u{0}", "é",
    ]
    var random = SplitMix(seed: 7)
    var accepted = 0
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<random.below(12) { text += pieces[random.below(pieces.count)] }
      do {
        let expression = try Expression(text)
        _ = expression.holds(VariableValues())
        accepted += 1
      } catch {
        #expect(error.column >= 1 && error.column <= text.unicodeScalars.count + 1)
      }
    }
    #expect(accepted > 20)
  }

  @Test(arguments: [
    ("distance > 8000", false), ("distance >= 5000", true), ("distance > 5000", false), ("hr_zone > 5", false),
    ("hr_zone >= 5", true), ("time_of_day_hour == 24", false), ("target_pace == 330", true),
    ("target_pace > 331", false), ("NOT distance <= 5000", false), ("distance > 8000 OR hr > 150", true),
    ("distance > 4000 AND hr_zone > 5", false), ("distance - 6000 > 0", false), ("distance / 0 > 1", false),
    ("duration > 100000", true), ("current_pace < 0", false), ("distance * 2 > 9999", true), ("hr / cadence > 9", true),
  ])
  func `what can never be true with a plan is found out`(text: String, expected: Bool) throws {
    #expect(try Expression(text).canHold(under: Plan(distance: 5000, time: 1650)) == expected)
  }

  @Test func `a target pace without a plan is unknown for ever`() throws {
    #expect(try Expression("target_pace > 0").canHold(under: Plan()) == false)
    #expect(try Expression("target_pace > 0 OR hr > 1").canHold(under: Plan()))
    #expect(try Expression("NOT (target_pace > 0 AND hr > 1)").canHold(under: Plan()))
  }
}
