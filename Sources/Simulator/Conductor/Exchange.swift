import HealthSim
import Link
import LinkTransport

/// The devices and links of a run: passes inputs to nodes, carries out their orders, and puts their frames on links.
struct Exchange {
  /// In the order of their deadlines at one instant.
  var devices: [Device]
  /// In the order of their notices at one instant.
  var links: [DeviceLink]
  /// The platform's sync of workouts to the phone; nil for a run without it.
  var health: HealthSync?
  /// HealthKit of the apps; nil for a run without apps.
  var platform: HealthPlatform?
  /// Number of HealthKit's messages to apps.
  var healthMessages: UInt64 = 0
  /// The athlete's nights; nil if nothing reads them.
  var nights: NightReports?
  var log: RunLog
  /// Knows from events when the run's workouts are over; nil if the watch's host knows of the only one.
  var workouts: StartedByPhone?
  /// Knows what the athlete really does; nil for a run without truth.
  var truth: TruthKeeper?
  /// The inputs of the next grant.
  var inputs: [NodeInput] = []
  private var turn: Turn
  /// Why the run ends: a node sent a frame for which it has no link, or too many.
  private(set) var breach: NodeFailure?

  /// - Parameter isKeeping: Whether a node may ever read what it stores.
  init(_ devices: [Device], _ links: [DeviceLink], _ sink: TraceSink, isKeeping: Bool) {
    self.devices = devices
    self.links = links
    turn = Turn(isRecording: sink.isRecording, isKeeping: isKeeping, passesValues: true)
    // Other processes include digests in their events; if no text is wanted, digests are left open.
    log = RunLog(sink, isDigesting: !devices.allSatisfy { $0.host.isInProcess })
  }

  /// The next instant at which a device, a link or the health store acts; the far future for never.
  ///
  /// Mutating, like the other accessors of the hot path, so that nothing is copied.
  var nextAt: VirtualTime {
    mutating get {
      var next = VirtualTime.distantFuture
      for index in devices.indices {
        if let at = devices[index].nextDeadline { next = min(next, at) }
        next = min(next, devices[index].status.nextAt)
      }
      for index in links.indices {
        if let at = links[index].medium.nextDeadline { next = min(next, at) }
        if let at = links[index].notice.nextAt { next = min(next, at) }
      }
      if let at = health?.nextAt { next = min(next, at) }
      if let at = nights?.nextAt { next = min(next, at) }
      if let at = platform?.nextAt { next = min(next, at) }
      return next
    }
  }

  /// Whether the run's workouts are over.
  var isWorkoutOver: Bool {
    mutating get {
      if let workouts { return workouts.isOver }
      for index in devices.indices where devices[index].role == .watch && devices[index].isWorkoutOver { return true }
      return false
    }
  }

  /// Whether a workout is still on at the end of the run, or may still start.
  var isWorkoutOn: Bool { mutating get { workouts?.isOpen ?? !isWorkoutOver } }

  /// When the last planned arrival is, held-back frames aside.
  var heldUpUntil: VirtualTime { links.map(\.medium.heldUpUntil).max() ?? .start }

  /// Whether a node is to be started or suspended now, or its peer to be notified.
  mutating func hasDueStatus() -> Bool {
    for index in devices.indices where devices[index].status.nextAt <= log.now { return true }
    return false
  }

  /// Whether a frame arrives now on a link, or a later one.
  mutating func hasArrivals(from first: Int) -> Bool {
    for index in first..<links.count where links[index].medium.isDue(at: log.now) { return true }
    return false
  }

  // MARK: Grants

  /// Passes the collected inputs to a node, or fires its timers, and carries out its orders.
  mutating func grant(to device: Int, fires: Bool = false) throws(NodeFailure) -> GrantEnding {
    let ending = try ask(device, fires: fires)
    var next = 0
    while next < turn.items.count { next = carryOut(from: next, of: device) }
    turn.items.removeFew()
    return ending
  }

  /// Passes the collected frames to their node: each one's orders follow the line of its own arrival.
  ///
  /// - Returns: How many of them have arrived; those after a stop find the node down.
  mutating func grant(
    _ arrivals: [Arrival], to device: Int
  ) throws(NodeFailure) -> (ending: GrantEnding, arrived: Int) {
    let ending = try ask(device, fires: false)
    var next = 0
    var arrived = 0
    while arrived < arrivals.count {
      // A node that was killed from outside without further output was dead when this arrived.
      if ending == .died, next == turn.items.count { break }
      let arrival = arrivals[arrived]
      log.recordDelivered(id: arrival.id, copy: arrival.copy, on: links[arrival.link].place)
      arrived += 1
      let first = next
      next = carryOut(from: first, of: device)
      if ending != .complete, !endsHandled(first..<next) { break }
    }
    turn.items.removeFew()
    return (ending, arrived)
  }

  private mutating func ask(_ device: Int, fires: Bool) throws(NodeFailure) -> GrantEnding {
    log.steps += fires ? 1 : inputs.count
    defer { inputs.removeFew() }
    turn.now = log.now
    return try devices[device].grant(&inputs, fire: fires, in: &turn)
  }

  /// Whether a part of the output ends with the end of an input.
  private func endsHandled(_ part: Range<Int>) -> Bool {
    if let last = part.last, case .handled = turn.items[last] { true } else { false }
  }

  /// Carries out a node's orders up to the end of one input; returns the index of the next one's.
  private mutating func carryOut(from first: Int, of device: Int) -> Int {
    var items: [Turn.Item] = []
    swap(&items, &turn.items)
    defer { swap(&items, &turn.items) }
    var index = first
    while index < items.count {
      let current = index
      index += 1
      switch items[current] {
      case .frame, .event, .frequent: break
      case .handled: return index
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: continue  // The host's business.
      }
      // Moved out, so that its references move along; the commit in its place is a no-op here.
      switch items.moveOut(current, leaving: .commit) {
      case .frame(let frame): send(frame, from: device)
      case .event(let event):
        workouts?.observe(event)
        observeTruth(event)
        log.sink.emit(event)
        if log.sink.outstanding.count > TraceSink.outstandingMax { endRunAfterQueueing(by: devices[device].role) }
        countLine(of: device)
      case .frequent(let event, let place):
        switch event {
        case .messageReceived(let event): log.sink.emit(value: event, at: log.now, on: place)
        case .snapshot(let event): log.sink.emit(value: event, at: log.now, on: place)
        case .snapshotFresh(let event): log.sink.emit(value: event, at: log.now, on: place)
        }
        countLine(of: device)
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk, .handled:
        preconditionFailure("an order that is neither a frame nor a line")
      }
    }
    return index
  }

  /// Counts a line of a device, and ends the run after one too many.
  private mutating func countLine(of device: Int) {
    if !devices[device].lines.admit(at: log.now) { breach = breach ?? LineLimit.failure(of: devices[device].role) }
  }

  // MARK: Frames

  /// The health store's next answer to the phone that is due, if any.
  mutating func popHealthAnswer() -> Frame? {
    let now = log.now
    return health?.popDue(at: now)
  }

  /// Records the nights that are over.
  mutating func reportNights() {
    guard let at = nights?.nextAt, at <= log.now else { return }
    for night in nights?.takeDue(at: log.now) ?? [] { log.sink.emit(TraceEvent(night, at: log.now, on: .phone)) }
  }

  mutating func send(_ frame: consuming Frame, from device: Int) {
    let sender = devices[device].role
    let now = log.now
    if frame.channel == .health, health != nil, sender != .edge {
      health?.receive(consume frame, from: sender, at: now)
      if health?.isFlooded == true { endRunAfterFlood(by: sender) }
      return
    }
    if frame.channel == .health, sender != .edge, devices[device].host.isApp {
      platform?.receive(consume frame, from: sender, at: now)
      if let role = platform?.flooder { endRunAfterRequests(by: role) }
      return
    }
    guard let link = link(for: frame.channel, from: device) else {
      let why = devices.contains { $0.role == .edge } ? "over which it reaches no node" : "in a run without an edge"
      return endRun(sender, .gaveUp("sent a frame of the channel \(frame.channel.text), \(why)"))
    }
    let direction = links[link].route.direction(from: sender)
    let id = log.recordSent(&frame, from: sender, to: direction.receiver)
    links[link].medium.send(consume frame, id: id, direction: direction, at: now)
    if links[link].medium.isFlooded { endRunAfterFlood(by: sender) }
    guard !links[link].medium.immediate.isEmpty else { return }
    for fate in links[link].medium.immediate { log.record(fate, on: links[link].place) }
    links[link].medium.immediate.removeFew()
  }

  /// The link that takes a device's frames of a channel, if any.
  private mutating func link(for channel: Channel, from device: Int) -> Int? {
    for index in links.indices where links[index].route.takes(channel, from: device) {
      return index
    }
    return nil
  }

  /// Ends the run because a node sent one frame too many.
  @inline(never)
  private mutating func endRunAfterFlood(by role: NodeRole) {
    endRun(
      role,
      .overload("has more than \(Medium.framesMax) frames or \(Medium.bytesMax >> 20) MiB in flight on one link"))
  }

  /// Ends the run because a node reports one transfer too many that is not over, as one does that invents them.
  @inline(never)
  private mutating func endRunAfterQueueing(by role: NodeRole) {
    endRun(role, .overload("reported more than \(TraceSink.outstandingMax) transfers that are queued and never end"))
  }

  /// Ends the run because an app sends its device more than the device may keep.
  @inline(never)
  private mutating func endRunAfterRequests(by role: NodeRole) {
    endRun(role, .overload("sent HealthKit more than \(HealthPlatform.bytesAtOnce >> 20) MiB at once"))
  }

  private mutating func endRun(_ role: NodeRole, _ cause: NodeFailure.Cause) {
    breach = breach ?? NodeFailure(role, cause)
  }

  // MARK: Links

  mutating func withLink(at place: TraceEvent.Place, _ change: (inout DeviceLink) -> Void) {
    for index in links.indices where links[index].place == place { change(&links[index]) }
  }

  /// Cuts or restores a link, and records it if the link went down or up.
  mutating func changeLink(
    at place: TraceEvent.Place, isUp: Bool, cause: String, _ change: (inout DeviceLink) -> Bool
  ) {
    for index in links.indices where links[index].place == place {
      guard change(&links[index]) else { continue }
      if isUp {
        log.record(LinkCameUp.self, on: place) { $0.cause = cause }
      } else {
        log.record(LinkWentDown.self, on: place) { $0.cause = cause }
      }
    }
  }

  /// Ends all frames in flight, so that each has its fate.
  mutating func giveUpFrames() {
    for index in links.indices {
      for fate in links[index].medium.dropAll() { log.record(fate, on: links[index].place) }
    }
  }
}
