import CoachProtocol
import CoachReference
import Link

/// What says whether an app can know the truth: clocks, deaths, lost stores, and what the scenario's stores do.
struct TruthConditions: Sendable {
  /// A time in which a store fails or changes.
  private struct Failure {
    var effect: String
    /// Nil for all types.
    var type: String?
    var from: VirtualTime
    /// Nil for the end of the run.
    var to: VirtualTime?
  }

  private let failures: [Failure]
  /// How long a workout takes to the phone's health store.
  private let syncLag: VirtualTime.Span
  private(set) var hasWrongClock = false
  private(set) var hasWrongWatchClock = false
  /// Whether the app lost what it had, could not store it, or is not the only one that tracks.
  var isUnknown: Bool { isLost || fullDisks.changedAt != nil }
  /// The same but for a full disk, after which the app fetches what it could not store.
  private(set) var isLost = false
  /// How many faults fill a disk now, and when that last changed, if ever.
  private(set) var fullDisks = (count: 0, changedAt: VirtualTime?.none)
  /// When the watch saved each workout.
  private var saved: [VirtualTime] = []
  private(set) var isPhoneUp = true
  /// When the phone's app started or ended last, or slept or woke.
  private(set) var phoneChange = VirtualTime.start
  /// When the athlete last did something that an app may have lost with its process.
  private var actedAt: VirtualTime?

  init(header: TraceHeader) {
    let setup = header.extra("phone")?["ingestion"]
    var failures: [Failure] = []
    if case .array(let elements)? = setup?["failures"]?.value {
      failures = elements.map { element in
        let from = VirtualTime.start + (Self.span(element["at"]) ?? .zero)
        return Failure(
          effect: element["do"]?.text ?? "", type: element["type"]?.text, from: from,
          to: Self.span(element["for"]).map { from + $0 })
      }
    }
    self.failures = failures
    // A header has nanoseconds; what reads the store without the key has the usual lag.
    let lag = header.extra("health")?["syncLag"]?.integer
    syncLag = lag.map { min(.init(nanoseconds: max(0, $0)), Self.spanMax) } ?? .seconds(30)
    if let commands = header.extra("phone")?["events"], case .array(let elements) = commands.value {
      isLost = elements.contains { $0["do"]?.text == "wipe" }
    }
  }

  /// Ten years, so that sums stay in range.
  private static let spanMax = VirtualTime.Span.hours(87_600)

  /// A duration as a header has it: a text, or a number of seconds.
  static func span(_ node: JSONNode?) -> VirtualTime.Span? {
    if let text = node?.text { return (try? DurationText.parse(text)).map { min(max(.zero, $0), spanMax) } }
    return node?.double.map { .milliseconds(Int64(min(max(0, $0), 300_000_000) * 1_000)) }
  }

  mutating func observe(_ fault: FaultBegan, at event: Occurrence) {
    switch fault.kind {
    case "clockSkew":
      if JSONNode.names("watch", in: fault.params.text) { hasWrongWatchClock = true }
      if JSONNode.names("phone", in: fault.params.text) { hasWrongClock = true }
    case "reboot": if fault.params.text.contains("\"power\":true") { isLost = true }
    case "diskFull": fullDisks = (fullDisks.count + 1, event.time)
    default: break
    }
  }

  mutating func observe(_ fault: FaultEnded, at event: Occurrence) {
    if fault.kind == "diskFull" { fullDisks = (fullDisks.count - 1, event.time) }
  }

  /// Follows a workout that the watch saved.
  mutating func observeSaving(at event: Occurrence) { saved.append(event.time) }

  /// Follows a second tracker, beside which no truth is known.
  mutating func observeTracker() { isLost = true }

  /// Follows something that the athlete did.
  mutating func observeAct(at event: Occurrence) { actedAt = event.time }

  mutating func observe(_ change: NodeChange, at event: Occurrence) {
    if let isUp = change.isUp(.phone) {
      (isPhoneUp, phoneChange) = (isUp, event.time)
      // A press at the instant of a death may not have been taken.
      if !isUp, actedAt == event.time { isLost = true }
    }
    if change.isUp(.watch) == false, actedAt == event.time { isLost = true }
  }

  /// Whether what the workouts up to the end of a day measured has been in the phone's health store for a time.
  func knowsWorkouts(
    of truth: ReferenceDays, until day: String, at now: VirtualTime, for time: VirtualTime.Span
  ) -> Bool {
    guard !hasWrongWatchClock, phoneChange + time < now else { return false }
    let count = truth.workoutCount(until: day)
    guard count > 0 else { return true }
    return truth.ended >= count && saved.count >= count && saved[count - 1] + syncLag + time < now
  }

  /// Whether a type's store fails in a way now.
  func isOn(_ effect: String, _ type: String, at now: VirtualTime) -> Bool {
    failures.contains { failure in
      failure.effect == effect && (failure.type ?? type) == type && failure.from <= now
        && (failure.to.map { now < $0 } ?? true)
    }
  }

  /// When the phone has had, since the workouts up to the end of a day were saved, all of them; nil if it has not.
  func workoutsKnown(of truth: ReferenceDays, until day: String) -> VirtualTime? {
    let count = truth.workoutCount(until: day)
    return count > 0 && truth.ended >= count && saved.count >= count ? saved[count - 1] + syncLag : nil
  }

  /// Whether samples of a type are not those that were measured.
  func isChanged(_ type: String, at now: VirtualTime) -> Bool {
    failures.contains { failure in
      ["correct", "delete"].contains(failure.effect) && (failure.type ?? type) == type && failure.from <= now
        && (failure.to.map { now <= $0 } ?? true)
    }
  }

  /// Whether samples of a type are not those that were measured, at some time.
  func mayChange(_ type: String) -> Bool {
    failures.contains { ["correct", "delete"].contains($0.effect) && ($0.type ?? type) == type }
  }

  /// Whether a type's samples changed between two instants, or a change ended.
  func isChanging(_ type: String, from: VirtualTime, to now: VirtualTime) -> Bool {
    failures.contains { failure in
      ["correct", "delete"].contains(failure.effect) && (failure.type ?? type) == type
        && [failure.from, failure.to].contains { $0.map { from <= $0 && $0 <= now } ?? false }
    }
  }

  /// When a type's store has kept something back for the last time; nil if it never did.
  func lastFailure(of type: String) -> VirtualTime? {
    failures.filter { !["slow", "twice"].contains($0.effect) && ($0.type ?? type) == type }.compactMap(\.to).max()
  }

  /// Whether a type's store may have kept something back at some time.
  func mayFail(_ type: String, since from: VirtualTime) -> Bool {
    failures.contains { failure in
      !["slow", "twice"].contains(failure.effect) && (failure.type ?? type) == type
        && (failure.to.map { $0 + .hours(1) >= from } ?? true)
    }
  }
}

/// A checker that knows the conditions of an app.
protocol ChecksConditions: Checker {
  var conditions: TruthConditions { get set }
}

extension ChecksConditions {
  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    conditions.observe(change, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    conditions.observe(fault, at: event)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    conditions.observe(fault, at: event)
  }

  package mutating func healthSaved(_: HealthSaved, at event: Occurrence, into report: inout Report) {
    conditions.observeSaving(at: event)
  }

  package mutating func trackerStarted(_: TrackerStarted, at event: Occurrence, into report: inout Report) {
    conditions.observeTracker()
  }
}

/// A checker that follows the athlete's days, and knows the conditions of the app that should.
protocol ChecksDays: ChecksConditions {
  var truth: ReferenceDays { get set }
}

extension ChecksDays {
  package mutating func trueWorkoutBegan(_ workout: TrueWorkoutBegan, at event: Occurrence, into report: inout Report) {
    truth.observe(workout)
  }

  package mutating func trueWorkoutEnded(_ workout: TrueWorkoutEnded, at event: Occurrence, into report: inout Report) {
    truth.observe(workout)
    conditions.observeAct(at: event)
  }

  package mutating func trueNight(_ night: TrueNight, at event: Occurrence, into report: inout Report) {
    truth.observe(night, at: event)
  }

  package mutating func trueMeal(_ meal: TrueMeal, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
  }

  package mutating func trueMealRemoved(_ meal: TrueMealRemoved, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
  }

  package mutating func trueAppointment(_ entry: TrueAppointment, at event: Occurrence, into report: inout Report) {
    truth.observe(entry)
  }

  package mutating func trueReminder(_ task: TrueReminder, at event: Occurrence, into report: inout Report) {
    truth.observe(task)
  }

  package mutating func trueDay(_ day: TrueDay, at event: Occurrence, into report: inout Report) {
    truth.observe(day, at: event)
  }
}
