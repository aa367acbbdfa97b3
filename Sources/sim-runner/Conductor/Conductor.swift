import Link
import LinkTransport

/// Owns virtual time: decides what happens next, hands it to whom it concerns, and writes the trace.
///
/// At one instant the order is fixed (spec 1.5): faults and link changes; commands of the scenario and of
/// keys; arrivals in the order of their sending; deadlines of the watch, then of the phone. The conductor
/// is the same for nodes in this process and in others; what differs is the ``NodeHost``.
struct Conductor<Watch: NodeHost, Phone: NodeHost> {
  /// What a run is made of, besides its nodes.
  struct Setup {
    var seed: UInt64
    var link: LinkProfile
    var faults: [PlannedFault]
    /// What users do, in the order of time; at one instant the watch's before the phone's.
    var commands: [Command]
    /// When the run ends at the latest.
    var duration: VirtualTime.Span
  }

  /// One thing that a user does.
  struct Command {
    var at: VirtualTime
    var role: NodeRole
    var command: NodeCommand
  }

  /// How long the queues may drain after the end.
  static var drainMax: VirtualTime.Span { .seconds(600) }
  /// How long a run goes on after its workout.
  static var afterglow: VirtualTime.Span { .seconds(5) }

  var watch: Watch
  var phone: Phone
  var sink: TraceSink
  private(set) var now = VirtualTime.start
  /// How many frames were sent.
  private(set) var frames: UInt64 = 0
  /// How many inputs and deadlines the machines have handled, and frames the medium.
  private(set) var steps = 0
  /// Called before time moves on to an instant: the pacer, and whoever may stop a run; false stops it.
  var beforeAdvance: ((VirtualTime) -> Bool)?
  private(set) var wasStopped = false

  /// Notes that the user stopped the run while a node was waited for.
  mutating func stop() { wasStopped = true }

  private let seed: UInt64
  private var medium: Medium
  private var faults: FaultSchedule
  private var notice: LinkNotice
  private var commands: ArraySlice<Command>
  private var endAt: VirtualTime
  private var isHealed = false
  private var cutting: [Int] = []
  private var output: NodeOutput
  private var inputs: [NodeInput] = []
  private var due: [Medium.Fate] = []

  init(_ setup: Setup, watch: Watch, phone: Phone, sink: TraceSink) {
    seed = setup.seed
    medium = Medium(place: .link, profile: setup.link, seed: setup.seed)
    faults = FaultSchedule(setup.faults)
    notice = LinkNotice(profile: setup.link, seed: setup.seed)
    commands = setup.commands[...]
    endAt = .start + setup.duration
    self.watch = watch
    self.phone = phone
    self.sink = sink
    output = NodeOutput(isRecording: sink.isRecording)
  }

  /// Runs to the end: the workout, the healing, the draining of the queues.
  ///
  /// - Throws: When a node fails; `now` tells when, and the sink holds everything up to then.
  mutating func run() throws(NodeFailure) {
    for role in [NodeRole.watch, .phone] {
      record(.nodeStarted, on: .runner) {
        [.init("target", .string(role.text)), .init("epoch", .int(1)), .init("cause", .string("launch"))]
      }
    }
    while let next = nextInstant {
      if next > now {
        if let beforeAdvance, !beforeAdvance(next) {
          wasStopped = true
          return
        }
        now = next
      }
      try handleInstant()
    }
  }

  /// When something happens next; nil when the run is over.
  private var nextInstant: VirtualTime? {
    var next = isHealed ? VirtualTime.distantFuture : endAt
    if let at = watch.nextDeadline { next = min(next, at) }
    if let at = phone.nextDeadline { next = min(next, at) }
    if let at = medium.nextDeadline { next = min(next, at) }
    if let at = notice.nextAt { next = min(next, at) }
    if !isHealed {
      if let at = faults.nextAt { next = min(next, at) }
      if let at = commands.first?.at { next = min(next, at) }
    }
    if isHealed, next > endAt + Self.drainMax { return nil }
    return max(next, now)
  }

  private mutating func handleInstant() throws(NodeFailure) {
    if !isHealed { takeFaults() }
    if now >= endAt, !isHealed { heal() }
    medium.horizon = isHealed ? .distantFuture : min(faults.nextAt ?? .distantFuture, endAt)
    if let isUp = notice.takeDue(at: now) {
      for role in [NodeRole.watch, .phone] { try grant(.link(isUp: isUp), to: role) }
    }
    try takeCommands()
    try takeArrivals()
    if let at = watch.nextDeadline, at <= now { try fire(.watch) }
    if let at = phone.nextDeadline, at <= now { try fire(.phone) }
    if watch.isWorkoutOver, !isHealed { endAt = min(endAt, max(now, workoutOver(at: now)) + Self.afterglow) }
  }

  private var workoutOverAt: VirtualTime?
  private mutating func workoutOver(at now: VirtualTime) -> VirtualTime {
    let at = workoutOverAt ?? now
    workoutOverAt = at
    return at
  }

  // MARK: Faults

  private mutating func takeFaults() {
    while let step = faults.takeDue(at: now) {
      let planned = faults.plan[step.index]
      switch step.what {
      case .begin:
        record(.faultBegin, on: .link) {
          [
            .init("fault", .string(planned.id)), .init("kind", .string(planned.kind)),
            .init("params", .json(planned.paramsText)),
          ]
        }
        if case .frame(let fault) = planned.body { medium.begin(planned, fault, index: step.index, seed: seed) }
      case .order(.cutLink): cut(by: step.index)
      case .order(.restoreLink): restore(by: step.index)
      case .end: end(step.index)
      }
    }
  }

  private mutating func end(_ index: Int) {
    let planned = faults.plan[index]
    restore(by: index)
    medium.end(index: index)
    record(.faultEnd, on: .link) { [.init("fault", .string(planned.id)), .init("kind", .string(planned.kind))] }
  }

  private mutating func cut(by index: Int) {
    guard !cutting.contains(index) else { return }
    cutting.append(index)
    let id = faults.plan[index].id
    guard medium.cut(by: id) else { return }
    notice.cut(at: now)
    record(.linkDown, on: .link) { [.init("cause", .string(id))] }
  }

  private mutating func restore(by index: Int) {
    guard let place = cutting.firstIndex(of: index) else { return }
    cutting.remove(at: place)
    guard medium.restore() else { return }
    notice.restore(at: now)
    let id = faults.plan[index].id
    record(.linkUp, on: .link) { [.init("cause", .string(id))] }
  }

  /// Ends every fault; from here on the queues drain.
  private mutating func heal() {
    for index in faults.endAll() { end(index) }
    isHealed = true
    record(.healed, on: .runner) { [] }
    commands = commands.isEmpty ? commands : commands.prefix(0)
    if !watch.isWorkoutOver {
      commands = [Command(at: now, role: .watch, command: NodeCommand("end", arguments: "{\"cause\":\"duration\"}"))]
    }
  }

  // MARK: Nodes

  private mutating func takeCommands() throws(NodeFailure) {
    while let next = commands.first, next.at <= now {
      commands.removeFirst()
      try grant(.command(next.command), to: next.role)
    }
  }

  private mutating func takeArrivals() throws(NodeFailure) {
    while let fate = medium.takeDue(at: now) { due.append(fate) }
    guard !due.isEmpty else { return }
    var index = 0
    while index < due.count {
      guard case .delivered(_, _, _, let role) = due[index] else {
        record(due[index])
        index += 1
        continue
      }
      let first = index
      while index < due.count, case .delivered(_, _, let frame, let other) = due[index], other == role {
        inputs.append(.frame(frame))
        index += 1
      }
      try grantInputs(to: role)
      var place = 0
      for arrival in first..<index {
        if sink.isRecording { record(due[arrival]) }
        place = carryOut(from: place, of: role)
      }
      settle()
    }
    due.removeAll(keepingCapacity: true)
  }

  private mutating func grant(_ input: NodeInput, to role: NodeRole) throws(NodeFailure) {
    inputs.append(input)
    try grantInputs(to: role)
    _ = carryOut(from: 0, of: role)
    settle()
  }

  private mutating func grantInputs(to role: NodeRole) throws(NodeFailure) {
    steps += inputs.count
    if role == .watch {
      try watch.grant(inputs, fire: false, at: now, into: &output)
    } else {
      try phone.grant(inputs, fire: false, at: now, into: &output)
    }
    inputs.removeAll(keepingCapacity: true)
  }

  private mutating func fire(_ role: NodeRole) throws(NodeFailure) {
    steps += 1
    if role == .watch {
      try watch.grant([], fire: true, at: now, into: &output)
    } else {
      try phone.grant([], fire: true, at: now, into: &output)
    }
    _ = carryOut(from: 0, of: role)
    settle()
    let next = role == .watch ? watch.nextDeadline : phone.nextDeadline
    guard next.map({ $0 > now }) ?? true else {
      throw NodeFailure(role, .gaveUp("asked to be called again at the instant it was just called at"))
    }
  }

  /// Empties the buffer after all of it has been carried out.
  private mutating func settle() { output.items.removeAll(keepingCapacity: true) }

  /// Carries out a node's orders up to the end of one input; returns where the next one's begin.
  private mutating func carryOut(from first: Int, of role: NodeRole) -> Int {
    var index = first
    while index < output.items.count {
      defer { index += 1 }
      switch output.items[index] {
      case .frame(let frame): send(frame, from: role)
      case .event(let event): sink.emit(event)
      case .handled: return index + 1
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: continue  // The host's business.
      }
    }
    return index
  }

  // MARK: Frames

  private mutating func send(_ frame: Frame, from role: NodeRole) {
    frames += 1
    steps += 1
    let id = frames
    if sink.isRecording { sink.emit(sentEvent(frame, id: id, from: role)) }
    medium.send(frame, id: id, direction: Direction(from: role), at: now)
    if !medium.immediate.isEmpty {
      for fate in medium.immediate { record(fate) }
      medium.immediate.removeAll(keepingCapacity: true)
    }
  }

  /// Ends the run for what is still under way, so that every frame has its fate.
  mutating func giveUpFrames() {
    for fate in medium.giveUp() { record(fate) }
  }

  private func sentEvent(_ frame: Frame, id: UInt64, from role: NodeRole) -> TraceEvent {
    var fields: [TraceEvent.Field] = []
    fields.reserveCapacity(11)
    fields.append(.init("id", .int(Int64(id))))
    fields.append(.init("to", .string(role.peer.text)))
    fields.append(.init("kind", .string(frame.kind.text)))
    fields.append(.init("channel", .string(frame.channel.text)))
    fields.append(.init("epoch", .int(Int64(frame.epoch.rawValue))))
    fields.append(.init("seq", .int(Int64(clamping: frame.seq.rawValue))))
    fields.append(.init("bytes", .int(Int64(frame.payload.count))))
    fields.append(.init("digest", .hex(Digest.prefix(frame.payload))))
    if frame.attempt > 1 { fields.append(.init("attempt", .int(Int64(frame.attempt)))) }
    if frame.transfer != Identifier(high: 0, low: 0) { fields.append(.init("transfer", frame.transfer.traceValue)) }
    if frame.kind == .chunk { fields.append(.init("offset", .int(Int64(clamping: frame.offset)))) }
    return TraceEvent(.frameSent, at: now, on: role.place, fields)
  }

  private mutating func record(_ fate: Medium.Fate) {
    guard sink.isRecording else { return }
    let event: TraceEvent
    switch fate {
    case .duplicated(let id, let copies):
      event = TraceEvent(
        .frameDuplicated, at: now, on: .link, [.init("id", .int(Int64(id))), .init("copies", .int(Int64(copies)))])
    case .delivered(let id, let copy, _, _):
      event = TraceEvent(
        .frameDelivered, at: now, on: .link, [.init("id", .int(Int64(id))), .init("copy", .int(Int64(copy)))])
    case .dropped(let id, let copy, let cause, let fault):
      var fields: [TraceEvent.Field] = [
        .init("id", .int(Int64(id))), .init("copy", .int(Int64(copy))), .init("cause", .string(cause.text)),
      ]
      if let fault { fields.append(.init("fault", .string(fault))) }
      event = TraceEvent(.frameDropped, at: now, on: .link, fields)
    }
    sink.emit(event)
  }

  private mutating func record(
    _ name: TraceEvent.Name, on place: TraceEvent.Place, _ fields: () -> [TraceEvent.Field]
  ) {
    guard sink.isRecording else { return }
    sink.emit(TraceEvent(name, at: now, on: place, fields()))
  }
}
