package import Link

/// Holds while an expression says that the runner is tired.
///
/// Judged like a condition; named apart in scripts and traces.
///
/// ```json
/// { "type": "fatigue_zone", "expression": "hr_zone >= 4 AND distance > 25000",
///   "branchKey"?: "...", "cooldownSeconds"?: 240 }
/// ```
package struct FatigueZoneTrigger: Trigger {
  package var fields: ExpressionFields

  package static let type = "fatigue_zone"

  package static var example: Self {
    guard let expression = try? Expression("hr_zone >= 4 AND distance > 25000") else {
      preconditionFailure("the example is written in the grammar")
    }
    return Self(ExpressionFields(expression, branchKey: "example", cooldownSeconds: 240))
  }

  init(_ fields: ExpressionFields) { self.fields = fields }

  package init?(_ spec: JSONObjectReader) {
    guard let fields = ExpressionFields(spec) else { return nil }
    self.init(fields)
  }

  package var members: [JSONMember] { fields.members }
  package var branchKey: String? { fields.branchKey }
  package var repeatsByNature: Bool { fields.cooldownSeconds != nil }

  package func form(for plan: Plan) -> TriggerForm { fields.form }

  package func whyNever(under plan: Plan) -> String? { fields.whyNever(under: plan) }

  package static let vaguePhrase = "as its condition holds"

  package func phrase(multiple: Int64?) -> String { "as \(fields.expression.text)" }
}
