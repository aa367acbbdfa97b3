import CoachProtocol

/// Holds at each multiple of a distance: `{ "type": "distance", "everyMeters": 1000 }`.
package struct DistanceEveryTrigger: NumberTrigger {
  /// Metres between two points, above 0.
  package var everyMeters: Double

  package static let type = "distance"
  package static let key = "everyMeters"
  package static let number: any WritableKeyPath<Self, Double> & Sendable = \.everyMeters
  package static let shapeKey: String? = key
  package static let example = Self(everyMeters: 1000)

  package var repeatsByNature: Bool { true }

  package func form(for plan: Plan) -> TriggerForm { .everyMultiple(everyMeters) }

  package func whyNever(under plan: Plan) -> String? {
    guard let distance = plan.distance, everyMeters > distance else { return nil }
    return "has its first point past the planned distance of \(distance) m"
  }

  package static let vaguePhrase = "at a distance"

  package func phrase(multiple: Int64?) -> String {
    guard let multiple else { return "every \(MeasureText.metres(everyMeters))" }
    return "at \(MeasureText.metres(everyMeters * Double(multiple)))"
  }
}
