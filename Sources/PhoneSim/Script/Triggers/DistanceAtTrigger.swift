import CoachProtocol

/// Holds from a distance on: `{ "type": "distance", "atMeters": 1000 }`.
package struct DistanceAtTrigger: NumberTrigger {
  /// Metres from the start, above 0.
  package var atMeters: Double

  package static let type = "distance"
  package static let key = "atMeters"
  package static let number: any WritableKeyPath<Self, Double> & Sendable = \.atMeters
  package static let shapeKey: String? = key
  package static let example = Self(atMeters: 1000)

  package func form(for plan: Plan) -> TriggerForm { .distancePoint(atMeters) }

  package func whyNever(under plan: Plan) -> String? {
    guard let distance = plan.distance, atMeters > distance else { return nil }
    return "lies past the planned distance of \(distance) m"
  }

  package static let vaguePhrase = "at a distance"

  package func phrase(multiple: Int64?) -> String { "at \(MeasureText.metres(atMeters))" }
}
