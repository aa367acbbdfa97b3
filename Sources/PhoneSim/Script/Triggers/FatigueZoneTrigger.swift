/// Holds while an expression says that the athlete is tired.
///
/// Judged like a condition; named apart in scripts and traces.
///
/// ```json
/// { "type": "fatigue_zone", "expression": "hr_zone >= 4 AND distance > 25000",
///   "branchKey"?: "...", "cooldownSeconds"?: 240 }
/// ```
package struct FatigueZoneTrigger: ExpressionTrigger {
  package var fields: ExpressionFields

  package static let type = "fatigue_zone"
  package static let exampleExpression = "hr_zone >= 4 AND distance > 25000"

  package init(_ fields: ExpressionFields) { self.fields = fields }
}
