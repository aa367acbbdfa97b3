package import Link

/// All kinds of triggers.
package enum TriggerCatalog {
  /// In the order of the reference pages.
  package static let all: [any Trigger.Type] = [
    DistanceAtTrigger.self,
    DistanceEveryTrigger.self,
    TimeTrigger.self,
    HalfwayTrigger.self,
    NearFinishTrigger.self,
    NearEndTrigger.self,
    ConditionTrigger.self,
    FatigueZoneTrigger.self,
  ]

  /// Reads a `triggerSpec`; nil after reporting errors.
  package static func read(_ value: JSONValueReader) -> (any Trigger)? {
    guard let spec = value.object() else { return nil }
    var types: [String] = []
    for kind in all where !types.contains(kind.type) { types.append(kind.type) }
    guard let type = spec.oneOf("type", types, required: true) else { return nil }
    let kinds = all.filter { $0.type == type }
    let shapes = kinds.compactMap { $0.shapeKey }
    let chosen: (any Trigger.Type)?
    if kinds.count == 1 {
      chosen = kinds.first
    } else {
      let given = kinds.filter { kind in kind.shapeKey.map { spec.has($0) } ?? false }
      spec.allow(shapes)
      chosen = given.count == 1 ? given.first : nil
      // A misspelt key is reported below with its correction: one problem, one error.
      let isMisspelt = spec.members.contains { Spelling.nearest(to: $0.key, among: shapes) != nil }
      if chosen == nil, !given.isEmpty || !isMisspelt {
        let list = shapes.map { "\"\($0)\"" }.joined(separator: " or ")
        spec.error(given.isEmpty ? "the key \(list) is missing" : "found both keys, expected either \(list)")
      }
    }
    let trigger = chosen.flatMap { $0.init(spec) }
    spec.finish()
    return trigger
  }
}
