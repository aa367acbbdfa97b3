import CoachProtocol

/// Holds from a distance before the planned end on: `{ "type": "near_finish", "remainingMeters": 500 }`.
package struct NearFinishTrigger: NumberTrigger {
  /// Metres before the planned distance, above 0.
  package var remainingMeters: Double

  package static let type = "near_finish"
  package static let key = "remainingMeters"
  package static let number: any WritableKeyPath<Self, Double> & Sendable = \.remainingMeters
  package static let example = Self(remainingMeters: 500)

  package func form(for plan: Plan) -> TriggerForm {
    guard let distance = plan.distance else { return .never }
    return .distancePoint(distance - remainingMeters)
  }

  package func whyNever(under plan: Plan) -> String? {
    guard let distance = plan.distance else { return "needs a planned distance, and none is given" }
    guard remainingMeters > distance else { return nil }
    return "lies before the start of the planned \(distance) m"
  }

  package static let vaguePhrase = "near the finish"

  package func phrase(multiple: Int64?) -> String { "\(MeasureText.metres(remainingMeters)) to go" }
}
