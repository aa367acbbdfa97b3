import CoachProtocol
import HealthSim
import Link
import WatchSim

/// A workout as its athlete does it: what the hand presses, and how the body moves.
///
/// The body is a motion source of its own, with the watch's seed: nothing here comes from the watch's app. As a watch
/// does, the athlete ends at the first whole second of the session at or past the planned end.
struct TrueWorkout {
  /// How it ended.
  enum Ending: String {
    case hand, body, phone, duration
  }

  /// From 1; 0 until the first movement.
  var number: Int64 = 0
  /// Whether the phone asked for it.
  let isAsked: Bool
  /// Whether only the hand ends it, as in an app, which may know of no planned end.
  let isByHand: Bool
  /// The first movement.
  let runsAt: VirtualTime
  private var source: AnyMotionSource
  private var nextSecond: VirtualTime
  /// Up to where time is accounted for.
  private var reached: VirtualTime
  private var isHeld = false
  private var isStanding = false
  private var stops: Int64 = 0
  private var sourceNanoseconds: Int64 = 0
  private var activeNanoseconds: Int64 = 0
  private var stepSixtieths: Int64 = 0
  /// The body that HealthKit's devices measure; nil for a motion that begins with the workout.
  private var body: BodyWay?
  /// Pauses of the hand, in milliseconds: at which time of the timer, and how long.
  private var pauses: [(timer: Int64, length: Int64)] = []
  private var heldAt = VirtualTime.start
  /// The last whole distances of a run, in active milliseconds, and the reading before: time and millimetres.
  private var splits: [Int64] = []
  private var before: (time: Int64, distance: Int64) = (0, 0)
  private let unit: LengthUnit

  init(
    _ source: AnyMotionSource, at beganAt: VirtualTime, preparing: VirtualTime.Span, isAsked: Bool,
    isByHand: Bool = false, body: BodyWay? = nil, unit: LengthUnit = .kilometres
  ) {
    self.source = source
    self.unit = unit
    self.body = body
    self.body?.begin(at: beganAt)
    self.isAsked = isAsked
    self.isByHand = isByHand
    runsAt = beganAt + preparing
    nextSecond = beganAt
    reached = runsAt
  }

  var discipline: TrainingDiscipline? { source.discipline }

  /// Whether the athlete moves, or pauses, and does not prepare any more.
  func hasBegun(at now: VirtualTime) -> Bool { now >= runsAt }

  /// Lets time pass up to an instant, included; returns the planned end if it was reached.
  mutating func advance(to now: VirtualTime) -> VirtualTime? {
    while nextSecond <= now {
      let at = nextSecond
      nextSecond = at + .seconds(1)
      guard at >= runsAt else { continue }
      move(to: at)
      guard !isHeld else { continue }
      if let body {
        if body.isStill, !isStanding { stops += 1 }
        isStanding = body.isStill
        continue
      }
      let motion = sample()
      if motion.isFinished, !isByHand { return at }
      passSplits(motion.distanceMillimetres)
      if motion.isPaused, !isStanding { stops += 1 }
      if !motion.isPaused { stepSixtieths += Int64(motion.cadence) }
      isStanding = motion.isPaused
    }
    return nil
  }

  /// What a press of pause or resume does.
  enum PressEffect {
    case nothing, changed
    /// The planned end was reached before it.
    case isOver
  }

  /// Presses pause or resume.
  mutating func press(pause: Bool, at now: VirtualTime) -> PressEffect {
    // At the instant of the first movement the press comes before it.
    guard number > 0, isHeld != pause else { return .nothing }
    move(to: now)
    if pause, !isByHand, sample().isFinished { return .isOver }
    isHeld = pause
    if pause { heldAt = now } else { addPause(to: now) }
    return .changed
  }

  private mutating func addPause(to now: VirtualTime) {
    pauses.append((sourceNanoseconds / 1_000_000, (now - heldAt).nanoseconds / 1_000_000))
  }

  /// Notes when whole kilometres or miles were run.
  private mutating func passSplits(_ distance: Int64) {
    let time = activeNanoseconds / 1_000_000
    while distance >= (Int64(splits.count) + 1) * unit.millimetres {
      let left = (Int64(splits.count) + 1) * unit.millimetres - before.distance
      let way = max(1, distance - before.distance)
      splits.append(before.time + (time - before.time) * left / way)
    }
    before = (time, distance)
  }

  /// What the parts show of the discipline's skill, in thousandths of 0 to 100; nil for too few to tell.
  private func skill(_ units: [SessionUnit]) -> Int64? {
    func share(_ part: Int64, of whole: Int64) -> Int64? { whole > 0 ? (100_000 * part + whole / 2) / whole : nil }
    func evenness(_ times: [Int64]) -> Int64? { times.count > 1 ? share(times.min() ?? 0, of: times.max() ?? 0) : nil }
    switch discipline {
    case .running: return evenness(zip(splits, [0] + splits).map { $0 - $1 })
    case .swimming: return evenness(units.filter { $0.kind == .split }.map { $0["duration"] })
    case .riding:
      // By the clock: a horse that stands in a pause stands on one rein.
      func clock(_ timer: Int64) -> Int64 { pauses.reduce(timer) { $0 + ($1.timer < timer ? $1.length : 0) } }
      let reins = units.filter { $0.kind == .rein }
      var lengths: [Int64: Int64] = [:]
      for rein in reins { lengths[rein["rein"], default: 0] += clock(rein["to"]) - clock(rein["from"]) }
      // The last one lasts to the end, also over pauses at the instant of the end.
      if let last = reins.last {
        lengths[last["rein"], default: 0] += pauses.reduce(0) { $0 + ($1.timer == last["to"] ? $1.length : 0) }
      }
      return share(lengths.count > 1 ? lengths.values.min() ?? 0 : 0, of: lengths.values.max() ?? 0)
    case .shooting:
      let shots = units.filter { $0.kind == .shot }
      return share(shots.reduce(0) { $0 + $1["score"] }, of: 10 * Int64(shots.count))
    case nil: return nil
    }
  }

  /// The line of its end.
  mutating func end(_ ending: Ending, at now: VirtualTime, startedAt: Int64) -> TrueWorkoutEnded {
    move(to: now)
    if isHeld { addPause(to: now) }
    let motion = sample()
    let units = source.units
    passSplits(motion.distanceMillimetres)
    var line = TrueWorkoutEnded()
    line.workout = number
    line.discipline = discipline?.rawValue
    line.by = ending.rawValue
    line.startedAt = startedAt &+ runsAt.nanoseconds
    line.endedAt = startedAt &+ now.nanoseconds
    line.active = activeNanoseconds / 1_000_000
    line.stops = stops
    line.distance = body?.millimetres ?? motion.distanceMillimetres
    line.energy = motion.energyDecikilocalories
    // On foot by the readings of the cadence; without any, by strides of 90 cm.
    let isOnFoot = discipline == .running || discipline == nil
    line.steps = isOnFoot ? (stepSixtieths > 0 ? stepSixtieths / 60 : motion.distanceMillimetres / 900) : 0
    switch discipline {
    case .running, nil: line.parts = (line.distance + 5) / unit.millimetres
    case .swimming: line.parts = Int64(units.count { $0.kind == .split })
    case .riding: line.parts = Int64(units.count { $0.kind == .gait })
    case .shooting:
      let shots = units.filter { $0.kind == .shot }
      line.parts = Int64(shots.count)
      line.score = shots.reduce(0) { $0 + $1["score"] }
    }
    line.skill = skill(units)
    return line
  }

  private mutating func move(to now: VirtualTime) {
    guard now > reached else { return }
    let passed = (now - reached).nanoseconds
    reached = now
    body?.move(to: now, counts: !isHeld)
    guard !isHeld else { return }
    sourceNanoseconds += passed
    if !isStanding { activeNanoseconds += passed }
  }

  private mutating func sample() -> MotionSample { source.advance(toMilliseconds: sourceNanoseconds / 1_000_000) }
}

/// The way of a run's body in one workout: what devices with HealthKit measure, whatever begins and ends it.
struct BodyWay {
  private var body: ScenarioBody
  /// The distances at a whole second and at the next, in millimetres.
  private var second: Int64 = -1
  private var low: Int64 = 0
  private var high: Int64 = 0
  private var last: Int64 = 0
  /// What counts so far.
  private(set) var millimetres: Int64 = 0
  /// Whether the body has not moved since the call before.
  private(set) var isStill = false

  init(_ body: ScenarioBody) { self.body = body }

  mutating func begin(at now: VirtualTime) { last = distance(at: now) }

  /// Moves to an instant, never decreasing.
  mutating func move(to now: VirtualTime, counts: Bool) {
    let distance = distance(at: now)
    isStill = distance == last
    if counts { millimetres += distance - last }
    last = distance
  }

  /// In proportion between two seconds.
  private mutating func distance(at now: VirtualTime) -> Int64 {
    let nanoseconds = (now - .start).nanoseconds
    let current = nanoseconds / 1_000_000_000
    if current != second {
      low = current == second + 1 ? high : body.reading(atSecond: current).distanceMillimetres
      high = body.reading(atSecond: current + 1).distanceMillimetres
      second = current
    }
    return low + (high - low) * (nanoseconds % 1_000_000_000) / 1_000_000_000
  }
}
