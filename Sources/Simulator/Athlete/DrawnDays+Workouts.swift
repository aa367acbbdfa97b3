import Console
import CoachProtocol
import Link

/// The workouts of an athlete's days.
extension DrawnDays {
  /// A workout that is drawn, before it has its place.
  private struct Drawn {
    var discipline: TrainingDiscipline
    var model: JSONFields
    var length: VirtualTime.Span
    var at: VirtualTime
    var number: Int
    /// Of a run or a ride.
    var intervals: [Interval]
  }

  /// Drawn workouts, and what belongs to them.
  struct Drawing {
    /// Elements of `workouts`, in the order of their starts.
    var nodes: [JSONNode] = []
    /// When they start, end and are paused, about.
    var moments: [VirtualTime] = []
    /// When an end is asked for on the phone.
    var endsOnPhone: [VirtualTime] = []
    /// Intervals that are planned on the phone, and when.
    var plans: [(at: VirtualTime, discipline: TrainingDiscipline, intervals: [Interval])] = []
  }

  /// The workouts.
  ///
  /// A scenario has one workout at least: that of an athlete who rests lies behind the end.
  var drawnWorkouts: Drawing {
    var drawn: [Drawn] = []
    for day in 0..<days {
      var dice = Dice(seed: seed, "workouts", day)
      for _ in 0..<dice.count(draw.workouts) where drawn.count < Scenario.workoutsMax {
        drawn.append(self.drawn(number: drawn.count, on: day))
      }
    }
    return placed(drawn.sorted { ($0.at, $0.number) < ($1.at, $1.number) })
  }

  private func drawn(number: Int, on day: Int) -> Drawn {
    var dice = Dice(seed: seed, "workout", number)
    let discipline = dice.pick(draw.disciplines)
    let length = dice.span(draw.length.least...draw.length.most)
    let from = VirtualTime.start + .hours(Int64(day) * 24)
    var at = dice.instant(from...(from + .hours(23)))
    let near = edges.filter { $0 >= from && $0 < from + .hours(24) }
    // Over midnight, or over a change of the clocks.
    if !near.isEmpty, dice.happens(35) {
      let edge = dice.pick(near)
      at = max(.start, edge + .milliseconds(-dice.span(.zero...length).nanoseconds / 1_000_000))
    }
    var own = Dice(seed: seed, "intervals", number)
    let seconds = max(1, length.nanoseconds / 1_000_000_000)
    let isPlanned = (discipline == .running || discipline == .riding) && own.happens(25)
    let intervals = isPlanned ? Self.intervals(of: seconds, discipline, &own) : []
    return Drawn(
      discipline: discipline, model: Self.model(discipline, seconds, intervals, &dice), length: length, at: at,
      number: number, intervals: intervals)
  }

  /// A model that takes about as long.
  private static func model(
    _ discipline: TrainingDiscipline, _ seconds: Int64, _ intervals: [Interval], _ dice: inout Dice
  ) -> JSONFields {
    switch discipline {
    case .running:
      let pace = dice.number(200...480)
      let distance = max(20, seconds * 1_000 / pace)
      let stops = (0..<dice.number(0...2)).map { _ in
        JSONNode(
          .fields([
            "at": .integer(dice.number(1...distance)), "for": .string("\(dice.number(1...40))s"),
          ]))
      }
      let hills = dice.number(0...20)
      let pacing = dice.happens(30) ? dice.pick([PacingStrategy.negative, .positive]) : nil
      let resting = intervals.reduce(0) { $0 + ($1.rest ?? 0) }
      return [
        "distance": .integer(max(20, distance - resting * 1_000 / 720)), "pace": .integer(pace),
        "pacing": pacing.map { .string($0.rawValue) }, "hills": .integer(hills), "stops": .array(stops),
        "intervals": intervals.isEmpty ? nil : .array(intervals.map(\.node)),
      ]
    case .swimming:
      let pace = dice.number(60...180)
      let pool = dice.pick([20, 25, 33, 50] as [Int64])
      let distance = max(pool, seconds * 100 / pace)
      let (interval, rest) = (pool * dice.number(0...4), dice.number(1...20))
      let isPool = dice.happens(70)
      return [
        "location": isPool ? nil : .string("openWater"), "poolLength": isPool ? .integer(pool) : nil,
        "distance": .integer(distance), "pace": .integer(pace), "interval": .integer(interval),
        "rest": .string("\(rest)s"),
      ]
    case .riding:
      return [
        "duration": .string("\(max(60, seconds))s"), "canterShare": .plain(Double(dice.number(0...10)) / 10),
        "intervals": intervals.isEmpty ? nil : .array(intervals.map(\.node)),
      ]
    case .shooting:
      let (ends, shots) = (dice.number(1...6), dice.number(1...6))
      let each = max(1, min(600, seconds / (ends * (shots + 2))))
      return [
        "ends": .integer(ends), "shots": .integer(shots), "interval": .string("\(each)s"),
        "scoring": .string("\(each * 2)s"),
      ]
    }
  }

  /// An interval of a run, or of a ride.
  struct Interval {
    /// Of a run: metres, seconds per kilometre, and seconds.
    var distance: Int64?
    var pace: Int64?
    var rest: Int64?
    /// Of a ride: a gait, and seconds.
    var gait: Gait?
    var duration: Int64?

    private static func seconds(_ value: Int64?) -> JSONValue? { value.map { .string("\($0)s") } }

    /// As the workout has it.
    var node: JSONNode {
      JSONNode(
        .fields([
          "distance": distance.map { .integer($0) }, "pace": pace.map { .integer($0) }, "rest": Self.seconds(rest),
          "gait": gait.map { .string($0.text) }, "duration": Self.seconds(duration),
        ]))
    }

    /// As a plan has it, with the pace for 100 m.
    func planned(_ number: Int) -> JSONNode {
      JSONNode(
        .fields([
          "name": .string("interval \(number)"), "distance": distance.map { .integer($0) },
          "pace": pace.map { .plain(Double($0) / 10) }, "rest": Self.seconds(rest),
          "gait": gait.map { .string($0.text) }, "intensity": gait.map { .string($0 == .canter ? "hard" : "easy") },
          "duration": Self.seconds(duration),
        ]))
    }
  }

  /// Intervals of a workout of so many seconds; a part of it, or more than it.
  private static func intervals(
    of seconds: Int64, _ discipline: TrainingDiscipline, _ dice: inout Dice
  ) -> [Interval] {
    let count = dice.number(1...6)
    return (0..<count).map { _ in
      let share = seconds * dice.number(5...30) / (count * 10)
      guard discipline == .running else {
        return Interval(gait: dice.pick([.walk, .trot, .canter]), duration: max(1, share / 3))
      }
      return Interval(
        distance: max(10, share), pace: dice.number(180...420), rest: min(seconds / (count * 4), dice.number(0...90)))
    }
  }

  private func placed(_ drawn: [Drawn]) -> Drawing {
    var drawing = Drawing()
    /// When the workout before is over, if its athlete ends none early.
    var over = VirtualTime.start
    var last: VirtualTime?
    for (index, one) in drawn.enumerated() {
      var dice = Dice(seed: seed, "place", one.number)
      var at = one.at
      // Right after the one before; seldom before it is over, when a watch refuses it.
      if index > 0, at < over || dice.happens(25) { at = over + dice.span(.milliseconds(1)...(.seconds(15))) }
      if index > 0, dice.happens(3) { at = max(.start, at + .seconds(-20)) }
      if let last, at <= last { at = last + .seconds(1) }
      guard at < .start + duration else { break }
      last = at
      let preparing: VirtualTime.Span = dice.pick([.zero, .seconds(3), .seconds(3), .seconds(10), .milliseconds(2_500)])
      var hand = Hand(one.length, from: at + preparing, preparing: preparing, pauses: draw.pauses, &dice)
      over = hand.over
      drawing.moments += [at, at + preparing] + hand.moments + [over]
      let isAsked = one.discipline == .running && dice.happens(12)
      if isAsked, dice.happens(50), let end = hand.takeEnd() { drawing.endsOnPhone.append(end) }
      var tap = Dice(seed: seed, "tap", one.number)
      let isTapped = tap.happens(15)
      var planning = Dice(seed: seed, "plans", one.number)
      if !one.intervals.isEmpty, planning.happens(70) {
        drawing.plans.append((max(.start, at + .seconds(-planning.number(0...7_200))), one.discipline, one.intervals))
      }
      drawing.nodes.append(
        JSONNode(
          .fields([
            "at": Self.text(at), "discipline": .string(one.discipline.rawValue), "preparing": Self.text(preparing),
            "startedBy": isAsked ? .string("phone") : isTapped ? .string("complication") : nil,
            "source": .fields(["model": .fields(one.model)]),
            "events": hand.presses.isEmpty ? nil : .array(hand.events),
          ])))
    }
    if drawing.nodes.isEmpty { drawing.nodes.append(JSONNode(.fields(["at": Self.text(duration + .seconds(1))]))) }
    drawing.moments.removeAll { $0 >= .start + duration }
    return drawing
  }

  /// What the athlete presses during a workout.
  private struct Hand {
    private(set) var presses: [(at: VirtualTime, what: String)] = []
    /// When the workout is over, about.
    private(set) var over: VirtualTime

    init(
      _ length: VirtualTime.Span, from: VirtualTime, preparing: VirtualTime.Span, pauses: CountRange,
      _ dice: inout Dice
    ) {
      over = from + length
      for _ in 0..<dice.count(pauses) {
        let at = moment(from, preparing, &dice)
        let until = at + dice.span(.milliseconds(1)...(dice.happens(70) ? .seconds(30) : .seconds(600)))
        presses += [(at, "pause"), (until, "resume")]
        over = over + (until - at)
      }
      // Pressed twice.
      if let one = presses.first, dice.happens(8) { presses.append((one.at + .milliseconds(300), one.what)) }
      if dice.happens(35) {
        let at = moment(from, preparing, &dice)
        presses.append((at, "end"))
        over = min(over, max(at, from))
      }
      if dice.happens(4), let last = presses.lastIndex(where: { $0.what == "resume" }) { presses.remove(at: last) }
      presses = presses.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// When something is pressed.
    var moments: [VirtualTime] { presses.map(\.at) }

    /// Elements of `events`.
    var events: [JSONNode] {
      presses.map { JSONNode(.fields(["at": DrawnDays.text($0.at), "do": .string($0.what)])) }
    }

    /// Takes back that the end is pressed on the watch, and returns when it is.
    mutating func takeEnd() -> VirtualTime? {
      presses.firstIndex { $0.what == "end" }.map { presses.remove(at: $0).at }
    }

    /// A moment of the workout: anywhere, at its very beginning, or at its very end.
    private func moment(_ from: VirtualTime, _ preparing: VirtualTime.Span, _ dice: inout Dice) -> VirtualTime {
      switch dice.number(0...9) {
      case 0: from
      case 1: from + dice.span(.milliseconds(1)...(.seconds(2)))
      case 2: over
      case 3: over + .milliseconds(-dice.number(1...2_000))
      case 4 where preparing > .zero: from + .milliseconds(-dice.number(1...preparing.nanoseconds / 1_000_000))
      default: dice.instant(from...max(from, over))
      }
    }
  }
}
