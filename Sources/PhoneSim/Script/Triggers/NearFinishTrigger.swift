import CoachProtocol
package import Link

/// Holds from a distance before the planned end on: `{ "type": "near_finish", "remainingMeters": 500 }`.
package struct NearFinishTrigger: Trigger {
  /// Metres before the planned distance, above 0.
  package var remainingMeters: Double

  package static let type = "near_finish"
  package static let example = Self(remainingMeters: 500)

  init(remainingMeters: Double) { self.remainingMeters = remainingMeters }

  package init?(_ spec: JSONObjectReader) {
    guard let remainingMeters = spec.positive("remainingMeters") else { return nil }
    self.init(remainingMeters: remainingMeters)
  }

  package var members: [JSONMember] { [JSONMember("remainingMeters", .plain(remainingMeters))] }

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
