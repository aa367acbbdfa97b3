import Link
import LinkTransport

/// One node as the conductor sees it, wherever it runs.
///
/// Two kinds exist: ``InProcessHost`` calls the machine, ``ProcessHost`` asks a process over a socket.
/// Both answer a grant with the same orders in the same order, and both begin a start of the node from what was
/// committed before; that is why both drivers give the same trace.
protocol NodeHost {
  /// The moment by which the node must be called even if nothing happens; nil also while it does not run.
  var nextDeadline: VirtualTime? { get }
  /// Whether the node's workout has ended; always false for a node that has none.
  var isWorkoutOver: Bool { get }
  /// Whether the node has timers of its own and cannot follow grants.
  var isFreeRunning: Bool { get }
  /// Whether the node is somebody's app: free-running, or in virtual time.
  var isApp: Bool { get }
  /// Whether the node's lines are values of this process, in which a digest can be left to be reckoned.
  var isInProcess: Bool { get }
  /// Learns that every fault has ended, and that the run ends once nobody does anything more.
  mutating func noteHealed(at now: VirtualTime)

  /// Hands inputs to the node, fires its timers, and collects its orders.
  ///
  /// - Parameters:
  ///   - inputs: In their order; after the orders of each one stands `.handled`. A host may take them out: the caller
  ///     empties the list.
  ///   - fire: Whether the timers due at `now` fire after the inputs.
  ///   - output: Where the orders are appended; what concerns the node's store and files is carried out already.
  /// - Returns: How far it came. After anything but `complete` the node must be killed.
  /// - Throws: When the node died, hung or broke the protocol.
  mutating func grant(
    _ inputs: inout [NodeInput], fire: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) throws(NodeFailure) -> GrantEnding

  /// Has the node stop at the first of these crash points that it passes; none for nowhere.
  mutating func arm(_ points: [CrashPoint]) throws(NodeFailure)

  /// Ends the node as a crash does: what was not committed is gone.
  mutating func kill()

  /// Starts a node that was killed from what it had committed.
  ///
  /// - Returns: The epoch that begins.
  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch

  /// What the node had made durable and has lost through somebody else; nil for nothing.
  ///
  /// Asked for once the run is over, and by the host itself before each further start.
  func stateLoss() -> NodeFailure?
}

extension NodeHost {
  func stateLoss() -> NodeFailure? { nil }
}

/// How far a node came with a grant.
enum GrantEnding: Equatable {
  /// It has handled all of it.
  case complete
  /// It has stopped at an armed crash point, the last thing that it did; its `.handled` and what follows is missing.
  case stopped(at: CrashPoint)
  /// It was killed from outside; the orders are what it had committed and had not told any more, without frames.
  case died
}
