import CoachProtocol
package import Link

/// Follows a run through the phone's lines and computes, at each fresh snapshot, which lines are due.
///
/// The position in the script (spoken, expired and skipped lines) comes from the trace, so that a wrong decision is
/// reported once, and not again with every later decision. The right decisions are computed here, from the
/// specification and independently of the engine.
///
/// A snapshot is judged when the phone has finished with it: the resulting change of belief follows on a later line.
package struct ReferenceRun: Sendable {
  /// The least time between two dispatches of a run.
  package static let window = VirtualTime.Span.seconds(30)

  package private(set) var script: ReferenceScript?
  /// The text of the last loaded script; nil before the first.
  private var loadedText: String?
  /// A script that was parsed ahead of its loading, and its text; nil if none is expected.
  private var expected: (text: String, script: ReferenceScript?)?
  /// A rule for each message of the script, in its order.
  package private(set) var rules: [Rule] = []
  package private(set) var belief = ReferenceBelief()
  private(set) var activeBranch: String?
  /// The time of the last dispatch in this run, replies included.
  package private(set) var lastDispatch: VirtualTime?
  private(set) var lastDispatchLine = 0
  /// The last received snapshot; nil before the first.
  package var snapshot: ReferenceSnapshot? { hasSnapshot ? latest : nil }
  /// When it was received.
  @inline(__always) package var snapshotTime: VirtualTime? { hasSnapshot ? latest.time : nil }
  /// The last received snapshot; a placeholder before the first.
  ///
  /// Not optional, so that it can be read in place every second.
  package private(set) var latest = ReferenceSnapshot.none
  private var hasSnapshot = false
  /// Whether the last received snapshot changed the phone's belief.
  package private(set) var changedState = false
  /// Ids of the active disk-full faults of the phone.
  package private(set) var fullDisks: Set<String> = []

  private let plannedDistance: Double?
  private let plannedTime: Double?
  /// Seconds per kilometre of the first and of the second half of the planned distance; NaN without distance and time.
  private let targetPaces: (first: Double, second: Double)
  private let heartRateMaximum: Double
  private var clock: ReferenceClock
  /// All expressions concatenated, and the offset of each.
  private(set) var program: [ReferenceExpression.Step] = []
  private(set) var expressions: [Range<Int>] = []
  private(set) var graceMeters = 150.0
  private(set) var graceSeconds = 45.0
  private var variables: UInt16 = 0
  /// By slot.
  var standings: [Standing] = []
  /// The rules that may be due or expired at a snapshot; nil until computed.
  var watched: WatchedRules?
  /// Whether two messages share an id, which the phone never accepts; then every rule is evaluated each time.
  private(set) var sharesSlots = false
  /// The index in ``standings`` of each known message id.
  private var slots: [String: Int] = [:]
  private var track = SnapshotTrack()
  /// Whether expressions may be evaluated; otherwise only time and distance of a snapshot are read.
  private var readsAll = true
  /// Whether scripts may arrive during a run: from an edge, or from a user's program that plays the phone.
  private let mayGetScripts: Bool
  private(set) var maxDistance = 0.0
  private(set) var maxElapsed = 0.0
  private var isAbsorbed = true
  /// Scratch memory, as long as the program.
  var stack: [Double] = []
  private(set) var values = [Double](repeating: .nan, count: ReferenceExpression.Variable.allCases.count)

  package init(header: TraceHeader) {
    plannedDistance = header.plan["distance"]?.double
    plannedTime = header.plan["time"]?.seconds
    var pace = Double.nan
    if let plannedDistance, let plannedTime { pace = plannedTime / (plannedDistance / 1000) }
    targetPaces =
      switch header.plan["pacing"]?.text {
      case "negative": (pace * 1.02, pace * 0.98)
      case "positive": (pace * 0.98, pace * 1.02)
      default: (pace, pace)
      }
    heartRateMaximum = header.memory["hr.max"]?.double ?? 190
    clock = ReferenceClock(header: header)
    mayGetScripts = header.extra("edge") != nil || header.extra("programs") != nil
    load(ReferenceScript(header.script))
    if let text = header.expectedScript, let node = try? JSONParser.parse(text, dialect: .json) {
      expected = (text, ReferenceScript(node))
    }
  }

  /// Observes an event; ignores those that have no method below.
  package mutating func observe(_ event: EventBody, at place: Occurrence) {
    switch event {
    case .snapshotFresh(let snapshot): observe(snapshot, at: place)
    case .runState(let run): observe(run, at: place)
    case .scriptLoaded(let loaded): observe(loaded, at: place)
    case .scriptDispatch(let dispatch): observe(dispatch, at: place)
    case .scriptExpired(let expired): observe(expired, at: place)
    case .scriptSkipped(let skipped): observe(skipped, at: place)
    case .faultBegin(let fault): observe(fault, at: place)
    case .faultEnd(let fault): observe(fault, at: place)
    default: break
    }
  }

  package mutating func observe(_ snapshot: SnapshotFresh, at event: Occurrence) {
    absorb()
    latest.read(snapshot.metrics, at: event.time, line: event.line, readsAll: readsAll)
    hasSnapshot = true
    changedState = false
    isAbsorbed = false
  }

  package mutating func observe(_ run: RunStateChanged, at event: Occurrence) {
    // A separate message, not the snapshot's: the snapshot was evaluated before it.
    if run.cause != "snapshot" || event.time != snapshotTime { absorb() } else { changedState = true }
    if belief.observe(run) { beginRun() }
  }

  package mutating func observe(_ loaded: ScriptLoaded, at event: Occurrence) { observeLoaded(loaded.script.text) }

  package mutating func observe(_ dispatch: ScriptDispatched, at event: Occurrence) {
    observeDispatch(dispatch.rank, at: event.time, event.line)
  }

  package mutating func observe(_ expired: ScriptExpired, at event: Occurrence) {
    guard !expired.rank.isReply else { return }
    let slot = slot(of: expired.rank.message)
    if let multiple = expired.rank.multiple { return settle(slot, multiple: multiple) }
    standings[slot].isOver = true
    watched = nil
  }

  package mutating func observe(_ skipped: ScriptSkipped, at event: Occurrence) {
    settle(slot(of: skipped.message), multiple: skipped.last)
  }

  package mutating func observe(_ fault: FaultBegan, at event: Occurrence) {
    clock.observeBegin(of: fault, at: event.time)
    if fault.kind == "diskFull", JSONNode.names("phone", in: fault.params.text) { fullDisks.insert(fault.fault) }
  }

  package mutating func observe(_ fault: FaultEnded, at event: Occurrence) {
    clock.observeEnd(of: fault)
    if fault.kind == "diskFull" { fullDisks.remove(fault.fault) }
  }

  private mutating func observeLoaded(_ text: String) {
    // A restarted phone loads the script that it had.
    guard text != loadedText else { return }
    if let expected, expected.text == text {
      load(expected.script)
    } else if let node = try? JSONParser.parse(text, dialect: .json) {
      load(ReferenceScript(node))
    } else {
      return
    }
    loadedText = text
  }

  /// Counts the last received snapshot as part of the run, so that its decisions can be judged.
  package mutating func absorb() {
    guard !isAbsorbed, hasSnapshot else { return }
    isAbsorbed = true
    guard latest.workout == belief.workout, !belief.isOwn else { return }
    if readsAll { track.append(elapsed: latest.elapsed, distance: latest.distance) }
    guard belief.isRunning else { return }
    maxDistance = max(maxDistance, latest.distance)
    maxElapsed = max(maxElapsed, latest.elapsed)
  }

  // What follows is mutating where every snapshot asks for it: for anything else, another module copies the whole run.

  /// Whether the last received snapshot is on this line.
  @inline(__always)
  package mutating func isSnapshot(on line: Int) -> Bool { hasSnapshot && latest.line == line }

  /// Whether the script is evaluated at the last received snapshot.
  @inline(__always)
  package var isJudged: Bool {
    mutating get { hasSnapshot && belief.isRunning && latest.workout == belief.workout && !belief.isOwn }
  }

  /// The run's record of a rule's message.
  @inline(__always)
  package func standing(of rule: Rule) -> Standing { standings[rule.slot] }

  /// Sets the due stretch of a rule.
  @inline(__always)
  package mutating func setDue(_ rule: Rule, since: Int?, multiple: Int64) {
    standings[rule.slot].dueSince = since
    standings[rule.slot].dueMultiple = multiple
  }

  /// Marks a message whose expected decision is missing, so that this is reported only once.
  package mutating func giveUp(_ rule: Rule, multiple: Int64) {
    watched = nil
    if multiple > 0 { settle(rule.slot, multiple: multiple) } else { standings[rule.slot].isOver = true }
  }

  private mutating func settle(_ slot: Int, multiple: Int64) {
    watched = nil
    // No run gets that far, but another program's trace may contain such a number.
    standings[slot].lastMultiple = max(standings[slot].lastMultiple, min(multiple, Int64.max / 2))
    // Skipped multiples precede the due one, and do not end its stretch.
    if standings[slot].dueMultiple <= multiple { standings[slot].dueSince = nil }
  }

  /// Limit of known messages: a phone that invents ids has one slot for all further ones.
  private static let slotsMax = 20_000

  private mutating func slot(of id: String) -> Int {
    if let slot = slots[id] { return slot }
    if standings.count >= Self.slotsMax { return standings.count - 1 }
    slots[id] = standings.count
    standings.append(Standing())
    return standings.count - 1
  }

  /// Installs a script; the run's records stay, by message id.
  private mutating func load(_ script: ReferenceScript?) {
    self.script = script
    program = []
    expressions = []
    rules = []
    graceMeters = script?.graceMeters ?? 150
    graceSeconds = script?.graceSeconds ?? 45
    variables = script?.variables ?? 0
    readsAll = mayGetScripts || script == nil || variables != 0
    for message in script?.messages ?? [] {
      var rule = Rule(
        priority: message.priority, playsOnce: message.playsOnce,
        isOnBranch: script?.isBranched == true && message.branch != nil, slot: slot(of: message.id))
      if let point = point(message) {
        rule.kind = point.isTime ? .time : .distance
        rule.at = point.at
      } else if case .every(let meters) = message.trigger {
        rule.kind = .every
        rule.at = meters
      } else if case .expression(let expression, let cooldown, _) = message.trigger {
        rule.kind = .expression
        rule.cooldown = cooldown
        rule.expression = expressions.count
        rule.calculates = expression.calculates
        expressions.append(program.count..<program.count + expression.steps.count)
        program += expression.steps
      }
      rules.append(rule)
    }
    watched = nil
    // An invalid expression has no steps, but keeps its index.
    stack = Array(repeating: 0, count: max(1, program.count))
    let present = Set(rules.map(\.slot))
    sharesSlots = present.count < rules.count
    for slot in standings.indices where !present.contains(slot) { standings[slot].dueSince = nil }
  }

  private mutating func observeDispatch(_ rank: ScriptRank, at time: VirtualTime, _ line: Int) {
    lastDispatch = time
    lastDispatchLine = line
    guard !rank.isReply else { return }
    let id = rank.message
    let slot = slot(of: id)
    watched = nil
    standings[slot].spokenCount += 1
    standings[slot].lastDispatch = time
    if let multiple = rank.multiple { settle(slot, multiple: multiple) }
    guard let script, script.isBranched, let message = script.messages.first(where: { $0.id == id }) else { return }
    if case .expression(_, _, let branch?) = message.trigger { activeBranch = branch }
  }

  /// Begins a new run with an empty position.
  private mutating func beginRun() {
    watched = nil
    for slot in standings.indices { standings[slot] = Standing() }
    track = SnapshotTrack()
    maxDistance = 0
    maxElapsed = 0
    activeBranch = nil
    lastDispatch = nil
  }

  /// Computes the variables of expressions at the last received snapshot.
  package mutating func evaluate() {
    guard variables != 0, hasSnapshot else { return }
    values[ReferenceExpression.Variable.distance.rawValue] = latest.distance
    values[ReferenceExpression.Variable.duration.rawValue] = latest.elapsed
    values[ReferenceExpression.Variable.currentPace.rawValue] = latest.currentPace
    values[ReferenceExpression.Variable.avgPace.rawValue] = latest.avgPace
    let isSecond = plannedDistance.map { latest.distance >= $0 / 2 } ?? false
    let targetPace = isSecond ? targetPaces.second : targetPaces.first
    values[ReferenceExpression.Variable.targetPace.rawValue] = targetPace
    values[ReferenceExpression.Variable.heartRate.rawValue] = latest.heartRate
    values[ReferenceExpression.Variable.cadence.rawValue] = latest.cadence
    if uses(.heartRateZone) { values[ReferenceExpression.Variable.heartRateZone.rawValue] = zone(latest.heartRate) }
    if uses(.hour) { values[ReferenceExpression.Variable.hour.rawValue] = clock.hour(at: latest.time) }
    if uses(.paceRatio) {
      let trail = track.trail
      let ratio = (targetPace.isNaN ? latest.avgPace : targetPace) / (180 / (trail / 1000))
      values[ReferenceExpression.Variable.paceRatio.rawValue] = trail >= 1 ? (ratio * 1e6).rounded() / 1e6 : .nan
    }
  }

  private func uses(_ variable: ReferenceExpression.Variable) -> Bool {
    variables & (1 << UInt16(variable.rawValue)) != 0
  }

  private func zone(_ rate: Double) -> Double {
    guard rate.isFinite else { return .nan }
    let scaled = rate * 100
    if scaled >= 90 * heartRateMaximum { return 5 }
    if scaled >= 80 * heartRateMaximum { return 4 }
    if scaled >= 70 * heartRateMaximum { return 3 }
    if scaled >= 60 * heartRateMaximum { return 2 }
    return scaled >= 50 * heartRateMaximum ? 1 : 0
  }

  /// The status of a message at the last received snapshot, which must be absorbed, with expressions evaluated.
  package func standpoint(of index: Int) -> Standpoint {
    // Reads only the needed fields of the snapshot, since a tick calls this for every message that may be due.
    guard hasSnapshot else { return .notDue }
    let (now, distance, elapsed) = (latest.time, latest.distance, latest.elapsed)
    let rule = rules[index]
    switch rule.kind {
    case .never: return .notDue
    case .distance:
      guard maxDistance >= rule.at, isOwed(rule, index) else { return .notDue }
      return distance - rule.at > graceMeters ? .expired(multiple: 0) : .due(multiple: 0)
    case .time:
      guard maxElapsed >= rule.at, isOwed(rule, index) else { return .notDue }
      return elapsed - rule.at > graceSeconds ? .expired(multiple: 0) : .due(multiple: 0)
    case .every:
      let standing = standings[rule.slot]
      let multiple = latestMultiple(rule.at)
      guard multiple >= 1, multiple > standing.lastMultiple, !(rule.playsOnce && standing.spokenCount > 0),
        isEligible(index)
      else { return .notDue }
      let past = distance - Double(multiple) * rule.at
      return past > graceMeters ? .expired(multiple: multiple) : .due(multiple: multiple)
    case .expression:
      let standing = standings[rule.slot]
      if rule.playsOnce, standing.spokenCount > 0 { return .notDue }
      if let last = standing.lastDispatch, (now - last).nanoseconds < rule.cooldown { return .notDue }
      guard isEligible(index) else { return .notDue }
      var stack = self.stack
      let holds = ReferenceExpression.isTrue(
        program, expressions[rule.expression], values: values, scratch: &stack)
      return holds ? .due(multiple: 0) : .notDue
    }
  }

  /// What the condition of a rule lacks; variables must be evaluated.
  func shortfall(of rule: Rule) -> ExpressionShortfall {
    ReferenceExpression.shortfall(program, expressions[rule.expression], values: values)
  }

  /// Whether a point is not spoken yet.
  @inline(__always)
  private func isOwed(_ rule: Rule, _ index: Int) -> Bool {
    !standings[rule.slot].isOver && standings[rule.slot].spokenCount == 0 && isEligible(index)
  }

  /// The highest multiple that the run has reached; 0 before the first.
  package func latestMultiple(_ meters: Double) -> Int64 { Int64(exactly: (maxDistance / meters).rounded(.down)) ?? 0 }

  /// Whether a message may be spoken on the branch that is active.
  @inline(__always)
  package func isEligible(_ index: Int) -> Bool {
    // Static with two arguments: a call on the whole value would copy it, for every message of every tick.
    !rules[index].isOnBranch || Self.isOn(activeBranch, script?.messages[index])
  }

  static func isOn(_ activeBranch: String?, _ message: ReferenceScript.Message?) -> Bool {
    guard let message, message.branch != activeBranch else { return true }
    if case .expression(_, _, let own?) = message.trigger { return own == message.branch }
    return false
  }

  /// The point of a message in metres or seconds; nil if the plan lacks what it needs.
  private func point(_ message: ReferenceScript.Message) -> (at: Double, isTime: Bool)? {
    switch message.trigger {
    case .distance(let meters): return (meters, false)
    case .time(let seconds): return (seconds, true)
    case .halfway:
      if let plannedDistance { return (plannedDistance / 2, false) }
      return plannedTime.map { ($0 / 2, true) }
    case .nearFinish(let meters): return plannedDistance.map { ($0 - meters, false) }
    case .nearEnd(let seconds): return plannedTime.map { ($0 - seconds, true) }
    case .every, .expression, .unknown: return nil
    }
  }
}
