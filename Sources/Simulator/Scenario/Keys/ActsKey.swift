import Console
import Link

/// `acts`: what users do in apps, drawn from the seed.
enum ActsKey: ScenarioKey {
  static let standard: ActDraw? = nil
  static let field = Field<Scenario>(
    "acts", \.actDraw, .object(ActDraw.schema).readable,
    "draws what users do in apps of your own, beside `phone.acts` and `watch.acts`", .otherwise("none"))
}

extension Scenario {
  /// What is drawn of users' acts; nil for a scenario whose acts are written out.
  var actDraw: ActDraw? {
    get { self[ActsKey.self] }
    set { self[ActsKey.self] = newValue }
  }

  /// Whether days or acts are drawn, so that each seed has others.
  package var isDrawn: Bool { athlete != nil || actDraw != nil }

  /// The names of all acts that users may do.
  var actNames: Set<String> { Set(acts.map(\.name) + (actDraw?.acts.map(\.name) ?? [])) }
}
