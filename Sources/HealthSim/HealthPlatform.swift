package import Link

/// HealthKit of a run's devices: a daemon for each, and the athlete whom both measure.
///
/// It lives with the run and not in the apps: what an app's death loses is what a device's would.
package struct HealthPlatform: Sendable {
  private var daemons: [HealthDaemon]
  private var body: any AthleteBody
  private let setup: HealthSetup
  /// Whether an app has said anything: nothing happens before.
  package private(set) var isUsed = false
  /// The last second of the body that both daemons have.
  private var second: Int64 = -1
  /// Whether the run has reached its end.
  private var isOver = false
  /// Whether each second mattered after the last instant.
  private var wasTicking = false
  private var assemblies = [DeviceFrames.Assembly(), DeviceFrames.Assembly()]
  /// What each app has sent so far, in bytes.
  private var received: [Int64] = [0, 0]
  /// The role of an app that has sent too much, if any.
  package private(set) var flooder: NodeRole?

  /// What an app may send its device at once, and how much more for each second of the run, in bytes: the daemon keeps
  /// what an app saves.
  package static let bytesAtOnce: Int64 = 64 << 20
  package static let bytesPerSecond: Int64 = 8 << 10

  package init(_ setup: HealthSetup, body: any AthleteBody) {
    self.setup = setup
    self.body = body
    daemons = [HealthDaemon(.watch, setup), HealthDaemon(.phone, setup)]
  }

  private func index(_ role: NodeRole) -> Int { role == .watch ? 0 : 1 }

  /// The next instant at which something happens; nil for none.
  package var nextAt: VirtualTime? {
    guard isUsed else { return nil }
    let tick = isOver ? nil : VirtualTime.start + .seconds(nextSecond)
    return [tick, daemons[0].nextAt, daemons[1].nextAt].compactMap(\.self).min()
  }

  /// Whether each second of the body matters.
  private var isTicking: Bool { daemons.contains { $0.isCollecting || $0.needsSeconds } }

  /// Each second while a workout collects or an app follows its position, otherwise each minute.
  private var nextSecond: Int64 {
    if isTicking { return second + 1 }
    return (second / PassiveRecording.every + 1) * PassiveRecording.every
  }

  // MARK: Inputs

  /// Receives a part of a message of a device's app.
  package mutating func receive(_ frame: Frame, from role: NodeRole, at now: VirtualTime) {
    // What the daemon keeps of a small message is larger than the message.
    received[index(role)] += Int64(frame.payload.count) + 64
    let allowed = Self.bytesAtOnce +| ((now - .start).nanoseconds / 1_000_000_000) *| Self.bytesPerSecond
    guard received[index(role)] <= allowed else {
      flooder = role
      return
    }
    guard let bytes = assemblies[index(role)].append(frame), let message = DeviceMessage(bytes) else { return }
    if !isUsed { begin(at: now) }
    catchUp(to: now)
    with(role, at: now) { $0.accept(message) }
  }

  /// Receives a frame of the other device.
  package mutating func receiveFromPeer(_ frame: Frame, at role: NodeRole, at now: VirtualTime) {
    with(role, at: now) { $0.receive(frame) }
  }

  /// A device learns that the link is up or down.
  package mutating func setLink(isUp: Bool, of role: NodeRole, at now: VirtualTime) {
    with(role, at: now) { $0.setLink(isUp: isUp) }
  }

  /// A device's app starts.
  package mutating func startApp(of role: NodeRole, inBackground: Bool = false, at now: VirtualTime) {
    assemblies[index(role)] = DeviceFrames.Assembly()
    let hasNews = setup.settings.isAllowedBefore || setup.system != SystemSettings()
    if hasNews, !isUsed { begin(at: now) }
    with(role, at: now) { $0.startApp(inBackground: inBackground) }
  }

  /// A device's app dies.
  package mutating func stopApp(of role: NodeRole, isReboot: Bool, at now: VirtualTime) {
    with(role, at: now) { $0.stopApp(isReboot: isReboot) }
  }

  /// A fault of a device's HealthKit begins or ends.
  package mutating func set(_ flaw: HealthFlaw, isOn: Bool, of role: NodeRole, at now: VirtualTime) {
    with(role, at: now) { $0.set(flaw, isOn: isOn) }
  }

  /// A fault of a device's system begins or ends.
  package mutating func set(_ flaw: SystemFlaw, isOn: Bool, of role: NodeRole, at now: VirtualTime) {
    if !isUsed { begin(at: now) }
    with(role, at: now) { $0.set(flaw, isOn: isOn) }
  }

  /// What a turn of an app uses of the processor; 0 if that is not counted.
  package var costOfTurn: VirtualTime.Span { setup.system.costOfTurn }

  /// Whether a device's workout session goes on.
  package func hasSession(_ role: NodeRole) -> Bool { role != .edge && daemons[index(role)].current != nil }

  /// The system suspends a device's app, or resumes it.
  package mutating func setAsleep(_ isAsleep: Bool, of role: NodeRole) {
    guard role != .edge else { return }
    daemons[index(role)].system.isAppAsleep = isAsleep
    if isAsleep { daemons[index(role)].life.isBehind = false }
  }

  /// What an app learns of a wake, or of a user who comes to one that was woken behind the foreground; nil for nothing.
  package mutating func messageOfWake(inBackground: Bool, of role: NodeRole) -> [UInt8]? {
    guard role != .edge else { return nil }
    return daemons[index(role)].noteWake(inBackground: inBackground)?.encoded
  }

  /// A sleeping app's session has content for it.
  package mutating func receiveContent(of role: NodeRole, at now: VirtualTime) {
    if isUsed { with(role, at: now) { $0.planRefresh() } }
  }

  /// Whether a task in the background keeps an app awake.
  package func hasTask(_ role: NodeRole) -> Bool { role != .edge && !daemons[index(role)].life.tasks.isEmpty }

  /// A device's clock is ahead by this.
  package mutating func setSkew(_ skew: Int64, of role: NodeRole) { daemons[index(role)].skew = skew }

  /// The run has reached its end: the athlete stands still, and nothing more is brought to the phone's store.
  package mutating func endRun() {
    isOver = true
    for index in daemons.indices {
      daemons[index].endSync()
      daemons[index].forgetLater()
    }
  }

  /// Lets what is due happen.
  package mutating func fire(at now: VirtualTime) {
    guard isUsed else { return }
    catchUp(to: now)
    for role in [NodeRole.watch, .phone] {
      // Its clock follows even if nothing is due.
      if let at = daemons[index(role)].nextAt, at <= now { with(role, at: now) { $0.fire() } }
    }
    // What the athlete did before a workout collects is not the workout's.
    let isTicking = isTicking
    if isTicking, !wasTicking { second = max(second, now.nanoseconds / 1_000_000_000) }
    wasTicking = isTicking
  }

  /// Removes and returns what is to be done, in order.
  package mutating func takeOrders() -> [HealthOrder] {
    var orders: [HealthOrder] = []
    for index in daemons.indices where !daemons[index].orders.isEmpty {
      orders += daemons[index].orders
      daemons[index].orders = []
    }
    return orders
  }

  private mutating func with(_ role: NodeRole, at now: VirtualTime, _ act: (inout HealthDaemon) -> Void) {
    daemons[index(role)].now = now
    act(&daemons[index(role)])
    guard role == .phone else { return }
    daemons[0].now = now
    daemons[0].inherit(daemons[1])
  }

  // MARK: The body

  /// The first message of an app: the body has lived before, and both stores know it.
  private mutating func begin(at now: VirtualTime) {
    isUsed = true
    for index in daemons.indices { daemons[index].now = now }
  }

  /// Lets the body live up to an instant.
  private mutating func catchUp(to now: VirtualTime) {
    guard !isOver else { return }
    while VirtualTime.start + .seconds(nextSecond) <= now {
      second = nextSecond
      let reading = body.reading(atSecond: second)
      for index in daemons.indices {
        daemons[index].now = max(daemons[index].now, VirtualTime.start + .seconds(second))
        daemons[index].measure(reading, second: second)
        daemons[index].measureSystem(reading, second: second)
      }
    }
  }
}
