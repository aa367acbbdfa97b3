import Console
import Link

/// The key `athlete`: who uses the devices; drawn days, or what the acts of an app mean.
struct AthleteSetup: Sendable, Equatable {
  var draw: AthleteDraw?
  var acts: AthleteActs?

  static let schema = ObjectSchema<Self>(
    "athlete", "Who uses the devices.", Self(),
    [
      Field("draw", \.draw, .object(AthleteDraw.schema).readable, "what is drawn of days, and how much of it"),
      Field(
        "acts", \.acts, .object(AthleteActs.schema).readable,
        "what acts of apps mean: with it `truth` lines say what the user of an app really did"),
    ]
  ) { athlete, reader in
    guard (athlete.draw == nil) == (athlete.acts == nil) else { return true }
    reader.error("found \(athlete.draw == nil ? "neither" : "both"), expected one of the keys \"draw\" and \"acts\"")
    return false
  }

  /// What the days give, and so cannot stand beside them.
  static let drawnKeys = ["workout", "workouts", "duration", "flights"]
}

/// Which acts begin, pause, continue and end a workout, on whichever device.
struct AthleteActs: Sendable, Equatable {
  var begin: [String] = []
  var pause: [String] = []
  var resume: [String] = []
  var end: [String] = []

  /// What a user does with the workout.
  enum Meaning { case begin, pause, resume, end }

  static let schema = ObjectSchema<Self>(
    "athlete.acts",
    "Which acts of apps begin, pause, continue and end a workout, whichever device takes them. The user's body moves"
      + " between as `workout.source` says; a further workout moves as the next of `workouts`, or as the last.",
    Self(),
    [
      Field("begin", \.begin, names(1), "begin one, unless one is on", .required),
      Field("pause", \.pause, names(0), "pause it").omittedAtDefault,
      Field("resume", \.resume, names(0), "continue it").omittedAtDefault,
      Field("end", \.end, names(1), "end it", .required),
    ]
  ) { acts, reader in
    let all = acts.all
    guard let twice = all.first(where: { name in all.count { $0 == name } > 1 }) else { return true }
    reader.error("found the act \"\(twice)\" twice, expected one meaning of each act")
    return false
  }

  private static func names(_ least: Int) -> ValueSchema<[String]> {
    .array(of: .string.named("an act's `do`").satisfying(TimedAct.expectedName, AppFact.isName), count: least...100)
  }

  var all: [String] { begin + pause + resume + end }

  /// What an act means; nil for one that has nothing to do with a workout.
  func meaning(of act: String) -> Meaning? {
    if begin.contains(act) { return .begin }
    if pause.contains(act) { return .pause }
    if resume.contains(act) { return .resume }
    return end.contains(act) ? .end : nil
  }
}

extension Scenario {
  /// What is drawn of an athlete's days; nil for a scenario whose days are written out.
  package var athlete: AthleteDraw? {
    get { athleteSetup.draw }
    set { athleteSetup.draw = newValue }
  }

  /// What acts of apps mean to their user's body; nil if nothing is said of it.
  var athleteActs: AthleteActs? { athleteSetup.acts }

  /// Checks the rules between the athlete and other keys.
  mutating func checkAthlete(_ reader: JSONObjectReader) {
    if ownTruth == nil, expectations.contains(where: \.comparesWorkouts) { ownTruth = true }
    checkTruth(reader)
    guard athlete != nil else { return }
    for key in AthleteSetup.drawnKeys {
      reader.value(key)?.refuse(expected: "no \(key) beside athlete.draw, which draws it")
    }
    if let role = appRoles.first {
      reader.object(role.text)?.value("command")?.refuse(
        expected: "the built-in devices beside athlete.draw: an app of your own has acts")
    }
  }
}
