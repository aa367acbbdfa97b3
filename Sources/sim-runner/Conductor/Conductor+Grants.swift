import Link
import LinkTransport

extension Conductor {
  // MARK: Arrivals

  mutating func deliverArrivals() throws(NodeFailure) {
    if hasEdge {
      while let fate = medium.popDue(at: now) { due.append(fate) }
      mergeUplinkArrivals()
    } else {
      while let fate = medium.popDue(at: now) {
        // Nearly always the only one of its instant.
        if due.isEmpty, !medium.isDue(at: now) {
          if let role = try gather(fate, on: .link) { try deliver(to: role) }
          return
        }
        due.append(fate)
      }
    }
    guard !due.isEmpty else { return }
    if due.count > 1 { due.reverse() }
    var index = 0
    // Popped from the reversed list, so that each is moved to its node and none is copied.
    while let fate = due.popLast() {
      let link = link(of: index)
      index += 1
      guard let role = try gather(fate, on: link) else { continue }
      while let next = due.last, let arrival = joining(next, to: role, at: index) {
        due.removeLast()
        arrivals.append(arrival)
        index += 1
      }
      try deliver(to: role)
    }
    if !dueLinks.isEmpty { dueLinks.removeFew() }
  }

  /// Adds an arrival to its node's inputs, and returns the node; nil if it reaches none, which is recorded.
  @inline(__always)
  private mutating func gather(
    _ fate: Medium.Fate, on place: TraceEvent.Place
  ) throws(NodeFailure) -> NodeRole? {
    switch fate {
    case .delivered(let id, let copy, let frame, let role):
      let arrival = Arrival(id: id, copy: copy, place: place)
      if mayFail, try !admit(frame, to: role, as: arrival) { return nil }
      inputs.append(.frame(frame))
      arrivals.append(arrival)
      return role
    case .dropped, .duplicated:
      record(fate, on: place)
      return nil
    }
  }

  /// Adds another arrival to a node's inputs; nil for one that needs individual handling.
  private mutating func joining(_ next: Medium.Fate, to role: NodeRole, at index: Int) -> Arrival? {
    guard case .delivered(let id, let copy, let frame, let other) = next, other == role,
      !mayFail || !needsCare(frame, to: role)
    else { return nil }
    if launchesPhone, role == .phone, frame.isMessage { lastMessageToPhone = max(lastMessageToPhone, id) }
    inputs.append(.frame(frame))
    return Arrival(id: id, copy: copy, place: link(of: index))
  }

  /// The link of an arrival.
  private func link(of index: Int) -> TraceEvent.Place { dueLinks.isEmpty ? .link : dueLinks[index] }

  /// Merges due frames of the uplink with those of the link, in the order of sending.
  private mutating func mergeUplinkArrivals() {
    while let fate = uplink.popDue(at: now) { uplinkDue.append(fate) }
    guard !uplinkDue.isEmpty else { return }
    let onLink = due
    due.removeAll(keepingCapacity: true)
    var next = 0
    for fate in uplinkDue {
      while next < onLink.count, onLink[next].id < fate.id {
        due.append(onLink[next])
        dueLinks.append(.link)
        next += 1
      }
      due.append(fate)
      dueLinks.append(.uplink)
    }
    for fate in onLink[next...] {
      due.append(fate)
      dueLinks.append(.link)
    }
    uplinkDue.removeAll(keepingCapacity: true)
  }

  /// Passes the collected arrivals to their node.
  ///
  /// Each one's events follow its own arrival; those after a stop find the node down.
  private mutating func deliver(to role: NodeRole) throws(NodeFailure) {
    let ending = try askNode(role)
    var next = 0
    var arrived = 0
    while arrived < arrivals.count {
      // A node that was killed from outside without further output was dead when this arrived.
      if ending == .died, next == output.items.count { break }
      if sink.isRecording {
        let arrival = arrivals[arrived]
        frameLines.delivered(id: arrival.id, copy: arrival.copy, on: arrival.place, at: now)
        sink.emit(frameLines.delivered)
      }
      arrived += 1
      let first = next
      next = carryOut(from: first, of: role)
      if ending != .complete, !endsHandled(first..<next) { break }
    }
    settle(role, ending)
    while arrived < arrivals.count {
      drop(arrivals[arrived], role)
      arrived += 1
    }
    arrivals.removeFew()
  }

  /// Whether a part of the output ends with the end of an input.
  private func endsHandled(_ part: Range<Int>) -> Bool {
    if let last = part.last, case .handled = output.items[last] { true } else { false }
  }

  /// Whether a frame needs checks before it is delivered.
  private func needsCare(_ frame: Frame, to role: NodeRole) -> Bool {
    if role == .edge { return false }
    return switch role == .watch ? watchStatus.activity : phoneStatus.activity {
    case .awake: false
    case .asleep: frame.isInteractive || frame.channel == .http
    case .down: true
    }
  }

  /// Admits a frame: one for a node that is down is dropped; a message wakes a sleeping node, or is lost.
  ///
  /// An answer of the edge to a suspended app is lost too, and requested again once it is awake: the system keeps only
  /// the queues.
  private mutating func admit(_ frame: Frame, to role: NodeRole, as arrival: Arrival) throws(NodeFailure) -> Bool {
    if launchesPhone, role == .phone, frame.isMessage {
      if !phoneStatus.isUp, mayLaunch(by: arrival) { try launchPhone() }
      if phoneStatus.isUp { lastMessageToPhone = max(lastMessageToPhone, arrival.id) }
    }
    guard needsCare(frame, to: role) else { return true }
    if status(role).isUp {
      guard status(role).canBeWoken, frame.isInteractive else {
        let sleeps = status(role).sleeps.filter { !$0.wakes || !frame.isInteractive }.map { Optional($0.fault) }
        drop(arrival, cause: .suspended, fault: blame(sleeps))
        return false
      }
      try wake(role, cause: "message")
    }
    guard !status(role).isUp else { return true }
    drop(arrival, role)
    return false
  }

  /// Drops an arrival at a node that is down.
  private mutating func drop(_ arrival: Arrival, _ role: NodeRole) {
    drop(arrival, cause: .nodeDown, fault: blame(status(role).downs.map(\.fault)))
  }

  private mutating func drop(_ arrival: Arrival, cause: DropCause, fault: String?) {
    record(.dropped(id: arrival.id, copy: arrival.copy, cause: cause, fault: fault), on: arrival.place)
  }

  // MARK: Grants

  mutating func grant(_ input: NodeInput, to role: NodeRole) throws(NodeFailure) {
    inputs.append(input)
    try grantInputs(to: role)
  }

  /// Passes the collected inputs to a node and carries out its output.
  mutating func grantInputs(to role: NodeRole) throws(NodeFailure) {
    let ending = try askNode(role)
    carryOutAll(of: role)
    settle(role, ending)
  }

  private mutating func askNode(_ role: NodeRole) throws(NodeFailure) -> GrantEnding {
    steps += inputs.count
    defer { inputs.removeFew() }
    try admitGrant(to: role)
    switch role {
    case .watch:
      watchStatus.lastInput = now
      return try watch.grant(&inputs, fire: false, at: now, into: &output)
    case .phone:
      phoneStatus.lastInput = now
      return try phone.grant(&inputs, fire: false, at: now, into: &output)
    case .edge: return try grantEdge(fire: false)
    }
  }

  private mutating func grantEdge(fire: Bool) throws(NodeFailure) -> GrantEnding {
    // Moved out, because an access through an optional is exclusive for everything in it.
    guard var host = edge.take() else { preconditionFailure("a run without an edge asks one") }
    defer { edge = host }
    return try host.grant(&inputs, fire: fire, at: now, into: &output)
  }

  @inline(__always)
  private mutating func admitGrant(to role: NodeRole) throws(NodeFailure) {
    guard grantLimits[Int(role.rawValue)].admit(at: now) else { throw GrantLimit.failure(of: role) }
  }

  mutating func fire(_ role: NodeRole) throws(NodeFailure) {
    steps += 1
    try admitGrant(to: role)
    let ending =
      switch role {
      case .watch: try watch.grant(&inputs, fire: true, at: now, into: &output)
      case .phone: try phone.grant(&inputs, fire: true, at: now, into: &output)
      case .edge: try grantEdge(fire: true)
      }
    carryOutAll(of: role)
    settle(role, ending)
    let next =
      switch role {
      case .watch: watch.nextDeadline
      case .phone: phone.nextDeadline
      case .edge: edge?.nextDeadline
      }
    guard next.map({ $0 > now }) ?? true else {
      throw NodeFailure(role, .gaveUp("requested another call at the instant of its last call"))
    }
  }

  /// Empties the buffer after everything in it was carried out, and takes down a node that stopped at a crash point.
  private mutating func settle(_ role: NodeRole, _ ending: GrantEnding) {
    output.items.removeFew()
    switch ending {
    case .complete: break
    case .stopped(let point): triggerFaults(of: role, at: point)
    case .died: recordDeath(of: role)
    }
  }

  private mutating func carryOutAll(of role: NodeRole) {
    var next = 0
    while next < output.items.count { next = carryOut(from: next, of: role) }
  }

  /// Carries out a node's orders up to the end of one input; returns the index of the next one's.
  private mutating func carryOut(from first: Int, of role: NodeRole) -> Int {
    var items: [NodeOutput.Item] = []
    swap(&items, &output.items)
    defer { swap(&items, &output.items) }
    return items.withUnsafeMutableBufferPointer { items in
      var index = first
      while index < items.count {
        let current = index
        index += 1
        switch items[current] {
        case .frame, .event: break
        case .handled: return index
        case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: continue  // The host's business.
        }
        // Moved out, so that its references move along; the commit in its place is a no-op here.
        let item = items.moveElement(from: current)
        items.initializeElement(at: current, to: .commit)
        switch consume item {
        case .frame(let frame): send(frame, from: role)
        case .event(let event):
          if observesWorkouts { startedByPhone.observe(event) }
          sink.emit(event)
        case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk, .handled:
          preconditionFailure("an order that is neither a frame nor a line")
        }
      }
      return index
    }
  }

  // MARK: Frames

  /// Delivers the health store's answers to the phone; an app that is down gets none, and asks again.
  mutating func deliverHealthAnswers() throws(NodeFailure) {
    while let frame = health.popDue(at: now) {
      if phoneStatus.isUp { try grant(.frame(frame), to: .phone) }
    }
  }

  private mutating func send(_ frame: consuming Frame, from role: NodeRole) {
    if syncsHealth, frame.channel == .health, role != .edge {
      health.receive(consume frame, from: role, at: now)
      if health.isFlooded { endRunAfterFlood(by: role) }
      return
    }
    guard frame.channel != .http, frame.channel != .health, role != .edge else {
      return sendOverUplink(consume frame, from: role)
    }
    frames += 1
    steps += 1
    let id = frames
    if sink.isRecording, !frameLines.isDigesting {
      frameLines.sent(frame, id: id, from: role, to: role.peer, at: now)
      sink.emit(frameLines.sent)
    } else if sink.isRecording {
      // The frame carries its digest for the event of its arrival.
      frameLines.sent(digesting: &frame, id: id, from: role, to: role.peer, at: now)
      sink.emit(frameLines.sent)
    }
    medium.send(consume frame, id: id, direction: Direction(from: role), at: now)
    if medium.isFlooded { endRunAfterFlood(by: role) }
    if !medium.immediate.isEmpty {
      for fate in medium.immediate { record(fate, on: .link) }
      medium.immediate.removeFew()
    }
  }

  private mutating func sendOverUplink(_ frame: consuming Frame, from role: NodeRole) {
    guard hasEdge, frame.channel == .http, role != .watch else {
      let why = hasEdge ? "over which it reaches no node" : "in a run without an edge"
      let failure = NodeFailure(role, .gaveUp("sent a frame of the channel \(frame.channel.text), \(why)"))
      breach = breach ?? failure
      return
    }
    frames += 1
    steps += 1
    let id = frames
    let direction = Direction(overUplinkFrom: role)
    if sink.isRecording {
      frameLines.sent(digesting: &frame, id: id, from: role, to: direction.receiver, at: now)
      sink.emit(frameLines.sent)
    }
    uplink.send(consume frame, id: id, direction: direction, at: now)
    if uplink.isFlooded { endRunAfterFlood(by: role) }
    for fate in uplink.immediate { record(fate, on: .uplink) }
    if !uplink.immediate.isEmpty { uplink.immediate.removeAll(keepingCapacity: true) }
  }

  /// Ends the run because a node sent one frame too many.
  @inline(never)
  private mutating func endRunAfterFlood(by role: NodeRole) {
    let failure = NodeFailure(
      role,
      .overload("has more than \(Medium.framesMax) frames or \(Medium.bytesMax >> 20) MiB in flight on one link"))
    breach = breach ?? failure
  }

  /// Ends all frames in flight, so that each has its fate.
  mutating func giveUpFrames() {
    for fate in medium.dropAll() { record(fate, on: .link) }
    if hasEdge { for fate in uplink.dropAll() { record(fate, on: .uplink) } }
  }

  private mutating func record(_ fate: Medium.Fate, on place: TraceEvent.Place) {
    guard sink.isRecording else { return }
    let event: TraceEvent
    switch fate {
    case .duplicated(let id, let copies):
      event = TraceEvent(
        .frameDuplicated, at: now, on: place, [.init("id", .int(Int64(id))), .init("copies", .int(Int64(copies)))])
    case .delivered(let id, let copy, _, _):
      frameLines.delivered(id: id, copy: copy, on: place, at: now)
      return sink.emit(frameLines.delivered)
    case .dropped(let id, let copy, let cause, let fault):
      var fields: [TraceEvent.Field] = [
        .init("id", .int(Int64(id))), .init("copy", .int(Int64(copy))), .init("cause", .string(cause.text)),
      ]
      if let fault { fields.append(.init("fault", .string(fault))) }
      event = TraceEvent(.frameDropped, at: now, on: place, fields)
    }
    sink.emit(event)
  }
}

extension Frame {
  /// Whether this is a message, and not a reply.
  var isMessage: Bool { channel == .message && kind == .data }
  /// Whether this is a message or its reply, which only a running app can receive.
  var isInteractive: Bool { channel == .message && (kind == .data || kind == .reply) }
}
