/// Holds while an expression over the run is true.
///
/// ```json
/// { "type": "condition", "expression": "pace_3min_ratio > 1.05 AND distance > 8000",
///   "branchKey"?: "...", "cooldownSeconds"?: 240 }
/// ```
package struct ConditionTrigger: ExpressionTrigger {
  package var fields: ExpressionFields

  package static let type = "condition"
  package static let exampleExpression = "pace_3min_ratio > 1.05 AND distance > 8000"

  package init(_ fields: ExpressionFields) { self.fields = fields }
}
