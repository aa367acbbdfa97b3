package import Link

/// Holds from the middle of the plan on, by distance or else by time: `{ "type": "halfway" }`.
package struct HalfwayTrigger: Trigger {
  package static let type = "halfway"
  package static let example = Self()

  init() {}

  package init?(_ spec: JSONObjectReader) {}

  package var members: [JSONMember] { [] }

  package func form(for plan: Plan) -> TriggerForm {
    if let distance = plan.distance { return .distancePoint(distance / 2) }
    if let time = plan.time { return .timePoint(time / 2) }
    return .never
  }

  package func whyNever(under plan: Plan) -> String? {
    plan.distance == nil && plan.time == nil ? "needs a planned distance or time, and none is given" : nil
  }

  package static let vaguePhrase = "halfway"

  package func phrase(multiple: Int64?) -> String { "halfway" }
}
