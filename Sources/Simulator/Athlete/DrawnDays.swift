import Console
import CoachProtocol
import Link
import PhoneSim

/// The days of an athlete, as ordinary keys of a scenario.
struct DrawnDays {
  let draw: AthleteDraw
  let seed: UInt64
  let duration: VirtualTime.Span
  private(set) var start: StartInstant
  /// Midnights, changes of the clocks and flights: what workouts are drawn around.
  private(set) var edges: [VirtualTime] = []
  let days: Int
  /// Whether the phone reads a health store, and has a list of runs.
  let hasHealth: Bool
  private(set) var drawing = Drawing()

  /// - Parameters:
  ///   - scenario: Whose own date and zone win over drawn ones.
  init(_ draw: AthleteDraw, for scenario: Scenario) {
    self.draw = draw
    seed = scenario.seed
    hasHealth = scenario.health != nil || draw.drawsSettings
    var dice = Dice(seed: seed, "days")
    days = dice.count(draw.days)
    duration = .hours(Int64(days) * 24)
    start = scenario.start
    let standard = StartInstant()
    if start.text == standard.text, start.timeZone == standard.timeZone {
      let place = dice.pick(Place.all)
      start.timeZone = place.timeZone
      start.text = place.start(&dice)
    }
    start.flights = flights()
    start.setOffsets(duration: duration, history: .zero)
    edges = Self.edges(start, duration)
    drawing = drawnWorkouts
  }

  private func flights() -> [StartInstant.Flight] {
    var dice = Dice(seed: seed, "flights")
    let instants = (0..<dice.count(draw.flights)).map { _ in
      dice.instant(.start + .seconds(60)...(.start + duration))
    }
    return Set(instants).sorted().map { StartInstant.Flight(at: $0, timeZone: dice.pick(Place.all).timeZone) }
  }

  /// Local midnights, and the instants at which local time jumps.
  private static func edges(_ start: StartInstant, _ duration: VirtualTime.Span) -> [VirtualTime] {
    var edges = start.offsets.dropFirst().map(\.from).filter { $0 > .start && $0 < .start + duration }
    for (index, offset) in start.offsets.enumerated() {
      let until = index + 1 < start.offsets.count ? start.offsets[index + 1].from : .start + duration
      let local = start.nanoseconds / 1_000_000_000 + offset.seconds
      var at = VirtualTime.start + .seconds(86_400 - local % 86_400)
      while at < min(until, .start + duration) {
        if at >= offset.from { edges.append(at) }
        at = at + .hours(24)
      }
    }
    return edges.sorted()
  }

  /// The scenario's keys.
  var members: [JSONMember] {
    let daily = DrawnPhone(self)
    return [JSONMember]([
      "startedAt": .string(start.text), "timeZone": .string(start.timeZone),
      "flights": start.flights.isEmpty
        ? nil
        : .array(
          start.flights.map {
            JSONNode(.fields(["at": Self.text($0.at), "timeZone": .string($0.timeZone)]))
          }),
      "duration": .string(DurationText.text(duration)), "workouts": .array(drawing.nodes),
      "phone": .object(daily.members),
    ]) + (draw.drawsSettings ? DrawnSettings(self).members : [])
  }

  static func text(_ at: VirtualTime) -> JSONValue { .string(DurationText.text(at - .start)) }

  static func text(_ span: VirtualTime.Span) -> JSONValue { .string(DurationText.text(span)) }

  /// Elements of `faults`.
  var faults: [JSONNode] { clocks + cuts + crashes + fullDisks }

  /// A moment near one at which something happens; any without one.
  private func moment(_ dice: inout Dice) -> VirtualTime {
    guard !drawing.moments.isEmpty, dice.happens(80) else { return dice.instant(.start...(.start + duration)) }
    return max(.start, dice.pick(drawing.moments) + .milliseconds(dice.number(-20_000...3_000)))
  }

  private var cuts: [JSONNode] {
    var dice = Dice(seed: seed, "cuts")
    return (0..<dice.count(draw.cuts)).map { index in
      let at = moment(&dice)
      let length = dice.span(.seconds(2)...(dice.happens(60) ? .seconds(60) : .seconds(3_600)))
      return JSONNode(
        .fields([
          "id": .string("athlete-cut-\(index + 1)"), "at": Self.text(at), "for": Self.text(length),
          "disconnect": .object([]),
        ]))
    }
  }

  private var crashes: [JSONNode] {
    var dice = Dice(seed: seed, "crashes")
    return (0..<dice.count(draw.crashes)).map { index in
      let at = moment(&dice)
      return JSONNode(
        .fields([
          "id": .string("athlete-crash-\(index + 1)"), "at": Self.text(at),
          "kill": .string(dice.pick(["watch", "phone"])),
          "restartAfter": Self.text(dice.span(.seconds(1)...(dice.happens(70) ? .seconds(60) : .seconds(1_800)))),
        ]))
    }
  }

  /// The phone's disk is full for a while, seldom.
  private var fullDisks: [JSONNode] {
    var dice = Dice(seed: seed, "disks")
    guard draw.crashes.most > 0, dice.happens(8) else { return [] }
    return [
      JSONNode(
        .fields([
          "id": .string("athlete-disk"), "at": Self.text(moment(&dice)), "diskFull": .string("phone"),
          "for": Self.text(dice.span(.seconds(30)...(.hours(8)))),
        ]))
    ]
  }

  /// A clock that is set wrong, and right again.
  struct WrongClock {
    var node: String
    var at: VirtualTime
    var length: VirtualTime.Span
    var offset: Int
  }

  var wrongClocks: [WrongClock] {
    var dice = Dice(seed: seed, "clocks")
    return (0..<dice.count(draw.clocks)).map { index in
      let node = dice.pick(["watch", "phone"])
      let length = dice.span(.seconds(60)...(.hours(5)))
      var at = dice.instant(.start...(.start + duration))
      // Often about a workout, of which something is entered then.
      var near = Dice(seed: seed, "clocks.near", index)
      if !drawing.moments.isEmpty, near.happens(50) {
        at = min(near.pick(drawing.moments) + near.span(.zero...(.seconds(600))), .start + duration + .seconds(-1))
      }
      let offset = dice.pick([3, 45, 90, 600, 3_600, 7_200, 86_400]) * (dice.happens(50) ? 1 : -1)
      return WrongClock(node: node, at: at, length: length, offset: offset)
    }
  }

  private var clocks: [JSONNode] {
    wrongClocks.enumerated().map { index, clock in
      let skew: JSONValue = .fields(["node": .string(clock.node), "offset": .string("\(clock.offset)s")])
      return JSONNode(
        .fields([
          "id": .string("athlete-clock-\(index + 1)"), "at": Self.text(clock.at), "for": Self.text(clock.length),
          "clockSkew": skew,
        ]))
    }
  }
}

/// Where an athlete may live.
struct Place {
  var timeZone: String
  /// The dates, in UTC, on which the clocks change there.
  var changes: [String] = []

  static let all = [
    Self(timeZone: "UTC"),
    Self(timeZone: "Europe/Berlin", changes: ["2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"]),
    Self(timeZone: "America/New_York", changes: ["2026-03-07", "2026-03-08", "2026-10-31", "2026-11-01"]),
    Self(timeZone: "Australia/Lord_Howe", changes: ["2026-04-03", "2026-04-04", "2026-10-02", "2026-10-03"]),
    Self(timeZone: "Pacific/Chatham", changes: ["2026-04-03", "2026-04-04", "2026-09-25", "2026-09-26"]),
    Self(timeZone: "America/St_Johns", changes: ["2026-03-07", "2026-03-08", "2026-10-31", "2026-11-01"]),
    Self(timeZone: "Asia/Kathmandu"),
    Self(timeZone: "Pacific/Kiritimati"),
    Self(timeZone: "Pacific/Pago_Pago"),
  ]

  /// A date for a run's start: mostly a day or less before the clocks change, if they do.
  func start(_ dice: inout Dice) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day =
      changes.isEmpty || dice.happens(30)
      ? "2026-\(two(dice.number(1...12)))-\(two(dice.number(1...28)))" : dice.pick(changes)
    return "\(day)T\(two(dice.number(0...23))):\(two(dice.number(0...59))):\(two(dice.number(0...59)))Z"
  }
}
