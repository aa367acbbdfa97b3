import CoachProtocol
package import Link

/// Holds from a distance on: `{ "type": "distance", "atMeters": 1000 }`.
package struct DistanceAtTrigger: Trigger {
  /// Metres from the start, above 0.
  package var atMeters: Double

  package static let type = "distance"
  package static let shapeKey: String? = "atMeters"
  package static let example = Self(atMeters: 1000)

  init(atMeters: Double) { self.atMeters = atMeters }

  package init?(_ spec: JSONObjectReader) {
    guard let atMeters = spec.positive("atMeters") else { return nil }
    self.init(atMeters: atMeters)
  }

  package var members: [JSONMember] { [JSONMember("atMeters", .plain(atMeters))] }

  package func form(for plan: Plan) -> TriggerForm { .distancePoint(atMeters) }

  package func whyNever(under plan: Plan) -> String? {
    guard let distance = plan.distance, atMeters > distance else { return nil }
    return "lies past the planned distance of \(distance) m"
  }

  package static let vaguePhrase = "at a distance"

  package func phrase(multiple: Int64?) -> String { "at \(MeasureText.metres(atMeters))" }
}
