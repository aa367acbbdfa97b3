import Console
import CoachProtocol
import Link
import PhoneSim

/// What an athlete does on the phone: meals and their corrections, syncs, edits of sessions, permissions.
struct DrawnPhone {
  private let days: DrawnDays

  init(_ days: DrawnDays) { self.days = days }

  /// The keys of `phone`.
  var members: [JSONMember] {
    var dice = Dice(seed: days.seed, "phone")
    let edits = events { addEdits($0, "edits.second", &$1) }
    let sync: JSONValue =
      .fields([
        "late": .string("\(dice.number(1...120))s"), "twice": .plain(Double(dice.number(0...5)) / 10),
        "reorder": .plain(Double(dice.number(0...5)) / 10), "edits": edits.isEmpty ? nil : .array(edits),
      ])
    let hasTwoPhones = dice.happens(days.wrongClocks.contains { $0.node == "phone" } ? 80 : 25)
    let competition: JSONValue? = dice.happens(40) ? .string("Tetrathlon") : nil
    let training: JSONFields = ["competition": competition, "sync": hasTwoPhones ? sync : nil]
    // More than a week seldom: what is older than a week is fetched by the first sync alone.
    let drawn = dice.number(0...4)
    var long = Dice(seed: days.seed, "history")
    let history = long.happens(15) ? long.number(7...10) : drawn
    let hours = dice.pick([1, 3, 6, 24])
    // By itself it synchronises in the morning and in the evening.
    let every: Int? = long.happens(15) ? nil : hours
    let ingestion: JSONFields = [
      "history": .integer(history), "every": every.map { .string("\($0)h") },
      "failures": denials.isEmpty ? nil : .array(denials), "latency": stores.latency, "keep": stores.keep,
      "calendars": stores.calendars, "samples": stores.samples,
    ]
    let daily: JSONFields = [
      "every": .string("\(dice.pick([5, 15, 60, 360]))m"), "history": .integer(dice.number(0...3)),
      "meals": .integer(dice.number(0...3)), "chat": dice.happens(30) ? chat : nil,
    ]
    return [JSONMember]([
      "ingestion": .fields(ingestion), "daily": .fields(daily), "training": .fields(training),
      "voice": voice, "events": .array(events),
    ])
  }

  private var chat: JSONValue {
    var dice = Dice(seed: days.seed, "chat")
    return .fields(["messages": dice.happens(50) ? .integer(dice.number(0...6)) : nil])
  }

  /// What else `phone.ingestion` says of the stores, seldom: how slow they are, how long rows stay, whose calendars count,
  /// how much a day has.
  private var stores: (latency: JSONValue?, keep: JSONValue?, calendars: JSONValue?, samples: JSONValue?) {
    var dice = Dice(seed: days.seed, "stores")
    let latency = dice.number(1...20_000)
    let isSlow = dice.happens(20)
    let hours = dice.pick([1, 24, 72, 400])
    let isKept = dice.happens(15)
    let titles = dice.pick([["Work"], ["Personal"], ["Work", "Personal"], ["Family"]])
    let isChosen = dice.happens(25)
    let isCounted = dice.happens(15)
    let count: Int64 = dice.pick([0, 1, 2, 5, 20, 60])
    return (
      isSlow ? .string("\(latency)ms") : nil, isKept ? .string("\(hours)h") : nil,
      isChosen ? .array(titles.map { JSONNode(.string($0)) }) : nil, isCounted ? .integer(count) : nil
    )
  }

  /// The key `voice`; often none.
  private var voice: JSONValue? {
    var dice = Dice(seed: days.seed, "voice")
    guard dice.happens(30) else { return nil }
    return .fields(["language": .string(dice.pick(InstalledVoice.Language.allCases).rawValue)])
  }

  /// The user tries voices.
  private func addVoices(_ day: Int, _ events: inout [Event]) {
    guard voice != nil else { return }
    var dice = Dice(seed: days.seed, "voices", day)
    for _ in 0..<dice.number(0...2) {
      let name: JSONValue? = dice.happens(25) ? nil : .string(dice.pick(InstalledVoice.Name.allCases).rawValue)
      events.append(Event(at: instant(day, &dice), fields: ["do": .string("chooseVoice"), "name": name]))
    }
  }

  /// Elements of `phone.ingestion.failures`.
  ///
  /// Permissions are often missing at the first start, before the user was asked.
  private var denials: [JSONNode] {
    var dice = Dice(seed: days.seed, "denials")
    return (0..<dice.count(days.draw.denials)).map { index in
      var own = Dice(seed: days.seed, "denial", index)
      let lateness = JSONValue.string("\(own.number(1...900))s")
      let what = dice.pick(["denied", "denied", "unavailable", "slow", "twice", "newFormat", "correct", "delete"])
      let type = dice.pick([nil, "sleep", "calories", "exercise", "mindfulness", "calendar", "reminders"])
      let drawn = dice.instant(.start...(.start + days.duration))
      let at = what == "denied" && dice.happens(30) ? .start : drawn
      return JSONNode(
        .fields([
          "do": .string(what), "type": type.map { .string($0) }, "at": DrawnDays.text(at),
          "for": DrawnDays.text(dice.span(.seconds(60)...(.hours(20)))), "by": what == "slow" ? lateness : nil,
        ]))
    }
  }

  private struct Event {
    var at: VirtualTime
    var fields: JSONFields
  }

  /// Elements of `phone.events`.
  private var events: [JSONNode] {
    events { day, events in
      addMeals(day, &events)
      addBackups(day, &events)
      addSyncs(day, &events)
      addEdits(day, "edits", &events)
      addLooks(day, &events)
      addChores(day, &events)
      addResults(day, &events)
      addSounds(day, &events)
      addVoices(day, &events)
      if day == 0 {
        addScores(&events)
        addPlans(&events)
        events += days.drawing.endsOnPhone.map { Event(at: $0, fields: ["do": .string("endWorkout")]) }
      }
    }
  }

  /// Events of all days, in the order of time.
  private func events(_ add: (Int, inout [Event]) -> Void) -> [JSONNode] {
    var events: [Event] = []
    for day in 0..<days.days { add(day, &events) }
    let sorted = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    return sorted.map { event in
      JSONNode(.object([JSONMember("at", DrawnDays.text(event.element.at))] + [JSONMember](event.element.fields)))
    }
  }

  /// An instant of a day; often near its midnight.
  private func instant(_ day: Int, _ dice: inout Dice) -> VirtualTime {
    let from = VirtualTime.start + .hours(Int64(day) * 24)
    let near = days.edges.filter { $0 >= from && $0 < from + .hours(24) }
    guard !near.isEmpty, dice.happens(25) else { return dice.instant(from...(from + .hours(24) + .milliseconds(-1))) }
    return max(.start, dice.pick(near) + .milliseconds(dice.number(-1_000...1_000)))
  }

  private func addMeals(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "meals", day)
    for number in 0..<dice.count(days.draw.meals) {
      let at = instant(day, &dice)
      let ago = dice.happens(60) ? VirtualTime.Span.zero : dice.span(.zero...(.hours(30)))
      events.append(
        Event(
          at: at,
          fields: [
            "do": .string("logMeal"), "name": .string("Meal \(day + 1).\(number + 1)"),
            "calories": .integer(dice.number(0...1_500)), "protein": .integer(dice.number(0...80)),
            "carbs": .integer(dice.number(0...150)), "fat": .integer(dice.number(0...60)),
            "ago": ago == .zero ? nil : DrawnDays.text(ago),
          ]))
      if dice.happens(20) {
        events.append(
          Event(at: at + dice.span(.milliseconds(1)...(.hours(2))), fields: ["do": .string("removeMeal")]))
      }
      if dice.happens(20) {
        let edited = at + dice.span(.milliseconds(1)...(.hours(2)))
        let calories = JSONValue.integer(dice.number(0...1_500))
        events.append(Event(at: edited, fields: correction(day * 100 + number, calories)))
      }
    }
  }

  /// A backup, and at times the loss of the phone after it.
  private func addBackups(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "backups", day)
    let at = instant(day, &dice)
    guard dice.happens(25) else { return }
    events.append(Event(at: at, fields: ["do": .string("backUp")]))
    guard dice.happens(40) else { return }
    let lost = at + dice.span(.seconds(1)...(.hours(20)))
    events.append(Event(at: lost, fields: ["do": .string("replacePhone")]))
  }

  /// What a meal is corrected to; more than its calories seldom.
  private func correction(_ number: Int, _ calories: JSONValue) -> JSONFields {
    var dice = Dice(seed: days.seed, "correction", number)
    let name = dice.happens(30) ? JSONValue.string("Corrected \(number)") : nil
    let grams = (0..<3).map { _ in dice.happens(30) ? JSONValue.integer(dice.number(0...150)) : nil }
    return [
      "do": .string("editMeal"), "calories": calories, "name": name, "protein": grams[0], "carbs": grams[1],
      "fat": grams[2],
    ]
  }

  private func addSyncs(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "syncs", day)
    for _ in 0..<dice.count(days.draw.syncs) {
      let what = dice.pick(["syncNow", "syncNow", "syncDaily", "refetchWeek", "purgeNow", "off"])
      let at = instant(day, &dice)
      guard what == "off" else {
        events.append(Event(at: at, fields: ["do": .string(what)]))
        continue
      }
      let type = dice.pick(["sleep", "calories", "exercise", "mindfulness", "calendar", "reminders"])
      for (at, on) in [(at, false), (at + dice.span(.seconds(60)...(.hours(10))), true)] {
        events.append(
          Event(at: at, fields: ["do": .string("setIngestion"), "type": .string(type), "on": .bool(on)]))
      }
    }
  }

  /// Looks at the list of runs.
  private func addLooks(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "looks", day)
    guard days.hasHealth, dice.happens(40) else { return }
    events.append(Event(at: instant(day, &dice), fields: ["do": .string("history")]))
  }

  /// What the user does in the app besides: keeps data longer or shorter, updates the app, writes to the assistant, ticks
  /// off tasks.
  private func addChores(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "chores", day)
    guard dice.happens(40) else { return }
    let at = instant(day, &dice)
    let type = dice.pick([nil, "sleep", "calories", "calendar"])
    switch dice.number(0...3) {
    case 0:
      let fields: JSONFields = [
        "do": .string("setRetention"), "type": type.map { .string($0) }, "keep": .string("\(dice.number(1...240))h"),
      ]
      events.append(Event(at: at, fields: fields))
    case 1: events.append(Event(at: at, fields: ["do": .string("updateParser")]))
    case 2: events.append(Event(at: at, fields: ["do": .string("writeChat"), "text": .string("My knee hurts.")]))
    default:
      let title = JSONValue.string("Task of day \(day + 1)")
      events.append(Event(at: at, fields: ["do": .string("addTask"), "title": title]))
      let done = at + dice.span(.seconds(1)...(.hours(4)))
      events.append(Event(at: done, fields: ["do": .string("completeTask"), "title": title]))
    }
  }

  /// Results of a competition that are entered by hand.
  private func addResults(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "results", day)
    let enteredAt = instant(day, &dice)
    let discipline = dice.pick(days.draw.disciplines)
    guard dice.happens(15) else { return }
    let fields: JSONFields = [
      "do": .string("enterResult"), "discipline": .string(discipline.rawValue),
      "result": .integer(dice.number(0...100)),
    ]
    events.append(Event(at: enteredAt, fields: fields))
  }

  /// What makes the coach silent: its user, another app, the search for the watch.
  private func addSounds(_ day: Int, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, "sounds", day)
    guard let start = days.drawing.moments.isEmpty ? nil : dice.pick(days.drawing.moments), dice.happens(30),
      start >= .start + .hours(Int64(day) * 24), start < .start + .hours(Int64(day) * 24 + 24)
    else { return }
    let at = start + dice.span(.zero...(.seconds(90)))
    let words = dice.pick([["mute", "unmute"], ["interrupt", "interruptionEnd"], ["findWatch"]])
    for (index, word) in words.enumerated() {
      let length = dice.span(.seconds(1)...(.seconds(120)))
      events.append(Event(at: index == 0 ? at : at + length, fields: ["do": .string(word)]))
    }
  }

  /// Scores of rides, entered while the phone's clock is wrong, and corrected when it is right again.
  private func addScores(_ events: inout [Event]) {
    for (index, clock) in days.wrongClocks.enumerated() where clock.node == "phone" {
      var dice = Dice(seed: days.seed, "scores", index)
      guard days.draw.edits.most > 0, dice.happens(70) else { continue }
      let over = clock.at + clock.length
      // Shortly before the clock is right again, and shortly after, or at any time.
      let first =
        dice.happens(50)
        ? over + .milliseconds(dice.number(-60_000...(-1))) : clock.at + dice.span(.zero...clock.length)
      let second = over + dice.span(.seconds(1)...(dice.happens(60) ? .seconds(120) : .hours(2)))
      for at in [first, second] where at < .start + days.duration {
        let score = JSONValue.plain(Double(dice.number(0...1_000)) / 10)
        events.append(Event(at: at, fields: ["do": .string("scoreRide"), "score": score]))
      }
    }
  }

  /// Workouts that are planned before they are run.
  private func addPlans(_ events: inout [Event]) {
    for (index, plan) in days.drawing.plans.enumerated() {
      events.append(
        Event(
          at: plan.at,
          fields: [
            "do": .string("planWorkout"), "discipline": .string(plan.discipline.rawValue),
            "name": .string("Plan \(index + 1)"),
            "intervals": .array(plan.intervals.enumerated().map { $0.element.planned($0.offset + 1) }),
          ]))
    }
  }

  private func addEdits(_ day: Int, _ stream: String, _ events: inout [Event]) {
    var dice = Dice(seed: days.seed, stream, day)
    for number in 0..<dice.count(days.draw.edits) {
      let discipline = JSONValue.string(dice.pick(days.draw.disciplines).rawValue)
      let score = JSONValue.integer(dice.number(0...10))
      let fields: JSONFields =
        switch dice.number(0...7) {
        case 0, 1:
          [
            "do": .string("correctShot"), "end": .integer(dice.number(1...3)), "shot": .integer(dice.number(1...3)),
            "score": score,
          ]
        case 2: ["do": .string("scoreRide"), "score": .plain(Double(dice.number(0...1_000)) / 10)]
        case 3: ["do": .string("addPhoto"), "file": .string("day-\(day + 1)-\(number).jpg")]
        case 4:
          [
            "do": .string("scanTarget"), "end": .integer(dice.number(1...3)),
            "file": .string("scan-\(day + 1)-\(number).png"),
          ]
        case 5: ["do": .string("recordWeather"), "discipline": discipline, "temperature": score]
        case 6: drill(stream, day * 100 + number, discipline, dice.number(0...100), dice.number(0...100))
        default: ["do": .string("removeSession"), "discipline": discipline]
        }
      events.append(Event(at: instant(day, &dice), fields: fields))
    }
  }

  /// An exercise; its other subscores and its sets seldom.
  private func drill(
    _ stream: String, _ number: Int, _ discipline: JSONValue, _ symmetry: Int64, _ reaction: Int64
  ) -> JSONFields {
    var dice = Dice(seed: days.seed, stream + ".drill", number)
    func score() -> JSONValue? { dice.happens(30) ? .plain(Double(dice.number(0...1_000)) / 10) : nil }
    let scores = (0..<5).map { _ in score() }
    let isShooting = discipline == .string(TrainingDiscipline.shooting.rawValue)
    let sets = (0..<dice.number(0...3)).map { _ in
      JSONNode(
        .fields([
          "duration": .string("\(dice.number(1...600))s"), "reps": .integer(dice.number(0...40)), "score": score(),
        ]))
    }
    let level = dice.happens(20) ? JSONValue.string("hard") : nil
    let notes = dice.happens(20) ? JSONValue.string("Left leg first.") : nil
    let (group, shots) = (JSONValue.integer(dice.number(5...80)), JSONValue.integer(dice.number(1...20)))
    return [
      "do": .string("logDrill"), "discipline": discipline, "drillType": .string("balance"),
      "difficultyLevel": level, "notes": notes, "symmetry": .integer(symmetry), "reaction": .integer(reaction),
      "stability": scores[0], "endurance": scores[1], "coordination": scores[2], "breathing": scores[3],
      "rhythm": scores[4], "averageGroupSize": isShooting ? group : nil, "shotCount": isShooting ? shots : nil,
      "sets": sets.isEmpty ? nil : .array(sets),
    ]
  }
}
