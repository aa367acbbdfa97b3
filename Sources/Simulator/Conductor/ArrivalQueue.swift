import Link
import LinkTransport

/// The frames that arrive at one instant, on every link, in the order of their sending.
struct ArrivalQueue {
  private struct Due {
    var link: Int
    var fate: Medium.Fate
  }

  private var due: [Due] = []
  /// The arrived frames among the inputs of a node, in order.
  private var arrivals: [Arrival] = []

  /// Delivers everything that arrives now.
  mutating func deliver(in world: inout World) throws(NodeFailure) {
    for link in world.exchange.links.indices where world.exchange.links[link].medium.isDue(at: world.now) {
      let first = due.count
      while let fate = world.exchange.links[link].medium.popDue(at: world.now) {
        // Nearly always the only one of its instant.
        if due.isEmpty, !world.exchange.hasArrivals(from: link) {
          if let device = try gather(fate, on: link, in: &world) { try deliver(to: device, in: &world) }
          return
        }
        due.append(Due(link: link, fate: fate))
      }
      if first > 0, first < due.count { merge(from: first) }
    }
    // Popped from the reversed list, so that each is moved to its node and none is copied.
    if due.count > 1 { due.reverse() }
    while let next = due.popLast() {
      guard let device = try gather(next.fate, on: next.link, in: &world) else { continue }
      while let next = due.last, join(next, to: device, in: &world) { due.removeLast() }
      try deliver(to: device, in: &world)
    }
  }

  /// Merges the frames of a link, which begin at an index, with those of earlier links, in the order of sending.
  private mutating func merge(from begin: Int) {
    var merged: [Due] = []
    var next = 0
    for own in due[begin...] {
      while next < begin, due[next].fate.id < own.fate.id {
        merged.append(due[next])
        next += 1
      }
      merged.append(own)
    }
    due = merged + due[next..<begin]
  }

  private mutating func deliver(to device: Int, in world: inout World) throws(NodeFailure) {
    try world.deliver(arrivals, to: device)
    arrivals.removeFew()
  }

  /// Adds an arrival to its node's inputs, and returns the node; nil if it reaches none, which is recorded.
  @inline(__always)
  private mutating func gather(
    _ fate: consuming Medium.Fate, on link: Int, in world: inout World
  ) throws(NodeFailure) -> Int? {
    switch fate {
    case .delivered(let id, let copy, let frame, let role):
      let device = world.exchange.links[link].route.receiver(role)
      let arrival = Arrival(id: id, copy: copy, link: link)
      if frame.channel == .mirror {
        // Of the daemons, which are there even if the apps are not.
        world.exchange.log.recordDelivered(id: id, copy: copy, on: world.exchange.links[link].place)
        world.exchange.receiveHealth(frame, at: device)
        return nil
      }
      guard try admit(frame, to: device, as: arrival, in: &world) else { return nil }
      world.noteContent(frame, at: device)
      world.exchange.inputs.append(.frame(frame))
      arrivals.append(arrival)
      return device
    case .dropped, .duplicated:
      world.exchange.log.record(fate, on: world.exchange.links[link].place)
      return nil
    }
  }

  /// Adds another arrival to a node's inputs; false for one that needs individual handling.
  private mutating func join(_ next: Due, to device: Int, in world: inout World) -> Bool {
    guard case .delivered(let id, let copy, let frame, let role) = next.fate,
      world.exchange.links[next.link].route.receiver(role) == device, frame.channel != .mirror,
      !needsCare(frame, world[device].activity)
    else { return false }
    if frame.isMessage { world.exchange.devices[device].launch?.remember(id) }
    world.noteContent(frame, at: device)
    world.exchange.inputs.append(.frame(frame))
    arrivals.append(Arrival(id: id, copy: copy, link: next.link))
    return true
  }

  /// Whether a frame needs checks before it is delivered.
  private func needsCare(_ frame: Frame, _ activity: NodeStatus.Activity) -> Bool {
    switch activity {
    case .awake: false
    case .asleep: frame.isInteractive || frame.channel == .http
    case .down: true
    }
  }

  /// Admits a frame: one for a node that is down is dropped; a message wakes a sleeping node, or is lost.
  ///
  /// An answer of the edge to a suspended app is lost too, and requested again once it is awake: the system keeps only
  /// the queues.
  private func admit(
    _ frame: Frame, to device: Int, as arrival: Arrival, in world: inout World
  ) throws(NodeFailure) -> Bool {
    if frame.isMessage, world.exchange.devices[device].launch != nil {
      if !world.isHealed, world.exchange.devices[device].isLaunched(by: arrival) {
        try world.launch(device, by: .message)
      }
      if world[device].isUp { world.exchange.devices[device].launch?.remember(arrival.id) }
    }
    guard needsCare(frame, world[device].activity) else { return true }
    guard world[device].isUp else {
      world.drop(arrival, at: device)
      return false
    }
    guard world[device].canBeWoken, frame.isInteractive else {
      let sleeps = world[device].sleeps.filter { !$0.wakes || !frame.isInteractive }
      world.drop(arrival, cause: .suspended, blaming: sleeps.map(\.fault))
      return false
    }
    try world.wake(device, cause: "message")
    guard !world[device].isUp else { return true }
    world.drop(arrival, at: device)
    return false
  }
}

extension Frame {
  /// Whether this is a message, and not a reply.
  var isMessage: Bool { channel == .message && kind == .data }
  /// Whether this is a part of what the system keeps for a sleeping app.
  var isContent: Bool {
    (kind == .data || kind == .chunk) && (channel == .userInfo || channel == .applicationContext || channel == .file)
  }
  /// Whether this is a message or its reply, which only a running app can receive.
  var isInteractive: Bool { channel == .message && (kind == .data || kind == .reply) }
}

/// The copy of a frame that arrives at a node; the frame itself is among the inputs.
struct Arrival {
  var id: UInt64
  var copy: Int
  /// The index of its link.
  var link: Int
}
