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

extension Scenario {
  /// The same run with the athlete's days and the users' acts written out as ordinary keys; the scenario itself if none
  /// are drawn.
  ///
  /// Drawn and written days are the same run: the keys are read as those of a file.
  package var drawn: Scenario {
    guard let athlete else { return handed }
    let days = DrawnDays(athlete, for: self)
    var bare = self
    bare.athlete = nil
    (bare.programs, bare.acts, bare.expectations, bare.situations) = (UserPrograms(), [], [], [])
    let own = Self.schema.members(of: bare, .brief)
    let node = JSONNode(.object(Self.merging(days.members, days.faults, into: own)))
    let (read, diagnostics) = Self.read(node, file: "drawn", folder: "/")
    let errors = diagnostics.flatMap { $0.hasErrors ? $0.lines : [] }
    precondition(errors.isEmpty, "drawn days are valid: \(errors)")
    var scenario = read
    (scenario.programs, scenario.acts) = (programs, acts)
    (scenario.expectations, scenario.situations) = (expectations, situations)
    return scenario
  }

  /// Own keys win over drawn ones; of `phone` each, and its events are those of both.
  private static func merging(
    _ drawn: [JSONMember], _ faults: [JSONNode], into own: [JSONMember]
  ) -> [JSONMember] {
    var members = own.filter { $0.key != "workout" }
    // A scenario that says one of them says whether there is a cloud.
    let hasCloud = own.contains { $0.key == "edge" || $0.key == "uplink" }
    for member in drawn where !hasCloud || (member.key != "edge" && member.key != "uplink") {
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      switch member.key {
      case "phone": members[index].node = phone(members[index].node, member.node)
      case "startedAt", "timeZone", "duration": members[index] = member
      default: break
      }
    }
    if let index = members.firstIndex(where: { $0.key == "faults" }) {
      members[index].node = JSONNode(.array(members[index].node.elements + faults))
    } else if !faults.isEmpty {
      members.append(JSONMember("faults", .array(faults)))
    }
    if !members.contains(where: { $0.key == "truth" }) { members.append(JSONMember("truth", .bool(true))) }
    // Daily totals go to an edge.
    if !members.contains(where: { $0.key == "edge" || $0.key == "uplink" }) {
      members.append(JSONMember("edge", .object([])))
    }
    return members
  }

  private static func phone(_ own: JSONNode, _ drawn: JSONNode) -> JSONNode {
    guard case .object(var members) = own.value, case .object(let others) = drawn.value else { return own }
    for other in others {
      guard let index = members.firstIndex(where: { $0.key == other.key }) else {
        members.append(other)
        continue
      }
      guard other.key == "events" else { continue }
      members[index].node = JSONNode(.array(members[index].node.elements + other.node.elements))
    }
    return JSONNode(.object(members))
  }
}
