package import Link
import LinkTransport

/// One device of a run: its node, wherever that runs, and what the run knows of it.
package struct Device {
  /// The device at the other end of its radio.
  struct Peer {
    /// Its index among the devices.
    var device: Int
    /// The index of the link between them.
    var link: Int
  }

  /// The state of an app that its peer's messages launch.
  struct MessageLaunch {
    /// The highest number of a message that has reached the app: a copy of an earlier one launches nothing.
    var lastMessage: UInt64 = 0
    /// Whether the peer knows that its messages launch the app.
    var isKnownToPeer = false

    mutating func remember(_ message: UInt64) { lastMessage = max(lastMessage, message) }
  }

  let role: NodeRole
  private(set) var host: any NodeHost
  var status = NodeStatus()
  /// Nil for the edge.
  var peer: Peer?
  /// Nil if no message launches its app.
  var launch: MessageLaunch?
  /// Acts for its app while that is down: it gets them at its next start.
  var waitingActs: [DeviceCommand] = []
  private var limit = GrantLimit()
  /// Counts the lines that it writes.
  var lines = LineLimit()
  // Cached, because both are read at every instant.
  private(set) var nextDeadline: VirtualTime?
  private(set) var isWorkoutOver: Bool

  package init(_ role: NodeRole, _ host: any NodeHost) {
    self.role = role
    self.host = host
    nextDeadline = host.nextDeadline
    isWorkoutOver = host.isWorkoutOver
  }

  /// Whether the app may ask why its phone is unreachable.
  var learnsOfLock: Bool { role == .watch && host.isApp }

  /// Whether a message launches its app now.
  ///
  /// False for a copy that an earlier start may have received, for a locked device, and for an app that comes back by
  /// itself.
  func isLaunched(by message: Arrival) -> Bool {
    guard let launch else { return false }
    return !status.isUp && !status.isLocked && message.id > launch.lastMessage
      && status.downs.allSatisfy { $0.fault != nil }
  }

  /// Passes inputs to the node, or fires its timers; see ``NodeHost/grant(_:fire:in:)``.
  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let now = turn.now
    guard limit.admit(at: now) else { throw GrantLimit.failure(of: role) }
    if !fire { status.lastInput = now }
    let ending = try host.grant(&inputs, fire: fire, in: &turn)
    nextDeadline = host.nextDeadline
    if !isWorkoutOver { isWorkoutOver = host.isWorkoutOver }
    return ending
  }

  /// Arms the crash points of the faults that wait for one.
  mutating func armPoints() throws(NodeFailure) {
    if status.isUp { try host.arm(status.armed.map(\.point)) }
  }

  /// Starts a killed node; see ``NodeHost/start(at:)``.
  mutating func start(at now: VirtualTime) throws(NodeFailure) {
    status.epoch = try host.start(at: now)
    status.isUp = true
    status.isLocked = false
    status.lastInput = now
    nextDeadline = host.nextDeadline
  }

  mutating func kill() {
    host.kill()
    nextDeadline = host.nextDeadline
  }

  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss { try host.losePower(draw: draw) }

  mutating func receiveHealed(at now: VirtualTime) {
    host.receiveHealed(at: now)
    nextDeadline = host.nextDeadline
  }
}
