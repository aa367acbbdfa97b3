import CoachProtocol

/// Holds from an elapsed time on: `{ "type": "time", "atSeconds": 1800 }`.
package struct TimeTrigger: NumberTrigger {
  /// Seconds of the run without pauses, above 0.
  package var atSeconds: Double

  package static let type = "time"
  package static let key = "atSeconds"
  package static let number: any WritableKeyPath<Self, Double> & Sendable = \.atSeconds
  package static let example = Self(atSeconds: 1800)

  package func form(for plan: Plan) -> TriggerForm { .timePoint(atSeconds) }

  package func whyNever(under plan: Plan) -> String? {
    guard let time = plan.time, atSeconds > time else { return nil }
    return "lies past the planned time of \(time) s"
  }

  package static let vaguePhrase = "at a time"

  package func phrase(multiple: Int64?) -> String { "\(MeasureText.clock(seconds: Int64(atSeconds))) into the run" }
}
