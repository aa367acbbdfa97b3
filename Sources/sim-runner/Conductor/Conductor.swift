import Link
import LinkTransport

/// Owns virtual time: decides what happens next, passes it to the nodes, and writes the trace.
///
/// The order at one instant is fixed (spec 1.5): faults, link changes, starts and ends of nodes; commands of the
/// scenario and of keys; arrivals in the order of their sending, on either link; deadlines of the watch, then of the
/// phone, then of the edge. The conductor is the same for nodes in this process and in others; only the ``NodeHost``
/// differs. The edge is an optional third node; it is called rarely, so its host is an existential.
struct Conductor<Watch: NodeHost, Phone: NodeHost> {
  /// The parts of a run, besides its nodes.
  struct Setup {
    var seed: UInt64
    var link: LinkProfile
    /// The phone's link to the edge; unused without an edge.
    var uplink = LinkProfile(latency: .milliseconds(5), exists: false)
    var faults: [PlannedFault]
    /// When the links' draws change; nil if they never do.
    var redraw: Redraw?
    /// Users' commands in the order of time; at one instant the watch's before the phone's.
    var commands: [Command]
    /// How long the health store takes to sync a workout to the phone; nil for a run without it.
    var healthSyncLag: VirtualTime.Span?
    /// The latest end of the run.
    var duration: VirtualTime.Span
    /// How long the queues may drain after the end.
    var drain: VirtualTime.Span = drainMax
    /// Whether the phone may start a run.
    var startsByPhone = false
    /// When the last of several workouts starts: the run does not end before.
    var lastStart = VirtualTime.start
    /// Whether the run continues after its workouts, up to its duration.
    var lastsWholeDuration = false
    /// Whether a message of the watch launches the phone's app; nil means if the phone is an app.
    var launchesPhone: Bool?
    /// Whether nodes may be killed from outside.
    var isTortured = false
    /// Whether the nodes' stored state is read afterwards.
    var isKeeping = false
    /// Live controls; nil for none.
    var live: (any LiveControls)?
  }

  /// The copy of a frame that has arrived; the frame itself is among the inputs.
  struct Arrival {
    var id: UInt64
    var copy: Int
    /// Its link.
    var place: TraceEvent.Place
  }

  /// A user's command.
  struct Command {
    var at: VirtualTime
    var role: NodeRole
    var command: NodeCommand
    /// For an act: whether it starts an app that is down.
    var launches = false
  }

  /// How long the queues may drain after the end.
  static var drainMax: VirtualTime.Span { .seconds(600) }
  /// How long a run with a free-running node continues after all owed transfers have arrived.
  static var settlingMax: VirtualTime.Span { .seconds(30) }
  /// How long a run continues after its workout.
  static var afterglow: VirtualTime.Span { .seconds(5) }

  var watch: Watch
  var phone: Phone
  /// The edge; nil for a run without one.
  var edge: (any NodeHost)?
  /// Whether there is an edge; cached because it is read often.
  let hasEdge: Bool
  /// The platform's sync of workouts to the phone.
  var health: HealthSync
  /// Whether there is one; cached because it is read often.
  let syncsHealth: Bool
  var sink: TraceSink
  private(set) var now = VirtualTime.start
  /// Number of frames sent.
  var frames: UInt64 = 0
  /// Number of inputs and deadlines handled by machines, and of frames handled by the medium.
  var steps = 0
  /// Called before time moves to an instant, by the pacer and by whatever may stop a run; false stops it.
  var beforeAdvance: ((VirtualTime) -> Bool)?
  private(set) var wasStopped = false
  /// Live controls; nil for none.
  let live: (any LiveControls)?
  /// Controls for the instant that is handled next.
  var orders: [LiveOrder] = []

  /// Repeats the fates that frames had in a recorded run; nil to draw them.
  mutating func repeatFates(_ fates: RecordedFates?) {
    guard let fates else { return }
    medium.recorded = fates
    uplink.recorded = fates
  }

  /// Takes a hash of the state before an instant; nil for none, and after it was taken.
  var probe: StateProbe?

  /// Takes the hash once time is about to reach the probe's instant.
  ///
  /// The hash excludes future faults, which the search places, the results of the run so far, and the numbers of
  /// frames, on which nothing depends.
  private mutating func takeProbe(before next: VirtualTime) {
    guard let probe, next >= probe.at else { return }
    self.probe = nil
    probe.update([
      watch, phone, edge as Any, health, medium, uplink, notice, uplinkNotice, watchStatus, phoneStatus,
      Array(commands), waitingActs, isHealed, isPaired, startedByPhone, watchKnowsOfLaunch,
    ])
  }

  /// Records that the user stopped the run while a node was awaited.
  mutating func stop() { wasStopped = true }

  /// The seed of faults that begin: the run's until a redraw.
  var drawSeed: UInt64
  /// The pending redraw; nil for none.
  var redraw: Redraw?
  /// Whether the phone may start a run, and its progress.
  let startsByPhone: Bool
  var startedByPhone: StartedByPhone
  /// When the last of several workouts starts.
  let lastStart: VirtualTime
  /// Whether events say when the run is over; a host knows of its first workout only.
  let observesWorkouts: Bool
  /// Whether the run continues after its workouts, up to its duration.
  let lastsWholeDuration: Bool
  /// How late a side notices that the other is gone.
  let supervision: VirtualTime.Span
  var medium: Medium
  /// The medium between phone and edge; unused without an edge.
  var uplink: Medium
  /// What the phone knows of its link to the edge.
  var uplinkNotice: LinkNotice
  /// The faults that have the uplink down, by index in the plan.
  var uplinkCutting: [Int] = []
  var faults: FaultSchedule
  var notice: LinkNotice
  var commands: ArraySlice<Command>
  /// Acts for an app that is down: it gets them at its next start.
  var waitingActs: [Command] = []
  /// When the run ends: at its duration, or soon after its workout.
  private(set) var endAt: VirtualTime
  private let drain: VirtualTime.Span
  /// When the drain ends.
  private var drainedAt = VirtualTime.start
  var isHealed = false
  /// Whether the phone is paired with its watch; commands can change it, which cuts or restores the link.
  var isPaired = true
  /// Whether the scenario has such commands.
  private let changesPairing: Bool
  /// The transfers owed at the end of a run with a free-running node; nil before the end, and once they have arrived.
  var owedAtEnd: [TraceValue]?
  /// The faults that have the link down, by index in the plan.
  var cutting: [Int] = []
  /// The nodes' status; used only if ``mayFail``.
  var watchStatus = NodeStatus()
  var phoneStatus = NodeStatus()
  /// Whether a message of the watch launches the phone's app.
  let launchesPhone: Bool
  /// The highest number of a message that has reached the phone's app: a copy of an earlier one launches nothing.
  var lastMessageToPhone: UInt64 = 0
  /// Whether the watch knows that its messages launch the phone's app.
  var watchKnowsOfLaunch = false
  /// Whether anything can happen to a node in this run.
  let mayFail: Bool
  var output: NodeOutput
  var inputs: [NodeInput] = []
  var due: [Medium.Fate] = []
  /// The arrived frames among the inputs, in order, while they are passed to a node.
  var arrivals: [Arrival] = []
  /// The link of each of ``due``; empty if all are on the watch-phone link.
  var dueLinks: [TraceEvent.Place] = []
  var uplinkDue: [Medium.Fate] = []
  /// Recent calls of each node, by its role's number.
  var grantLimits = InlineArray<3, GrantLimit>(repeating: GrantLimit())
  /// Why the run ends: a node sent a frame for which it has no link, or too many.
  var breach: NodeFailure?
  var frameLines: FrameLines

  init(
    _ setup: Setup, watch: consuming Watch, phone: consuming Phone, edge: (any NodeHost)? = nil,
    sink: TraceSink
  ) {
    drawSeed = setup.seed
    redraw = setup.redraw
    startsByPhone = setup.startsByPhone
    lastStart = setup.lastStart
    lastsWholeDuration = setup.lastsWholeDuration
    observesWorkouts = setup.startsByPhone || setup.lastStart > .start
    startedByPhone = StartedByPhone(from: setup.lastStart, isWatchOnly: !setup.startsByPhone)
    self.edge = edge
    hasEdge = edge != nil
    syncsHealth = setup.healthSyncLag != nil
    health = HealthSync(lag: setup.healthSyncLag ?? .zero)
    uplink = Medium(place: .uplink, profile: setup.uplink, seed: setup.seed)
    uplinkNotice = LinkNotice(profile: setup.uplink, seed: setup.seed, stream: "uplink.reconnect")
    medium = Medium(place: .link, profile: setup.link, seed: setup.seed)
    faults = FaultSchedule(setup.faults)
    notice = LinkNotice(profile: setup.link, seed: setup.seed)
    supervision = setup.link.supervision
    commands = setup.commands[...]
    endAt = .start + setup.duration
    drain = setup.drain
    live = setup.live
    changesPairing = setup.commands.contains { Scenario.TimedCommand.isPaired(after: $0.command.name) != nil }
    launchesPhone = setup.launchesPhone ?? phone.isApp
    mayFail =
      setup.live != nil || setup.isTortured || setup.faults.contains { if case .node = $0.body { true } else { false } }
    // Other processes include digests in their events; if no text is wanted, digests are left open.
    frameLines = FrameLines(isDigesting: sink.level == .written || !watch.isInProcess || !phone.isInProcess)
    self.watch = watch
    self.phone = phone
    self.sink = sink
    // Storage for an app's next start is not even ordered if no start can follow.
    let mayDie = setup.live != nil || setup.isTortured || setup.faults.contains { $0.mayKill }
    output = NodeOutput(isRecording: sink.isRecording, isKeeping: mayDie || setup.isKeeping)
  }

  /// Runs to the end: the workout, the healing, the draining of the queues.
  ///
  /// - Throws: If a node fails; `now` is the instant, and the sink has everything up to then.
  mutating func run() throws(NodeFailure) {
    for role in [NodeRole.watch, .phone] { recordStart(of: role, cause: "launch") }
    if hasEdge { recordStart(of: .edge, cause: "launch") }
    if launchesPhone { try notifyLaunch(true) }
    while let next = nextInstant() {
      if next > now {
        guard let at = advance(to: next) else {
          wasStopped = true
          return
        }
        now = at
      }
      try handleInstant()
    }
  }

  /// Calls ``beforeAdvance`` and the live controls before time advances.
  ///
  /// - Returns: The instant to handle: `next`, or an earlier one of a control; nil to stop.
  private mutating func advance(to next: VirtualTime) -> VirtualTime? {
    if probe != nil { takeProbe(before: next) }
    guard let live else {
      if let beforeAdvance, !beforeAdvance(next) { return nil }
      return next
    }
    switch live.wait(from: now, to: next) {
    case .advance:
      if let beforeAdvance, !beforeAdvance(next) { return nil }
      return next
    case .stop: return nil
    case .order(let order, let at):
      precondition(at > now && at <= next, "an order for \(at) between \(now) and \(next)")
      orders.append(order)
      return at
    }
  }

  /// The next instant; nil at the end of the run.
  ///
  /// Mutating, so that the conductor is not copied.
  private mutating func nextInstant() -> VirtualTime? {
    var next = isHealed ? VirtualTime.distantFuture : endAt
    if let at = watch.nextDeadline { next = min(next, at) }
    if let at = phone.nextDeadline { next = min(next, at) }
    if let at = medium.nextDeadline { next = min(next, at) }
    if let at = notice.nextAt { next = min(next, at) }
    if hasEdge {
      if let at = edge?.nextDeadline { next = min(next, at) }
      if let at = uplink.nextDeadline { next = min(next, at) }
      if let at = uplinkNotice.nextAt { next = min(next, at) }
    }
    if syncsHealth, let at = health.nextAt { next = min(next, at) }
    if !isHealed {
      if let at = faults.nextAt { next = min(next, at) }
      if let at = commands.first?.at { next = min(next, at) }
    }
    if mayFail { next = min(next, min(watchStatus.nextAt, phoneStatus.nextAt)) }
    if isHealed, next > drainedAt { return nil }
    return max(next, now)
  }

  private mutating func handleInstant() throws(NodeFailure) {
    if let redraw, now >= redraw.from { redrawLinks(redraw) }
    if !orders.isEmpty { carryOutControls() }
    if !isHealed { try carryOutFaults() }
    if now >= endAt, !isHealed { try heal() }
    medium.horizon = horizon
    if nodesAreDue { try restartNodes() }
    if let isUp = notice.popDue(at: now) {
      for role in [NodeRole.watch, .phone] where status(role).isUp { try grant(.link(isUp: isUp), to: role) }
    }
    if hasEdge {
      uplink.horizon = medium.horizon
      if let isUp = uplinkNotice.popDue(at: now), phoneStatus.isUp { try grant(.uplink(isUp: isUp), to: .phone) }
    }
    if nodesAreDue { try sendNotices() }
    try carryOutCommands()
    try deliverArrivals()
    if syncsHealth { try deliverHealthAnswers() }
    if let at = watch.nextDeadline, at <= now { try fire(.watch) }
    if let at = phone.nextDeadline, at <= now { try fire(.phone) }
    if hasEdge, let at = edge?.nextDeadline, at <= now { try fire(.edge) }
    if let breach { throw breach }
    if owedAtEnd != nil { boundDrain() }
    if !lastsWholeDuration, observesWorkouts ? startedByPhone.isOver : watch.isWorkoutOver, !isHealed {
      endAt = min(endAt, max(now, workoutOver(at: now)) + Self.afterglow)
    }
  }

  /// Until when the links stay unchanged; `now` while controls or pairing may change them.
  private var horizon: VirtualTime {
    guard !isHealed else { return .distantFuture }
    guard live == nil, !changesPairing else { return .start }
    return min(faults.nextAt ?? .distantFuture, min(endAt, redraw?.from ?? .distantFuture))
  }

  /// Sets how long the queues may drain.
  ///
  /// Delayed frames keep their delay and their order, and everything sent after them comes later still. A drain that
  /// such frames would outlast continues until they have arrived, and half as long again for the answers.
  mutating func beginDrain() {
    drainedAt = max(endAt + drain, medium.heldUpUntil + VirtualTime.Span(nanoseconds: drain.nanoseconds / 2))
  }

  /// Ends the drain soon after what was owed at the end has arrived, whatever free-running nodes still send.
  private mutating func boundDrain() {
    guard let owed = owedAtEnd, !owed.contains(where: { sink.outstanding.contains($0) }) else { return }
    owedAtEnd = nil
    drainedAt = min(drainedAt, max(now, medium.heldUpUntil) + Self.settlingMax)
  }

  private var nodesAreDue: Bool { mayFail && min(watchStatus.nextAt, phoneStatus.nextAt) <= now }

  private var workoutOverAt: VirtualTime?
  private mutating func workoutOver(at now: VirtualTime) -> VirtualTime {
    let at = workoutOverAt ?? now
    workoutOverAt = at
    return at
  }

  // MARK: Commands

  private mutating func carryOutCommands() throws(NodeFailure) {
    while let next = commands.first, next.at <= now {
      commands.removeFirst()
      if changesPairing, next.role == .phone, let isPaired = Scenario.TimedCommand.isPaired(after: next.command.name) {
        setPairing(isPaired)
      }
      if mayFail, next.command.act != nil, try keepAct(next) { continue }
      if mayFail, try !makeReady(next.role, for: next.command) { continue }
      try grant(.command(next.command), to: next.role)
    }
  }

  // MARK: Lines

  mutating func record(
    _ name: TraceEvent.Name, on place: TraceEvent.Place, _ fields: () -> [TraceEvent.Field]
  ) {
    guard sink.isRecording else { return }
    sink.emit(TraceEvent(name, at: now, on: place, fields()))
  }
}

extension PlannedFault {
  /// Whether an app's process may die of this.
  fileprivate var mayKill: Bool {
    guard case .node(let fault) = body, case .kill = fault.order else { return false }
    return true
  }
}
