import CoachProtocol
import CoachReference
package import Link

/// `truth-days`: the measures of a day are what its athlete did.
package struct TruthDaysChecker: ChecksDays {
  package static let invariant = "truth-days"
  package static let about =
    "The measures of a day that was over when it was fetched are what the athlete did, each thing once and on its local day; an app that was on for one sync after a day has fetched it, and its history. Not judged where a store changed or failed."

  private struct Key: Hashable {
    var type: String
    var day: String
  }

  /// What the store answered last for a type and a day.
  private struct Reading {
    var raw: String
    var time: VirtualTime
    var lines: [Int]
    /// Whether the day was over, and nothing was changed or on its way.
    var isSettled: Bool
    /// The measures as JSON; nil until it is parsed.
    var measures: JSONNode?
  }

  var truth: ReferenceDays
  var conditions: TruthConditions
  /// From one sync to the next; nil if it is not known, or nothing is ingested.
  private let every: VirtualTime.Span?
  private var readings: [Key: Reading] = [:]
  /// Types that were off, or did not parse, at some time.
  private var irregular: Set<String> = []
  private var reported: Set<Key> = []
  /// The days before the run that its first sync wants, by number, and which of them were staged, by type.
  private var history: ClosedRange<Int64>?
  private var staged: [String: Set<Int64>] = [:]
  private let header: TraceHeader
  /// The line of the app's first start; nil before.
  private var beganLine: Int?

  package init(header: TraceHeader) {
    self.header = header
    conditions = TruthConditions(header: header)
    truth = ReferenceDays(header: header)
    let setup = header.extra("phone")?["ingestion"]
    // In the morning and in the evening; a traveller to the west may already have synchronised at that local hour.
    let wait = VirtualTime.Span.hours(36) + .seconds(Int64(header.secondsSetBack))
    every = setup == nil ? nil : TruthConditions.span(setup?["every"]) ?? wait
    guard setup != nil, let start = TraceHeader.unixStart(header.startedAt) else { return }
    let today = LocalDay(clock: start, offset: Int64(header.utcOffset(at: .start))).number
    history = today - min(400, max(0, setup?["history"]?.integer ?? 7))...today
  }

  package mutating func ingestionBegan(_ began: IngestionBegan, at event: Occurrence, into report: inout Report) {
    if beganLine == nil, let wanted = history {
      // The first sync is made at the first start, which may be on a later day.
      let late = max(0, day(at: event.time) - wanted.upperBound)
      history = wanted.lowerBound + late...wanted.upperBound + late
    }
    beganLine = beganLine ?? event.line
    // A store of an earlier run has its days already.
    if began.rows > 0, readings.isEmpty { history = nil }
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    if let day = LocalDay(text: staged.day)?.number, history?.contains(day) == true {
      self.staged[staged.type, default: []].insert(day)
    }
    let key = Key(type: staged.type, day: staged.day)
    var reading = Reading(
      raw: staged.raw, time: event.time, lines: [event.line], isSettled: isSettled(key, at: event.time), measures: nil)
    // The same JSON is not parsed again.
    if staged.row == "same", let known = readings[key], known.raw == staged.raw {
      (reading.measures, reading.lines) = (known.measures, known.lines + [event.line])
    }
    readings[key] = reading
    judge(key, at: event.time, &report)
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    let key = Key(type: parsed.type, day: parsed.day)
    guard readings[key]?.raw == parsed.raw else { return }
    readings[key]?.measures = try? JSONParser.parse(parsed.measures.text, dialect: .json)
    readings[key]?.lines.append(event.line)
    judge(key, at: event.time, &report)
  }

  package mutating func ingestionFailed(_ failed: IngestionFailed, at event: Occurrence, into report: inout Report) {
    irregular.insert(failed.type)
  }

  package mutating func ingestionSwitched(
    _ switched: IngestionSwitched, at event: Occurrence, into report: inout Report
  ) {
    irregular.insert(switched.type)
  }

  package mutating func trueDay(_ day: TrueDay, at event: Occurrence, into report: inout Report) {
    truth.observe(day, at: event)
    guard readings.count > 2_000 else { return }
    let days = Set(truth.over.map(\.day))
    readings = readings.filter { days.contains($0.key.day) }
  }

  private func isSettled(_ key: Key, at now: VirtualTime) -> Bool {
    guard truth.line(key.type, of: key.day) != nil, !conditions.isChanged(key.type, at: now) else { return false }
    guard key.type == "calories" || key.type == "exercise" else { return true }
    let clock = (TraceHeader.unixStart(header.startedAt) ?? 0) &+ now.nanoseconds
    guard truth.hasWalked(key.day, at: clock / 1_000_000_000) else { return false }
    return conditions.knowsWorkouts(of: truth, until: key.day, at: now, for: .seconds(60)) && !conditions.isUnknown
  }

  private mutating func judge(_ key: Key, at now: VirtualTime, _ report: inout Report) {
    guard let reading = readings[key], reading.isSettled, let measures = reading.measures, !reported.contains(key),
      let expected = truth.measures(key.type, of: key.day),
      let truthLine = truth.line(key.type, of: key.day)
    else { return }
    var stated: [String: Double] = [:]
    if case .object(let members) = measures.value {
      for member in members { stated[member.key] = member.node.double ?? .nan }
    }
    for name in Set(stated.keys).union(expected.keys).sorted() {
      let (found, value) = (stated[name], expected[name])
      if let found, let value, value.allows(found) { continue }
      reported.insert(key)
      report.add(
        "the \(name) of \(key.day) are \(Self.text(found)), and they were \(Self.text(value?.number))", at: now,
        lines: ([truthLine] + reading.lines).sorted())
      return
    }
  }

  private static func text(_ value: Double?) -> String {
    guard let value else { return "missing" }
    let rounded = (value * 100).rounded() / 100
    return JSONValue.plain(rounded.isFinite ? rounded : 0).compactText
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, let every, !conditions.hasWrongClock, conditions.isPhoneUp else { return }
    if !conditions.isLost, conditions.fullDisks.count == 0 { judgeHistory(ending, every, &report) }
    guard !conditions.isUnknown else { return }
    for (day, line, at) in truth.over {
      // By then the app has synchronised, however slow the stores are.
      guard max(at, conditions.phoneChange) + every + .hours(2) < ending.time else { continue }
      let number = LocalDay(text: day)?.number ?? .min
      for type in ["calories", "exercise", "mindfulness", "calendar", "reminders"]
      where !irregular.contains(type) && !conditions.mayFail(type, since: at) {
        // The app wants no day before its history.
        if let first = history?.lowerBound, number < first + passed(type, every) { continue }
        let reading = readings[Key(type: type, day: day)]
        // A workout may reach the phone long after its day.
        let known = type == "calories" || type == "exercise" ? workoutsKnown(day, every, ending) ?? at : at
        guard reading.map({ $0.time < max(at, known) }) ?? true else { continue }
        let isLate = reading.map { $0.time >= at } ?? false
        let what = isLate ? "its workouts reached the phone" : "the day was over"
        report.add("the type \(type) of \(day) was not fetched since \(what)", at: ending.time, lines: [line])
      }
    }
  }

  /// When all workouts of a day were on the phone; nil if they came too late to be fetched, or it is not known.
  private func workoutsKnown(_ day: String, _ every: VirtualTime.Span, _ ending: TraceEnding) -> VirtualTime? {
    // A workout counts on the day on which it began, however long it lasts.
    let known = truth.hasWorkout(on: day) ? conditions.workoutsKnown(of: truth, until: day) : nil
    guard let known, !conditions.hasWrongWatchClock, known + every + .hours(2) < ending.time else { return nil }
    return known
  }

  /// The number of the local day of an instant.
  private func day(at time: VirtualTime) -> Int64 {
    let start = TraceHeader.unixStart(header.startedAt) ?? 0
    return LocalDay(clock: start &+ time.nanoseconds, offset: Int64(header.utcOffset(at: time))).number
  }

  /// Whether the athlete lived through a day: a flight across the date line can skip a night's, from noon to noon, and a
  /// place that changed its side of that line has skipped a whole one.
  private func occurs(_ day: Int64, _ type: String, until end: VirtualTime) -> Bool {
    guard let start = TraceHeader.unixStart(header.startedAt) else { return true }
    let hours = min(max(0, end.nanoseconds / 3_600_000_000_000), 24 * 400)
    let first = ((history?.lowerBound ?? day) - self.day(at: .start) - 2) * 24
    return (min(first, 0)...hours).contains { hour in
      let time = VirtualTime.start + .hours(hour)
      let begin = Int64(header.utcOffset(at: time)) - (type == "sleep" ? 43_200 : 0)
      return LocalDay(clock: start &+ time.nanoseconds, offset: begin).number == day
    }
  }

  /// How many days after the first sync the first one may come that may read a type: it wants as many days, back from its
  /// own, and may be one interval after the refusal.
  private func passed(_ type: String, _ every: VirtualTime.Span) -> Int64 {
    guard let history, let failure = conditions.lastFailure(of: type) else { return 0 }
    return max(0, min(day(at: failure + every) - history.upperBound, 1_000))
  }

  private func judgeHistory(_ ending: TraceEnding, _ every: VirtualTime.Span, _ report: inout Report) {
    let calm = every + .hours(3)
    let change = max(conditions.phoneChange, conditions.fullDisks.changedAt ?? .start)
    guard truth.isTold, let history, change + calm < ending.time else { return }
    for type in ["sleep", "calories", "exercise", "mindfulness", "calendar", "reminders"]
    where !irregular.contains(type) {
      let since = VirtualTime(nanoseconds: ending.time.nanoseconds -| calm.nanoseconds)
      guard !conditions.mayFail(type, since: since) else { continue }
      let wanted = history.dropFirst(Int(passed(type, every)))
      let missing = wanted.first { staged[type]?.contains($0) != true && occurs($0, type, until: ending.time) }
      guard let missing else { continue }
      report.add(
        "the type \(type) of \(LocalDay(missing).text) was never fetched, and the first sync wants it",
        at: ending.time, lines: [beganLine, ending.line].compactMap(\.self))
    }
  }
}
