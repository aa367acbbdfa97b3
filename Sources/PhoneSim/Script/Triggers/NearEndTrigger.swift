import CoachProtocol

/// Holds from a time before the planned end on: `{ "type": "near_end", "remainingSeconds": 300 }`.
package struct NearEndTrigger: NumberTrigger {
  /// Seconds before the planned time, pauses not counted; above 0.
  package var remainingSeconds: Double

  package static let type = "near_end"
  package static let key = "remainingSeconds"
  package static let number: any WritableKeyPath<Self, Double> & Sendable = \.remainingSeconds
  package static let example = Self(remainingSeconds: 300)

  package func form(for plan: Plan) -> TriggerForm {
    guard let time = plan.time else { return .never }
    return .timePoint(time - remainingSeconds)
  }

  package func whyNever(under plan: Plan) -> String? {
    guard let time = plan.time else { return "needs a planned time, and none is given" }
    guard remainingSeconds > time else { return nil }
    return "lies before the start of the planned \(time) s"
  }

  package static let vaguePhrase = "near the end"

  package func phrase(multiple: Int64?) -> String { "\(MeasureText.clock(seconds: Int64(remainingSeconds))) to go" }
}
