import Link
import LinkTransport

extension Conductor {
  // MARK: Arrivals

  mutating func takeArrivals() throws(NodeFailure) {
    if hasEdge {
      while let fate = medium.takeDue(at: now) { due.append(fate) }
      takeUplinkArrivals()
    } else {
      while let fate = medium.takeDue(at: now) {
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
    // Taken from the end, the first one last: so each is moved to its node, and none is copied.
    while let fate = due.popLast() {
      let place = place(of: index)
      index += 1
      guard let role = try gather(fate, on: place) else { continue }
      while let next = due.last, let arrival = joining(next, to: role, at: index) {
        due.removeLast()
        arrivals.append(arrival)
        index += 1
      }
      try deliver(to: role)
    }
    if !duePlaces.isEmpty { duePlaces.removeFew() }
  }

  /// Puts an arrival among its node's inputs, and returns the node; nil for what reaches none, which is recorded.
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

  /// Adds one more arrival at a node to its inputs; nil for one that must be looked at by itself.
  private mutating func joining(_ next: Medium.Fate, to role: NodeRole, at index: Int) -> Arrival? {
    guard case .delivered(let id, let copy, let frame, let other) = next, other == role,
      !mayFail || !needsCare(frame, to: role)
    else { return nil }
    if launchesPhone, role == .phone, frame.isMessage { lastMessageToPhone = max(lastMessageToPhone, id) }
    inputs.append(.frame(frame))
    return Arrival(id: id, copy: copy, place: place(of: index))
  }

  /// The link of an arrival.
  private func place(of index: Int) -> TraceEvent.Place { duePlaces.isEmpty ? .link : duePlaces[index] }

  /// Puts what is due on the uplink among what is due on the link: all in the order of their sending.
  private mutating func takeUplinkArrivals() {
    while let fate = uplink.takeDue(at: now) { uplinkDue.append(fate) }
    guard !uplinkDue.isEmpty else { return }
    let onLink = due
    due.removeAll(keepingCapacity: true)
    var next = 0
    for fate in uplinkDue {
      while next < onLink.count, onLink[next].id < fate.id {
        due.append(onLink[next])
        duePlaces.append(.link)
        next += 1
      }
      due.append(fate)
      duePlaces.append(.uplink)
    }
    for fate in onLink[next...] {
      due.append(fate)
      duePlaces.append(.link)
    }
    uplinkDue.removeAll(keepingCapacity: true)
  }

  /// Hands the arrivals that stand in the inputs to their node: each one's lines stand behind its own arrival, and those that came when it had stopped
  /// find it down.
  private mutating func deliver(to role: NodeRole) throws(NodeFailure) {
    let ending = try askNode(role)
    var place = 0
    var arrived = 0
    while arrived < arrivals.count {
      // One that was killed from outside and has nothing more to tell was dead when this came.
      if ending == .died, place == output.items.count { break }
      if sink.isRecording {
        let arrival = arrivals[arrived]
        frameLines.delivered(id: arrival.id, copy: arrival.copy, on: arrival.place, at: now)
        sink.emit(frameLines.delivered)
      }
      arrived += 1
      let first = place
      place = carryOut(from: first, of: role)
      if ending != .complete, !endsHandled(first..<place) { break }
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

  /// Whether a frame cannot simply be handed to a node.
  private func needsCare(_ frame: Frame, to role: NodeRole) -> Bool {
    if role == .edge { return false }
    return switch role == .watch ? watchStatus.activity : phoneStatus.activity {
    case .awake: false
    case .asleep: frame.isInteractive || frame.channel == .http
    case .down: true
    }
  }

  /// Lets a frame in: one that arrives at a node that is down is dropped, a message wakes one that sleeps, or is lost.
  ///
  /// What the edge answers to an app that sleeps is lost too, and asked for again once it is awake: only the queues are the
  /// system's to keep.
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

  /// Hands the gathered inputs to a node and carries out what it does.
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
    // Taken out, as what is asked through an optional is accessed together with all else.
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
      throw NodeFailure(role, .gaveUp("asked to be called again at the instant it was just called at"))
    }
  }

  /// Empties the buffer after all of it has been carried out, and takes a node down that has come to a crash point.
  private mutating func settle(_ role: NodeRole, _ ending: GrantEnding) {
    output.items.removeFew()
    switch ending {
    case .complete: break
    case .stopped(let point): strike(role, at: point)
    case .died: noteDeath(of: role)
    }
  }

  private mutating func carryOutAll(of role: NodeRole) {
    var place = 0
    while place < output.items.count { place = carryOut(from: place, of: role) }
  }

  /// Carries out a node's orders up to the end of one input; returns where the next one's begin.
  private mutating func carryOut(from first: Int, of role: NodeRole) -> Int {
    var items: [NodeOutput.Item] = []
    swap(&items, &output.items)
    defer { swap(&items, &output.items) }
    return items.withUnsafeMutableBufferPointer { items in
      var index = first
      while index < items.count {
        let place = index
        index += 1
        switch items[place] {
        case .frame, .event: break
        case .handled: return index
        case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: continue  // The host's business.
        }
        // Taken out, so that its references go on with it; a commit in its place is nothing here.
        let item = items.moveElement(from: place)
        items.initializeElement(at: place, to: .commit)
        switch consume item {
        case .frame(let frame): send(frame, from: role)
        case .event(let event):
          if startsByPhone { startedByPhone.observe(event) }
          sink.emit(event)
        case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk, .handled:
          preconditionFailure("an order that is no frame and no line")
        }
      }
      return index
    }
  }

  // MARK: Frames

  /// Hands the phone what the health store answers; an app that is down is told nothing, and asks again.
  mutating func takeHealth() throws(NodeFailure) {
    while let frame = health.takeDue(at: now) {
      if phoneStatus.isUp { try grant(.frame(frame), to: .phone) }
    }
  }

  private mutating func send(_ frame: consuming Frame, from role: NodeRole) {
    if syncsHealth, frame.channel == .health, role != .edge {
      health.take(consume frame, from: role, at: now)
      if health.isFlooded { noteFlood(by: role) }
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
      // Its digest goes with it, for the line of its arrival.
      frameLines.sent(digesting: &frame, id: id, from: role, to: role.peer, at: now)
      sink.emit(frameLines.sent)
    }
    medium.send(consume frame, id: id, direction: Direction(from: role), at: now)
    if medium.isFlooded { noteFlood(by: role) }
    if !medium.immediate.isEmpty {
      for fate in medium.immediate { record(fate, on: .link) }
      medium.immediate.removeFew()
    }
  }

  private mutating func sendOverUplink(_ frame: consuming Frame, from role: NodeRole) {
    guard hasEdge, frame.channel == .http, role != .watch else {
      let why = hasEdge ? "over which it reaches nobody" : "in a run without an edge"
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
    if uplink.isFlooded { noteFlood(by: role) }
    for fate in uplink.immediate { record(fate, on: .uplink) }
    if !uplink.immediate.isEmpty { uplink.immediate.removeAll(keepingCapacity: true) }
  }

  /// Ends the run over the node whose frame was one too many.
  @inline(never)
  private mutating func noteFlood(by role: NodeRole) {
    let failure = NodeFailure(
      role,
      .overload("has more than \(Medium.framesMax) frames or \(Medium.bytesMax >> 20) MiB under way on one link"))
    breach = breach ?? failure
  }

  /// Ends the run for what is still under way, so that every frame has its fate.
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
  /// Whether this is a message, and no answer to one.
  var isMessage: Bool { channel == .message && kind == .data }
  /// Whether this is a message or its answer: what only an app that runs can take.
  var isInteractive: Bool { channel == .message && (kind == .data || kind == .reply) }
}
