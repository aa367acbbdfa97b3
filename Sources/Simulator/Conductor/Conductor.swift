import HealthSim
import Link
import LinkTransport

/// Owns virtual time: decides what happens next, passes it to the devices and links, and writes the trace.
///
/// The order at one instant is fixed (spec 1.5): faults, link changes, starts and ends of nodes; commands of the
/// scenario and of keys; arrivals in the order of their sending, on every link; deadlines of the devices, in their
/// order. The conductor is the same for nodes in this process and in others; only the ``NodeHost`` differs.
struct Conductor {
  private(set) var world: World
  private var faultDriver: FaultDriver
  private var commands: CommandQueue
  private var arrivals = ArrivalQueue()
  private var length: RunLength
  /// Live controls, if any.
  private var live: LiveDesk?
  private let startsByPhone: Bool
  /// Called before time moves to an instant, by the pacer and by whatever may stop a run; false stops it.
  var beforeAdvance: ((VirtualTime) -> Bool)?
  private(set) var wasStopped = false
  /// The end of a run that is stopped at a known instant, if any.
  var stopsAfter: VirtualTime?
  /// Takes a hash of the state before an instant; nil if there is none, and after it was taken.
  var probe: StateProbe?

  /// - Parameter devices: The watch, the phone, and the edge if there is one.
  init(_ plan: RunPlan, _ devices: [Device], sink: TraceSink) {
    var devices = devices
    for (device, peer) in [(0, 1), (1, 0)] { devices[device].peer = Device.Peer(device: peer, link: 0) }
    if plan.launchesPhone ?? devices[1].host.isApp { devices[1].launch = Device.MessageLaunch() }
    var links = [
      DeviceLink((0, 1), notifying: [0, 1], at: .link, plan.link, seed: plan.seed, stream: "reconnect")
    ]
    if devices.count > 2 {
      links.append(
        DeviceLink((1, 2), notifying: [1], at: .uplink, plan.uplink, seed: plan.seed, stream: "uplink.reconnect"))
    }
    var exchange = Exchange(devices, links, sink, isKeeping: plan.readsStores)
    exchange.health = plan.healthSyncLag.map { HealthSync(lag: $0) }
    exchange.nights = plan.nights
    exchange.platform = plan.platform
    if plan.startsByPhone || plan.lastStart > .start {
      exchange.workouts = StartedByPhone(from: plan.lastStart, isWatchOnly: !plan.startsByPhone)
    }
    exchange.truth = sink.isRecording ? plan.truth : nil
    world = World(exchange: exchange, faults: FaultSchedule(plan.faults))
    faultDriver = FaultDriver(seed: plan.seed)
    commands = CommandQueue(plan.commands)
    length = RunLength(plan.duration, drain: plan.drain, lastsWholeDuration: plan.lastsWholeDuration)
    live = plan.live.map { LiveDesk($0) }
    startsByPhone = plan.startsByPhone
  }

  var now: VirtualTime { world.now }

  /// Repeats the fates that frames had in a recorded run; nil to draw them.
  mutating func repeatFates(_ fates: RecordedFates?) {
    guard let fates else { return }
    for link in world.exchange.links.indices { world.exchange.links[link].medium.recorded = fates }
  }

  /// Records that the user stopped the run while a node was awaited.
  mutating func stop() { wasStopped = true }

  /// Runs to the end: the workout, the healing, the draining of the queues.
  ///
  /// - Throws: If a node fails; `now` is the instant, and the sink has everything up to then.
  mutating func run() throws(NodeFailure) {
    for device in world.exchange.devices.indices { world.recordStart(of: device, cause: .launch) }
    for device in world.exchange.devices.indices { try world.notifyLaunch(of: device, true) }
    for device in world.exchange.devices.indices { world.startHealth(of: device) }
    while let next = nextInstant() {
      if next > world.now {
        guard let at = advance(to: next) else {
          wasStopped = true
          // Time has passed since the last event.
          if let at = live?.stoppedAt ?? stopsAfter { world.exchange.log.now = min(max(at, world.now), next) }
          return
        }
        world.exchange.log.now = at
      }
      try handleInstant()
    }
  }

  /// Ends all frames in flight, judges the run, and writes its last events.
  ///
  /// - Parameter failure: Why the run broke off; nil if it did not.
  mutating func finish(failure: NodeFailure?) -> RunEnding {
    world.exchange.giveUpFrames()
    return RunEnding(&world.exchange.log, failure: failure, wasStopped: wasStopped)
  }

  /// Stored state that a node lost through another process, such as its state folder, if any.
  func stateLoss() -> NodeFailure? {
    world.exchange.devices.lazy.filter { $0.peer != nil }.compactMap { $0.host.stateLoss() }.first
  }

  // MARK: Time

  /// The next instant; nil at the end of the run.
  ///
  /// Mutating, so that the conductor is not copied.
  private mutating func nextInstant() -> VirtualTime? {
    var next = world.exchange.nextAt
    if world.isHealed {
      guard next <= length.drainedAt else { return nil }
    } else {
      next = min(next, length.endAt)
      if let at = world.faults.nextAt { next = min(next, at) }
      if let at = commands.nextAt { next = min(next, at) }
    }
    return max(next, world.now)
  }

  /// Calls ``beforeAdvance`` and the live controls before time advances.
  ///
  /// - Returns: The instant to handle: `next`, or an earlier one of a control; nil to stop.
  private mutating func advance(to next: VirtualTime) -> VirtualTime? {
    if probe != nil { takeProbe(before: next) }
    if live != nil {
      guard let at = live?.wait(from: world.now, to: next) else { return nil }
      if live?.hasOrders == true { return at }
    }
    if let beforeAdvance, !beforeAdvance(next) { return nil }
    return next
  }

  /// Takes the hash once time is about to reach the probe's instant.
  ///
  /// The hash excludes future faults, which the search places, the results of the run so far, and the numbers of
  /// frames, on which nothing depends.
  private mutating func takeProbe(before next: VirtualTime) {
    guard let probe, next >= probe.at else { return }
    self.probe = nil
    let (devices, links) = (world.exchange.devices, world.exchange.links)
    probe.update([
      devices.map(\.host), devices.filter { $0.peer != nil }.map(\.status), devices.map(\.waitingActs),
      devices.map { $0.launch?.isKnownToPeer }, links.map(\.medium), links.map(\.notice), links.map(\.isPaired),
      world.exchange.health as Any, world.exchange.platform as Any, world.exchange.workouts as Any,
      Array(commands.pending), world.isHealed,
    ])
  }

  // MARK: One instant

  private mutating func handleInstant() throws(NodeFailure) {
    live?.carryOutDue(in: &world, &commands)
    if !world.isHealed {
      try faultDriver.carryOutDue(in: &world)
      if world.now >= length.endAt { try heal() }
    }
    setHorizon()
    if world.exchange.hasDueStatus() { try world.restartNodes() }
    try sendLinkNotices()
    if world.exchange.hasDueStatus() { try world.sendNotices() }
    world.exchange.advanceTruthBeforePresses()
    try commands.carryOutDue(in: &world)
    try arrivals.deliver(in: &world)
    world.exchange.reportNights()
    while let frame = world.exchange.popHealthAnswer() {
      // An app that is down gets no answer, and asks again.
      let phone = world.device(.phone)
      if world[phone].isUp { try world.grant(.frame(frame), to: phone) }
    }
    try world.advanceHealthKit()
    for device in world.exchange.devices.indices {
      if let at = world.exchange.devices[device].nextDeadline, at <= world.now { try world.fire(device) }
    }
    try world.carryOutHealthOrders()
    world.exchange.advanceTruth()
    if let breach = world.exchange.breach { throw breach }
    if world.isHealed {
      length.boundDrain(&world.exchange)
    } else if world.exchange.isWorkoutOver {
      length.shortenAfterWorkouts(at: world.now)
    }
  }

  /// Tells the links until when they stay unchanged; the start while controls or pairing may change them.
  private mutating func setHorizon() {
    var horizon = VirtualTime.distantFuture
    if !world.isHealed {
      horizon = min(world.faults.nextAt ?? horizon, length.endAt)
      if live != nil || commands.changesPairing { horizon = .start }
    }
    for link in world.exchange.links.indices { world.exchange.links[link].medium.horizon = horizon }
  }

  private mutating func sendLinkNotices() throws(NodeFailure) {
    for link in world.exchange.links.indices {
      guard let at = world.exchange.links[link].notice.nextAt, at <= world.now,
        let isUp = world.exchange.links[link].popNotice(at: world.now)
      else { continue }
      let input = world.exchange.links[link].route.input(isUp: isUp)
      for device in world.exchange.links[link].notified {
        if world[device].isUp { try world.grant(input, to: device) }
        if link == 0 { world.exchange.setHealthLink(isUp: isUp, of: device) }
      }
    }
  }

  /// Ends every fault, and lets the queues drain.
  private mutating func heal() throws(NodeFailure) {
    try faultDriver.endAll(in: &world)
    world.isHealed = true
    commands.dropWaitingActs(in: &world)
    length.beginDrain(heldUpUntil: world.exchange.heldUpUntil)
    let devices = world.exchange.devices.indices
    for device in devices { world.exchange.devices[device].receiveHealed(at: world.now) }
    world.exchange.log.record(FaultsHealed.self)
    world.exchange.platform?.endRun()
    for device in devices where world.exchange.devices[device].host.isApp { try world.notify(device, .runEnds) }
    if world.exchange.devices.contains(where: { $0.host.isFreeRunning }) {
      length.owed = world.exchange.log.sink.outstanding
    }
    commands.end(in: &world, startsByPhone: startsByPhone)
  }
}
