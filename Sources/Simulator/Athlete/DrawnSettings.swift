import Console
import CoachProtocol
import Link

/// What surrounds an athlete's days: the links, the cloud and the health store's own synchronisation.
struct DrawnSettings {
  private let days: DrawnDays

  init(_ days: DrawnDays) { self.days = days }

  /// The scenario's keys.
  var members: [JSONMember] {
    [JSONMember](["link": link, "uplink": uplink, "edge": edge, "health": health, "units": units, "plan": plan])
  }

  /// What the athlete set out to do in the workouts; often nothing.
  private var plan: JSONValue? {
    var dice = Dice(seed: days.seed, "plan")
    guard dice.happens(30) else { return nil }
    let metres: Int64 = dice.pick([1_000, 3_000, 5_000, 10_000, 42_195])
    let pace = dice.number(200...500)
    let pacing = dice.pick(["even", "negative", "positive", "custom"])
    return .fields([
      "distance": .integer(metres), "time": dice.happens(80) ? .string("\(metres * pace / 1_000)s") : nil,
      "pacing": pacing == "even" ? nil : .string(pacing),
    ])
  }

  /// The user's unit of length; seldom the mile.
  private var units: JSONValue? {
    var dice = Dice(seed: days.seed, "units")
    return dice.happens(25) ? .string(LengthUnit.miles.rawValue) : nil
  }

  /// A profile; at times with a latency or a direction of its own.
  private var link: JSONValue {
    var dice = Dice(seed: days.seed, "link")
    let profile = dice.pick(["ideal", "ble-still", "ble-still", "ble-running", "ble-crowd", "wifi"])
    let isSlow = dice.happens(20)
    let way: JSONValue = .fields(["latency": milliseconds(dice.number(5...1_500))])
    let (hasWay, isToPhone) = (dice.happens(15), dice.happens(50))
    return .fields([
      "profile": .string(profile), "latency": isSlow ? milliseconds(dice.number(5...900)) : nil,
      "supervision": dice.happens(15) ? .string("\(dice.number(1...20))s") : nil,
      "toPhone": hasWay && isToPhone ? way : nil, "toWatch": hasWay && !isToPhone ? way : nil,
    ])
  }

  private var uplink: JSONValue {
    var dice = Dice(seed: days.seed, "uplink")
    let profile = dice.pick(ProfileCatalog.all.filter { $0.isUplink && $0.profile.exists }.map(\.name))
    return .fields(["profile": .string(profile)])
  }

  private var health: JSONValue {
    var dice = Dice(seed: days.seed, "health")
    return .fields(["syncLag": .string("\(dice.pick([1, 5, 30, 30, 120, 900]))s")])
  }

  // MARK: The edge

  private var edge: JSONValue {
    var dice = Dice(seed: days.seed, "edge")
    let latency = dice.number(20...2_500)
    let failures = (0..<dice.number(0...2)).map { failure(Int($0), &dice) }
    let events = (0..<(dice.happens(25) ? dice.number(1...2) : 0)).map { _ in event(&dice) }
    return .fields([
      "latency": milliseconds(latency), "jitter": milliseconds(dice.number(0...latency)),
      "failures": failures.isEmpty ? nil : .array(failures), "events": events.isEmpty ? nil : .array(events),
      "workouts": dice.happens(25) ? service(&dice) : nil,
    ])
  }

  private func failure(_ index: Int, _ dice: inout Dice) -> JSONNode {
    var own = Dice(seed: days.seed, "edge.failure", index)
    let times = own.happens(20) ? JSONValue.integer(own.number(1...5)) : nil
    let what = dice.pick(["error500", "error502", "timeout", "malformed", "late"])
    let length = dice.span(.seconds(10)...(.hours(3)))
    return JSONNode(
      .fields([
        "do": .string(what), "at": at(&dice), "for": times == nil ? DrawnDays.text(length) : nil, "times": times,
        "call": dice.happens(30) ? .string(EdgeCall.insightsSync.rawValue) : nil,
        "by": what == "late" ? .string("\(dice.number(1...90))s") : nil,
      ]))
  }

  private func event(_ dice: inout Dice) -> JSONNode {
    JSONNode(.fields(["at": at(&dice), "do": .string(dice.pick(["restart", "wipe", "powerLoss"]))]))
  }

  /// The external service of workouts.
  private func service(_ dice: inout Dice) -> JSONValue {
    .fields([
      "every": .string("\(dice.pick([15, 60, 360]))m"), "latency": milliseconds(dice.number(20...5_000)),
      "history": .integer(dice.number(0...3)), "failures": serviceFailures,
    ])
  }

  private var serviceFailures: JSONValue? {
    var dice = Dice(seed: days.seed, "service")
    let failures = (0..<dice.number(0...2)).map { _ in
      let what = dice.pick(["unavailable", "error500", "rateLimited", "malformed", "twice", "late"])
      let length = dice.span(.seconds(10)...(.hours(6)))
      let by = JSONValue.string("\(dice.number(1...60))s")
      return JSONNode(
        .fields([
          "do": .string(what), "at": at(&dice), "for": DrawnDays.text(length), "by": what == "late" ? by : nil,
        ]))
    }
    return failures.isEmpty ? nil : .array(failures)
  }

  private func at(_ dice: inout Dice) -> JSONValue {
    DrawnDays.text(dice.instant(.start...(.start + days.duration)))
  }

  private func milliseconds(_ number: Int64) -> JSONValue { .string("\(number)ms") }
}
