package import Link

/// Holds while an expression over the run is true.
///
/// ```json
/// { "type": "condition", "expression": "pace_3min_ratio > 1.05 AND distance > 8000",
///   "branchKey"?: "...", "cooldownSeconds"?: 240 }
/// ```
package struct ConditionTrigger: Trigger {
  package var fields: ExpressionFields

  package static let type = "condition"

  package static var example: Self {
    guard let expression = try? Expression("pace_3min_ratio > 1.05 AND distance > 8000") else {
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
