import CoachProtocol
import Link
import WatchSim

/// Knows what the athlete of a run really does, and writes it: the `truth` lines.
///
/// It sees what the hand presses, and moves the body by itself. Where only a device decides when the athlete begins or
/// ends (a workout that the phone asked for, one whose time came while the watch's app was down), it believes the
/// watch about the instant, and about nothing else.
struct TruthKeeper {
  /// A workout that the athlete plans.
  struct Planned {
    var at: VirtualTime
    /// Whether the watch starts it, and the phone does not ask for it.
    var startsItself: Bool
    var source: AnyMotionSource
    var preparing: VirtualTime.Span
    /// The body that apps measure with HealthKit, if they do.
    var body: BodyWay?
  }

  private let planned: [Planned]
  private let startedAt: Int64
  /// Whether a device may begin a workout that the watch did not plan.
  private let mayBeAsked: Bool
  /// The next planned workout.
  private var next = 0
  private var workout: TrueWorkout?
  private var count: Int64 = 0
  /// Whether a workout ever began.
  private var hasBegun = false
  /// Whether a planned start passed while the watch's app was down.
  private var hasMissed = false
  /// Whether an end was asked for on the phone since the workout began.
  private var isEndAsked = false
  /// The cause of a workout that the watch began at this instant.
  private var seen: String?
  /// Whether the phone took that workout back at the same instant, after it ran.
  private var isSeenOver = false
  private var lines: [any TraceEventKind] = []
  /// What acts of apps mean; nil with built-in devices.
  private let acts: AthleteActs?
  /// The rest of the athlete's days; nil where nothing reads it.
  private var days: TrueDays?
  /// In which the splits of a run are counted.
  private let unit: LengthUnit
  /// How many workouts acts have begun.
  private var begun = 0

  /// - Parameter unit: In which the splits of a run are counted.
  init(
    _ planned: [Planned], startedAt: Int64, mayBeAsked: Bool, unit: LengthUnit = .kilometres, acts: AthleteActs? = nil,
    days: TrueDays? = nil
  ) {
    self.planned = planned
    self.unit = unit
    self.startedAt = startedAt
    self.mayBeAsked = mayBeAsked
    self.acts = acts
    self.days = days
  }

  /// The lines since the last call.
  mutating func takeLines() -> [any TraceEventKind] {
    guard !lines.isEmpty else { return [] }
    defer { lines = [] }
    return lines
  }

  /// Lets time pass up to the instant before one: what is pressed at it comes first.
  ///
  /// What else of the day is over at it comes before, too.
  mutating func advance(before now: VirtualTime) {
    pass(to: VirtualTime(nanoseconds: now.nanoseconds - 1))
    guard let at = days?.nextAt, at <= now else { return }
    days?.advance(to: now)
    if let own = days?.takeLines() { lines += own }
  }

  /// Lets time pass up to an instant whose presses were seen, and begins what the athlete begins at it.
  mutating func advance(to now: VirtualTime, watchIsAwake: Bool) {
    while next < planned.count, planned[next].at <= now {
      let plan = planned[next]
      next += 1
      guard plan.startsItself else { continue }
      guard plan.at == now, watchIsAwake else {
        hasMissed = true
        continue
      }
      // Users cannot start a second workout.
      if workout == nil { begin(plan, at: now, isAsked: false) }
    }
    if let cause = seen {
      seen = nil
      let isExplained = hasMissed || (mayBeAsked && cause == "command")
      if workout == nil, isExplained, let plan = planned.last(where: { $0.at <= now }) ?? planned.first {
        begin(plan, at: now, isAsked: cause == "command")
        if cause != "command" { hasMissed = false }
      }
    }
    pass(to: now)
    if isSeenOver {
      isSeenOver = false
      end(.phone, at: now)
    }
  }

  /// The user presses something on a device whose app takes it.
  mutating func press(_ command: NodeCommand, on role: NodeRole, at now: VirtualTime) {
    switch (role, command.name) {
    case (.watch, Scenario.TimedCommand.start):
      guard workout == nil, let plan = planned.last(where: { $0.at <= now }) else { return }
      begin(plan, at: now, isAsked: false)
    case (.watch, "pause"):
      switch workout?.press(pause: true, at: now) {
      case .changed: lines.append(TrueWorkoutPaused(count))
      case .isOver: end(.body, at: now)
      case .nothing, nil: break
      }
    case (.watch, "resume"):
      if workout?.press(pause: false, at: now) == .changed { lines.append(TrueWorkoutResumed(count)) }
    case (.watch, "end"):
      let isOver = command.argument("cause") == .string("duration")
      // At the end of the scenario no further workout starts.
      if isOver {
        next = planned.count
      } else if !hasBegun, next == 0, planned.first?.startsItself == true {
        // Pressed before the first workout, it takes back that start; later ones are other plans.
        next = 1
      }
      end(isOver ? .duration : .hand, at: now)
    case (.phone, "endWorkout"): isEndAsked = true
    case (.phone, "scoreRide"), (.phone, "correctShot"):
      var line = TrueScored()
      switch command.argument("score") {
      case .integer(let score)?: line.score = score * 1_000
      case .number(let score)?: line.score = Int64((score * 1_000).rounded())
      default: return
      }
      line.discipline = command.name == "scoreRide" ? "riding" : "shooting"
      if line.discipline == "shooting" { line.score /= 1_000 }
      lines.append(line)
    case (.phone, "logMeal"), (.phone, "editMeal"), (.phone, "removeMeal"), (.phone, "backUp"),
      (.phone, "replacePhone"):
      days?.press(command, at: now)
      if let own = days?.takeLines() { lines += own }
    default: break
    }
  }

  /// Reads a line of the watch, or of an app on either device.
  mutating func observe(_ event: TraceEvent) {
    guard event.place == .watch || (acts != nil && event.place == .phone) else { return }
    if let acts {
      guard event.name == AppActTaken.name, let name = event["do"]?.text, let meaning = acts.meaning(of: name) else {
        return
      }
      return act(meaning, at: event.time)
    }
    guard case .workoutState(let state) = event.body else { return }
    if state.from == nil {
      (seen, isSeenOver) = (state.cause, false)
    } else if seen != nil, state.to == "ended" {
      // What the phone asks for and takes back in one instant never was a workout, unless the athlete set out.
      if state.from == "preparing" { seen = nil } else { isSeenOver = true }
    } else if state.to == "ended", state.cause == "command", let workout, workout.isAsked || isEndAsked {
      end(.phone, at: event.time)
    }
  }

  /// The user of an app begins, pauses, continues or ends a workout.
  private mutating func act(_ meaning: AthleteActs.Meaning, at now: VirtualTime) {
    switch meaning {
    case .begin:
      guard workout == nil, let plan = planned.indices.contains(begun) ? planned[begun] : planned.last else { return }
      begun += 1
      workout = TrueWorkout(
        plan.source, at: now, preparing: .zero, isAsked: false, isByHand: true, body: plan.body, unit: unit)
      pass(to: now)
    case .pause: if workout?.press(pause: true, at: now) == .changed { lines.append(TrueWorkoutPaused(count)) }
    case .resume: if workout?.press(pause: false, at: now) == .changed { lines.append(TrueWorkoutResumed(count)) }
    case .end: end(.hand, at: now)
    }
  }

  // MARK: Workouts

  private mutating func begin(_ plan: Planned, at now: VirtualTime, isAsked: Bool) {
    hasBegun = true
    workout = TrueWorkout(plan.source, at: now, preparing: plan.preparing, isAsked: isAsked, unit: unit)
    isEndAsked = false
  }

  private mutating func pass(to now: VirtualTime) {
    guard let current = workout, current.hasBegun(at: now) else { return }
    if current.number == 0 {
      count += 1
      workout?.number = count
      var line = TrueWorkoutBegan()
      (line.workout, line.discipline) = (count, current.discipline?.rawValue)
      line.startedAt = startedAt &+ current.runsAt.nanoseconds
      lines.append(line)
    }
    if let over = workout?.advance(to: now) { end(.body, at: over) }
  }

  private mutating func end(_ ending: TrueWorkout.Ending, at now: VirtualTime) {
    guard var over = workout else { return }
    workout = nil
    // One that ends while it prepares is none.
    if over.number > 0 { lines.append(over.end(ending, at: now, startedAt: startedAt)) }
  }
}

extension TrueWorkoutPaused {
  fileprivate init(_ workout: Int64) {
    self.init()
    self.workout = workout
  }
}

extension TrueWorkoutResumed {
  fileprivate init(_ workout: Int64) {
    self.init()
    self.workout = workout
  }
}

/// What the athlete of a run does, and its lines.
extension Exchange {
  /// Lets time pass for the athlete, up to what is pressed at this instant.
  mutating func advanceTruthBeforePresses() {
    let now = log.now
    truth?.advance(before: now)
    writeTruth()
  }

  /// Lets the athlete press something on a device whose app takes it.
  mutating func pressInTruth(_ command: NodeCommand, on role: NodeRole) {
    let now = log.now
    truth?.press(command, on: role, at: now)
    writeTruth()
  }

  /// Lets the athlete see a line of a device; what follows is written before it.
  mutating func observeTruth(_ event: TraceEvent) {
    truth?.observe(event)
    writeTruth()
  }

  /// Lets the athlete begin and end what is due at this instant.
  mutating func advanceTruth() {
    let now = log.now
    truth?.advance(to: now, watchIsAwake: devices.contains { $0.role == .watch && $0.status.activity == .awake })
    writeTruth()
  }

  /// Writes what the athlete did, if anything; here and above, comparing the keeper with nil would copy it.
  private mutating func writeTruth() {
    guard let lines = truth?.takeLines() else { return }
    for line in lines { log.sink.emit(TraceEvent(line, at: log.now, on: .runner)) }
  }
}
