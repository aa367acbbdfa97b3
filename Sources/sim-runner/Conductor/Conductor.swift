import Link
import LinkTransport

/// Owns virtual time: decides what happens next, hands it to whom it concerns, and writes the trace.
///
/// At one instant the order is fixed (spec 1.5): faults, link changes, and what becomes of the nodes; commands of the
/// scenario and of keys; arrivals in the order of their sending, on whichever link; deadlines of the watch, then of the
/// phone, then of the edge. The conductor is the same for nodes in this process and in others; what differs is the
/// ``NodeHost``. The edge is a third node that a run may have; it is asked rarely, so what kind of host it has is
/// looked up at every call.
struct Conductor<Watch: NodeHost, Phone: NodeHost> {
  /// What a run is made of, besides its nodes.
  struct Setup {
    var seed: UInt64
    var link: LinkProfile
    /// The phone's way to the edge; of no effect without an edge.
    var uplink = LinkProfile(latency: .milliseconds(5), exists: false)
    var faults: [PlannedFault]
    /// What users do, in the order of time; at one instant the watch's before the phone's.
    var commands: [Command]
    /// How long the health store takes to bring a workout to the phone; nil for a run without it.
    var healthSyncLag: VirtualTime.Span?
    /// When the run ends at the latest.
    var duration: VirtualTime.Span
    /// How long the queues may drain after the end.
    var drain: VirtualTime.Span = drainMax
    /// Whether the phone may start a run.
    var startsByPhone = false
    /// Whether a message of the watch launches the phone's app; nil where it does if the phone is an app.
    var launchesPhone: Bool?
    /// Whether nodes may be killed from outside.
    var isTortured = false
    /// Whether what the nodes keep is read by somebody else.
    var isKeeping = false
    /// Who may reach into the run; nil for nobody.
    var live: (any LiveControls)?
  }

  /// A copy of a frame that has arrived; the frame itself is among the inputs.
  struct Arrival {
    var id: UInt64
    var copy: Int
    /// Over which link.
    var place: TraceEvent.Place
  }

  /// One thing that a user does.
  struct Command {
    var at: VirtualTime
    var role: NodeRole
    var command: NodeCommand
  }

  /// How long the queues may drain after the end.
  static var drainMax: VirtualTime.Span { .seconds(600) }
  /// How long a run with a node that has timers of its own goes on after all that was owed at its end has arrived.
  static var settlingMax: VirtualTime.Span { .seconds(30) }
  /// How long a run goes on after its workout.
  static var afterglow: VirtualTime.Span { .seconds(5) }

  var watch: Watch
  var phone: Phone
  /// The cloud that the phone talks to; nil for a run without.
  var edge: (any NodeHost)?
  /// Whether there is an edge: asked often.
  let hasEdge: Bool
  /// The platform's own way of a workout to the phone.
  var health: HealthSync
  /// Whether there is one: asked often.
  let syncsHealth: Bool
  var sink: TraceSink
  private(set) var now = VirtualTime.start
  /// How many frames were sent.
  var frames: UInt64 = 0
  /// How many inputs and deadlines the machines have handled, and frames the medium.
  var steps = 0
  /// Called before time moves on to an instant: the pacer, and whoever may stop a run; false stops it.
  var beforeAdvance: ((VirtualTime) -> Bool)?
  private(set) var wasStopped = false
  /// Who may reach into the run; nil for nobody.
  let live: (any LiveControls)?
  /// What was ordered for the instant that is handled next.
  var orders: [LiveOrder] = []

  /// Has frames meet the fates that they met in a run before; nil to decide anew.
  mutating func follow(_ fates: RecordedFates?) {
    guard let fates else { return }
    medium.recorded = fates
    uplink.recorded = fates
  }

  /// Notes that the user stopped the run while a node was waited for.
  mutating func stop() { wasStopped = true }

  let seed: UInt64
  /// Whether the phone may start a run, and what its lines then say.
  let startsByPhone: Bool
  var startedByPhone = StartedByPhone()
  /// How late a side learns that the other is gone.
  let supervision: VirtualTime.Span
  var medium: Medium
  /// What carries frames between phone and edge; nothing without an edge.
  var uplink: Medium
  /// What the phone knows of its way to the edge.
  var uplinkNotice: LinkNotice
  /// The faults that have the uplink down, by their places in the plan.
  var uplinkCutting: [Int] = []
  var faults: FaultSchedule
  var notice: LinkNotice
  var commands: ArraySlice<Command>
  /// When the run ends: at its duration, or soon after its workout.
  private(set) var endAt: VirtualTime
  private let drain: VirtualTime.Span
  /// When what is owed after the healing is given up.
  private var drainedAt = VirtualTime.start
  var isHealed = false
  /// Whether the phone is paired with its watch: a scenario's event may change it, which cuts or restores the link.
  var isPaired = true
  /// Whether the scenario has such events.
  private let changesPairing: Bool
  /// The transfers that were owed at the end of a run in which a node has timers of its own; nil before the end, and
  /// once they have arrived.
  var owedAtEnd: [TraceValue]?
  /// The faults that have the link down, by their places in the plan.
  var cutting: [Int] = []
  /// What becomes of the nodes; looked at only where ``mayFail``.
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
  /// Those of the inputs that are frames which arrived, in their order, while they are handed to a node.
  var arrivals: [Arrival] = []
  /// On which link each of ``due`` is; empty where all are on the watch-phone link.
  var duePlaces: [TraceEvent.Place] = []
  var uplinkDue: [Medium.Fate] = []
  /// How often each node was called lately, by its role's number.
  var grantLimits = InlineArray<3, GrantLimit>(repeating: GrantLimit())
  /// A node has sent what it has no link for, or too much, and the run ends.
  var breach: NodeFailure?
  var frameLines: FrameLines

  init(
    _ setup: Setup, watch: consuming Watch, phone: consuming Phone, edge: (any NodeHost)? = nil,
    sink: TraceSink
  ) {
    seed = setup.seed
    startsByPhone = setup.startsByPhone
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
    // Other processes tell digests in their lines; where nobody wants a line's text, it is left open.
    frameLines = FrameLines(isDigesting: sink.level == .written || !watch.isInProcess || !phone.isInProcess)
    self.watch = watch
    self.phone = phone
    self.sink = sink
    // What an app keeps for its next start is not even said where there is none.
    let mayDie = setup.live != nil || setup.isTortured || setup.faults.contains { $0.mayKill }
    output = NodeOutput(isRecording: sink.isRecording, isKeeping: mayDie || setup.isKeeping)
  }

  /// Runs to the end: the workout, the healing, the draining of the queues.
  ///
  /// - Throws: When a node fails; `now` tells when, and the sink holds everything up to then.
  mutating func run() throws(NodeFailure) {
    for role in [NodeRole.watch, .phone] { recordStart(of: role, cause: "launch") }
    if hasEdge { recordStart(of: .edge, cause: "launch") }
    if launchesPhone { try tellOfLaunch(true) }
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

  /// Asks whoever must be asked before time moves on.
  ///
  /// - Returns: The instant to handle: `next`, or an earlier one for which something was ordered; nil to stop.
  private mutating func advance(to next: VirtualTime) -> VirtualTime? {
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

  /// When something happens next; nil when the run is over.
  ///
  /// Mutating, so that the conductor is not copied to be asked.
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
    if !orders.isEmpty { takeOrders() }
    if !isHealed { try takeFaults() }
    if now >= endAt, !isHealed { try heal() }
    medium.horizon = horizon
    if nodesAreDue { try takeRestarts() }
    if let isUp = notice.takeDue(at: now) {
      for role in [NodeRole.watch, .phone] where status(role).isUp { try grant(.link(isUp: isUp), to: role) }
    }
    if hasEdge {
      uplink.horizon = medium.horizon
      if let isUp = uplinkNotice.takeDue(at: now), phoneStatus.isUp { try grant(.uplink(isUp: isUp), to: .phone) }
    }
    if nodesAreDue { try takeNotices() }
    try takeCommands()
    try takeArrivals()
    if syncsHealth { try takeHealth() }
    if let at = watch.nextDeadline, at <= now { try fire(.watch) }
    if let at = phone.nextDeadline, at <= now { try fire(.phone) }
    if hasEdge, let at = edge?.nextDeadline, at <= now { try fire(.edge) }
    if let breach { throw breach }
    if owedAtEnd != nil { boundDrain() }
    if startsByPhone ? startedByPhone.isOver : watch.isWorkoutOver, !isHealed {
      endAt = min(endAt, max(now, workoutOver(at: now)) + Self.afterglow)
    }
  }

  /// Until when nothing changes on the links; not known at all while somebody may order a fault, or where the watch is
  /// unpaired and paired.
  private var horizon: VirtualTime {
    guard !isHealed else { return .distantFuture }
    return live == nil && !changesPairing ? min(faults.nextAt ?? .distantFuture, endAt) : .start
  }

  /// Sets how long the queues may drain.
  ///
  /// What a fault has delayed keeps its delay and its order, so that everything sent behind it comes later still. A
  /// drain that such frames would outlast goes on until they are there, and half as long again for the answers.
  mutating func beginDrain() {
    drainedAt = max(endAt + drain, medium.heldUpUntil + VirtualTime.Span(nanoseconds: drain.nanoseconds / 2))
  }

  /// Ends the drain soon after what was owed at the end has arrived, whatever nodes with timers of their own still send.
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

  private mutating func takeCommands() throws(NodeFailure) {
    while let next = commands.first, next.at <= now {
      commands.removeFirst()
      if changesPairing, next.role == .phone, let isPaired = Scenario.TimedCommand.isPaired(after: next.command.name) {
        setPairing(isPaired)
      }
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
