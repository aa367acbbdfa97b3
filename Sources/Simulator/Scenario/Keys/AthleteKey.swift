import Console
import Link

/// `athlete`: days of an athlete that are drawn from the seed.
enum AthleteKey: ScenarioKey {
  static let standard: AthleteDraw? = nil
  static let field = Field<Scenario>(
    "athlete", as: .object(Self.schema.description),
    "draws the days of an athlete from the seed ([drawn days](sweeps.md#drawn-days))",
    .otherwise("none"),
    read: { value, scenario in
      guard let reader = value.object(), let draw = schema.readWhole(reader) else { return false }
      scenario.athlete = draw.draw
      return true
    },
    write: { scenario, style in
      scenario.athlete.map { .object(schema.members(of: Athlete(draw: $0), style)) }
    })

  private struct Athlete: Sendable {
    var draw = AthleteDraw()
  }

  private static let schema = ObjectSchema<Athlete>(
    "athlete", "The athlete whose days a run has.", Athlete(),
    [Field("draw", \.draw, .object(AthleteDraw.schema).readable, "what is drawn, and how much of it", .required)])

  /// What the days give, and so cannot stand beside them.
  static let drawnKeys = ["workout", "workouts", "duration", "flights"]
}

extension Scenario {
  /// What is drawn of an athlete's days; nil for a scenario whose days are written out.
  package var athlete: AthleteDraw? {
    get { self[AthleteKey.self] }
    set { self[AthleteKey.self] = newValue }
  }

  /// Checks the rules between drawn days and other keys.
  func checkAthlete(_ reader: JSONObjectReader) {
    guard athlete != nil else { return }
    for key in AthleteKey.drawnKeys {
      reader.value(key)?.refuse(expected: "no \(key) beside athlete.draw, which draws it")
    }
    if let role = appRoles.first {
      reader.object(role.text)?.value("command")?.refuse(
        expected: "the built-in devices beside athlete.draw: an app of your own has acts")
    }
  }
}
