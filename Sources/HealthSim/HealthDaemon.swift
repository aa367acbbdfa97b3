import Link

/// The health daemon of one device: its store, its one workout session, and its end of the mirroring.
///
/// It outlives the app, which holds proxies: a call is a message, carried out after a few milliseconds, and what an app
/// sees of a session changes with the daemon's own messages only. A pure value, as every machine here.
struct HealthDaemon: Sendable {
  /// A message of the app that is not carried out yet.
  struct Request: Sendable {
    var at: VirtualTime
    var message: DeviceMessage
  }

  let role: NodeRole
  let setup: HealthSetup
  let random: RandomStream
  /// Number of draws so far.
  private var draws: UInt64 = 0
  /// How far the device's clock is ahead of a correct one.
  var skew: Int64 = 0
  var now = VirtualTime.start
  /// What it wants done, in order.
  var orders: [HealthOrder] = []
  private var requests: [Request] = []
  /// Answers that are due later than their request: of a user, of a slow recovery.
  private var later: [(at: VirtualTime, message: DeviceMessage)] = []

  /// What the run is not kept going for: notifications of later days, the end of a Live Activity.
  mutating func forgetLater() {
    later.removeAll { $0.message.name.hasPrefix("notice.") || $0.message.name.hasPrefix("activity.") }
    life.refreshAt = nil
  }

  var flaws: [HealthFlaw] = []
  /// Whether this device's app runs.
  var isAppUp = true
  /// Whether the system started the app, and no user.
  var startedInBackground = false
  /// Whether the app has said anything since its start.
  var isAppKnown = false
  /// Whether the app has ever said anything.
  var wasAppKnown = false

  var access: [String: HealthAccessState] = [:]
  var store = HealthStoreState()
  /// Whether the locked device has refused a read, after which an anchored query gives some samples again.
  var hasRefusedReads = false
  var observers: [HealthObserver] = []
  var wakes = WakeState()
  var life = LifeState()

  /// Every session of the app that is known, by its number.
  var sessions: [UInt64: WorkoutSessionState] = [:]
  /// The one that is prepared, running, paused or stopped.
  var current: UInt64?
  /// Number of sessions so far.
  var sessionCount: Int64 = 0

  var mirror = MirrorState()
  /// Mirroring and starts, and samples.
  var pipes = [DaemonPipe(lane: 0), DaemonPipe(lane: 1)]
  /// Whether the link is believed up.
  var isLinkUp = true
  var passive = PassiveRecording()
  var syncAt: VirtualTime?
  /// Whether the run has reached its end.
  var isSyncOver = false
  /// What there is beside HealthKit.
  var system = SystemState()

  init(_ role: NodeRole, _ setup: HealthSetup) {
    self.role = role
    self.setup = setup
    random = RandomStream(seed: setup.seed, name: "healthkit.\(role.text)")
    system.voice.music = setup.system.hasMusic ? .playing : .absent
    system.calendar = CalendarState(setup)
  }

  // MARK: Time and chance

  /// This device's clock, in nanoseconds since 1970.
  var clock: Int64 { setup.startedAt &+ now.nanoseconds &+ skew }

  /// A draw, each another one.
  mutating func draw(below bound: UInt64) -> UInt64 {
    draws += 1
    return random.number(below: bound, for: draws)
  }

  mutating func drawSpan(_ least: VirtualTime.Span, _ most: VirtualTime.Span) -> VirtualTime.Span {
    let width = UInt64(max(0, (most.nanoseconds - least.nanoseconds) / 1_000_000)) + 1
    return least + .milliseconds(Int64(draw(below: width)))
  }

  mutating func drawIdentifier() -> Identifier {
    draws += 1
    return Identifier(high: random.bits(for: draws, draw: 1), low: random.bits(for: draws, draw: 2))
  }

  func has(_ flaw: HealthFlaw) -> Bool { flaws.contains(flaw) }

  // MARK: Inputs

  /// Takes a message of the app, which is carried out a little later, in order.
  mutating func accept(_ message: DeviceMessage) {
    isAppKnown = true
    wasAppKnown = true
    let at = now + drawSpan(.milliseconds(3), .milliseconds(30))
    requests.append(Request(at: max(at, requests.last?.at ?? at), message: message))
  }

  /// The next instant at which it acts by itself; nil for none.
  ///
  /// The body's seconds are the platform's.
  var nextAt: VirtualTime? {
    var all = [requests.first?.at, later.lazy.map(\.at).min(), syncDueAt, mirror.nextAt, wakes.dueAt, life.refreshAt]
    for pipe in pipes { all.append(pipe.nextAt(isUp: isLinkUp)) }
    return all.compactMap(\.self).min()
  }

  mutating func fire() {
    while let first = requests.first, first.at <= now {
      requests.removeFirst()
      carryOut(first.message)
    }
    while let index = later.firstIndex(where: { $0.at <= now }) {
      let message = later.remove(at: index).message
      carryOut(message)
    }
    advanceMirror()
    if let at = syncDueAt, at <= now { synchronize() }
    wakeIfDue()
    refreshIfDue()
    guard isLinkUp else { return }
    for index in pipes.indices {
      for frame in pipes[index].takeDue(at: now) { orders.append(.frame(from: role, frame)) }
    }
  }

  /// Carries out a message at a later instant.
  mutating func schedule(_ message: DeviceMessage, after span: VirtualTime.Span) { later.append((now + span, message)) }

  // MARK: Outputs

  /// Sends a message to the app.
  mutating func tell(_ message: DeviceMessage) {
    guard isAppUp else { return }
    orders.append(.app(role, message.encoded))
  }

  /// Answers a request.
  mutating func answer(_ request: DeviceMessage, code: Int64 = 0, text: String = "", _ more: [DeviceField] = []) {
    var message = DeviceMessage("answer", ["id": .integer(request.fields.integer("id")), "code": .integer(code)])
    if !text.isEmpty { message.fields.append(DeviceField("text", .text(text))) }
    message.fields += more
    tell(message)
  }

  /// Fails a request, and records it.
  mutating func refuse(_ request: DeviceMessage, code: Int64, _ why: String) {
    record(HealthCallRefused.self) {
      $0.call = request.name
      $0.code = code
      $0.why = why
    }
    answer(request, code: code, text: why)
  }

  /// Records a call that has no effect and no answer.
  mutating func ignore(_ request: DeviceMessage, _ why: String) {
    record(HealthCallRefused.self) {
      $0.call = request.name
      $0.why = why
    }
  }

  mutating func record<Kind: TraceEventKind>(_ kind: Kind.Type, _ fill: (inout Kind) -> Void) {
    orders.append(.event(TraceEvent(kind, at: now, on: role.place, fill)))
  }

  // MARK: Life of the app

  /// The app starts: it knows nothing, and gets what it was started for.
  mutating func startApp(inBackground: Bool) {
    isAppUp = true
    startedInBackground = inBackground
    isAppKnown = false
    life = LifeState()
    life.isBehind = inBackground
    startSystem()
    guard wasAppKnown || mirror.isLaunchOwed || setup.settings.isAllowedBefore else { return }
    tellAccess()
    if mirror.isLaunchOwed { handOverLaunch() }
    if role == .watch, let current, sessions[current] != nil, wasAppKnown {
      record(HealthLaunched.self) { $0.why = .recovery }
      tell(DeviceMessage("launch.recovery"))
    }
  }

  /// The app dies; its session lives on.
  mutating func stopApp(isReboot: Bool) {
    isAppUp = false
    isAppKnown = false
    life = LifeState()
    observers = []
    stopSystem()
    mirror.dropProxy(at: now)
    guard isReboot, let number = current else { return }
    // Nothing to recover: the samples so far stay without a workout.
    end(number, by: "reboot", code: nil, tells: false)
    sessions = [:]
  }

  // MARK: Requests

  private mutating func carryOut(_ request: DeviceMessage) {
    let family = request.name.prefix { $0 != "." }
    switch family {
    case "access": carryOutAccess(request)
    case "store": carryOutStore(request)
    case "session": carryOutSession(request)
    case "builder": carryOutBuilder(request)
    case "mirror": carryOutMirror(request)
    case "wake": judgeWake(request.fields.integer("number"))
    default: if !carryOutSystem(request, family: family) { ignore(request, "no call of that name") }
    }
  }
}
