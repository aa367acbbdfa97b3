import CoachProtocol
package import Link

/// The shared fields of triggers with an expression.
package struct ExpressionFields: Sendable, Equatable {
  package var expression: Expression
  /// The branch that a dispatch activates, if any.
  package var branchKey: String?
  /// Seconds between two dispatches, at least 0; nil makes the line play once.
  package var cooldownSeconds: Double?

  init(_ expression: Expression, branchKey: String? = nil, cooldownSeconds: Double? = nil) {
    self.expression = expression
    self.branchKey = branchKey
    self.cooldownSeconds = cooldownSeconds
  }

  init?(_ spec: JSONObjectReader) {
    // Everything is read before giving up, so that all problems are reported at once.
    let text = spec.string("expression", required: true)
    let branchKey = spec.branchKey()
    let cooldown = spec.number("cooldownSeconds", in: 0...1e9)
    guard let text else { return nil }
    do {
      self.init(try Expression(text), branchKey: branchKey, cooldownSeconds: cooldown)
    } catch {
      spec.value("expression")?.error("column \(error.column) of the expression: \(error.message)")
      return nil
    }
  }

  var members: [JSONMember] {
    JSONMember.list(["expression": expression.text, "branchKey": branchKey, "cooldownSeconds": cooldownSeconds])
  }

  var form: TriggerForm {
    // At most 10^9 seconds, so the nanoseconds fit.
    .condition(expression, cooldown: .init(nanoseconds: Int64(((cooldownSeconds ?? 0) * 1e9).rounded())))
  }

  func whyNever(under plan: Plan) -> String? {
    expression.canHold(under: plan) ? nil : "can never be true with this plan"
  }
}

extension JSONObjectReader {
  /// Reads a branch name; nil if there is none, or after reporting an empty one.
  func branchKey() -> String? {
    guard let key = string("branchKey") else { return nil }
    guard !key.isEmpty else {
      value("branchKey")?.error("found an empty string, expected the name of a branch")
      return nil
    }
    return key
  }
}

/// A trigger that is due while its expression holds.
package protocol ExpressionTrigger: Trigger {
  var fields: ExpressionFields { get }
  static var exampleExpression: String { get }

  init(_ fields: ExpressionFields)
}

extension ExpressionTrigger {
  package static var example: Self {
    guard let expression = try? Expression(exampleExpression) else {
      preconditionFailure("the example is written in the grammar")
    }
    return Self(ExpressionFields(expression, branchKey: "example", cooldownSeconds: 240))
  }

  package init?(_ spec: JSONObjectReader) {
    guard let fields = ExpressionFields(spec) else { return nil }
    self.init(fields)
  }

  package var members: [JSONMember] { fields.members }
  package var branchKey: String? { fields.branchKey }
  package var repeatsByNature: Bool { fields.cooldownSeconds != nil }

  package func form(for plan: Plan) -> TriggerForm { fields.form }

  package func whyNever(under plan: Plan) -> String? { fields.whyNever(under: plan) }

  package static var vaguePhrase: String { "as its condition holds" }

  package func phrase(multiple: Int64?) -> String { "as \(fields.expression.text)" }
}
