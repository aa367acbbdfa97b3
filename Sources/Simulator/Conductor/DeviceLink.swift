import Link

/// A link between two devices: the medium that carries its frames, what holds it down, and what its ends know of it.
struct DeviceLink {
  /// Which frames a link takes, and to which device.
  ///
  /// A trivial value, so that asking it for every frame copies nothing.
  struct Route {
    /// The devices at its ends, by index; the second one is the phone, or the edge.
    let ends: (Int, Int)
    /// Whether it is between the phone and the edge.
    let isUplink: Bool

    /// Whether it takes a device's frames of this channel.
    func takes(_ channel: Channel, from device: Int) -> Bool {
      guard ends.0 == device || ends.1 == device else { return false }
      return isUplink ? channel == .http : channel != .http && channel != .health
    }

    /// The device that receives a frame for a role, by index.
    func receiver(_ role: NodeRole) -> Int { role == (isUplink ? .edge : .phone) ? ends.1 : ends.0 }

    /// The direction of a sender's frames.
    func direction(from sender: NodeRole) -> Direction {
      isUplink ? Direction(overUplinkFrom: sender) : Direction(from: sender)
    }

    /// A device's knowledge of the link, as its node's input.
    func input(isUp: Bool) -> NodeInput { isUplink ? .uplink(isUp: isUp) : .link(isUp: isUp) }
  }

  let route: Route
  /// The devices that learn whether it is up, by index: a cloud learns nothing of its clients' network.
  let notified: [Int]
  var medium: Medium
  private(set) var notice: LinkNotice
  /// The faults that hold it down, by index in the plan.
  private var cuts: [Int] = []
  /// Whether the devices are paired: commands of the scenario can change that, which cuts or restores the link.
  private(set) var isPaired = true

  /// - Parameter stream: The random stream of the reconnect times.
  init(
    _ ends: (Int, Int), notifying notified: [Int], at place: TraceEvent.Place, _ profile: LinkProfile, seed: UInt64,
    stream: String
  ) {
    route = Route(ends: ends, isUplink: place == .uplink)
    self.notified = notified
    medium = Medium(place: place, profile: profile, seed: seed)
    notice = LinkNotice(profile: profile, seed: seed, stream: stream)
  }

  /// The place of its lines in the trace.
  var place: TraceEvent.Place { medium.place }

  /// The new knowledge of the notified devices; nil if none is due.
  mutating func popNotice(at now: VirtualTime) -> Bool? { notice.popDue(at: now) }

  /// Cuts the link for a fault; true if it was up.
  mutating func cut(by index: Int, _ id: String, at now: VirtualTime) -> Bool {
    guard !cuts.contains(index) else { return false }
    cuts.append(index)
    return cut(by: id, at: now)
  }

  /// Ends a fault's cut; true if the link is up again.
  mutating func restore(by index: Int, _ id: String, at now: VirtualTime) -> Bool {
    guard let position = cuts.firstIndex(of: index) else { return false }
    cuts.remove(at: position)
    return restore(by: id, at: now)
  }

  /// Pairs or unpairs the devices; true if the link went up or down.
  mutating func setPairing(_ isPaired: Bool, at now: VirtualTime) -> Bool {
    guard isPaired != self.isPaired else { return false }
    self.isPaired = isPaired
    return isPaired ? restore(by: nil, at: now) : cut(by: nil, at: now)
  }

  private mutating func cut(by id: String?, at now: VirtualTime) -> Bool {
    guard medium.cutLink(by: id) else { return false }
    notice.cut(at: now)
    return true
  }

  private mutating func restore(by id: String?, at now: VirtualTime) -> Bool {
    guard medium.restoreLink(by: id) else { return false }
    notice.restore(at: now)
    return true
  }
}

/// When the sides of a link learn its state.
///
/// A cut is noticed after the profile's supervision time, a return after the reconnect time; a cut shorter than
/// supervision goes unnoticed (spec 2.5).
struct LinkNotice {
  private let profile: LinkProfile
  private var random: RandomStream
  /// The believed state.
  private(set) var believedUp = false
  private var pending: (at: VirtualTime, isUp: Bool)?

  /// At the beginning both sides learn at once of a link that is up.
  ///
  /// - Parameter stream: The random stream of the reconnect times.
  init(profile: LinkProfile, seed: UInt64, stream: String = "reconnect") {
    self.profile = profile
    random = RandomStream(seed: seed, name: stream)
    pending = profile.exists ? (.start, true) : nil
  }

  /// When the sides learn something next.
  var nextAt: VirtualTime? { pending?.at }

  mutating func cut(at now: VirtualTime) {
    pending = believedUp ? (now + profile.supervision, false) : nil
  }

  mutating func restore(at now: VirtualTime) {
    guard !believedUp else {
      pending = nil
      return
    }
    pending = (now + profile.reconnect.draw(random, number: UInt64(now.nanoseconds)), true)
  }

  /// The new belief now; nil if nothing is due.
  mutating func popDue(at now: VirtualTime) -> Bool? {
    guard let due = pending, due.at <= now else { return nil }
    pending = nil
    believedUp = due.isUp
    return due.isUp
  }
}
