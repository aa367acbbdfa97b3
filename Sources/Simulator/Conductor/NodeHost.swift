package import Link
package import LinkTransport

/// One node as the conductor sees it, wherever it runs.
///
/// There are two kinds: ``InProcessHost`` calls the machine, ``ProcessHost`` calls a process over a socket. Both answer
/// a grant with the same orders in the same order, and both start a node from what was committed before; therefore both
/// drivers give the same trace.
package protocol NodeHost {
  /// The instant at which the node must be called even without input; nil if there is none, and while it does not run.
  var nextDeadline: VirtualTime? { get }
  /// Whether the node's workout has ended; always false for a node without one.
  var isWorkoutOver: Bool { get }
  /// Whether the node has timers of its own and cannot follow grants.
  var isFreeRunning: Bool { get }
  /// Whether the node is a user's app: free-running, or in virtual time.
  var isApp: Bool { get }
  /// Whether the node's events are values of this process, so that digests can be left open.
  var isInProcess: Bool { get }
  /// Notifies the host that every fault has ended, so that the run ends once no node acts.
  mutating func receiveHealed(at now: VirtualTime)

  /// Passes inputs to the node, fires its timers, and collects its orders.
  ///
  /// - Parameters:
  ///   - inputs: In order; `.handled` follows the orders of each one. A host may move them out: the caller empties the
  ///     list.
  ///   - fire: Whether the timers due now fire after the inputs.
  ///   - turn: Receives the orders; those for the node's store and files are already carried out.
  /// - Returns: How far the node came. After anything but `complete` it must be killed.
  /// - Throws: If the node died, hung or broke the protocol.
  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding

  /// Arms crash points: the node stops at the first one it passes; an empty list disarms.
  mutating func arm(_ points: [CrashPoint]) throws(NodeFailure)

  /// Ends the node like a crash: uncommitted changes are lost.
  mutating func kill()

  /// Lets a killed node's store lose what a loss of power takes.
  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss

  /// Starts a killed node from its committed state.
  ///
  /// - Returns: The new epoch.
  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch

  /// Durable state that the node lost through another process, if any.
  ///
  /// Checked at the end of the run, and by the host itself before each further start.
  func stateLoss() -> NodeFailure?
}

extension NodeHost {
  package var isFreeRunning: Bool { false }
  package var isApp: Bool { false }
  package var isInProcess: Bool { false }
  package mutating func receiveHealed(at now: VirtualTime) {}
  package func stateLoss() -> NodeFailure? { nil }

  /// For nodes whose stores are always synced.
  package mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss { .none }
}

/// How far a node came with a grant.
package enum GrantEnding: Equatable {
  /// It has handled everything.
  case complete
  /// It stopped at an armed crash point, its last action; its `.handled` and what follows are missing.
  case stopped(at: CrashPoint)
  /// It was killed from outside; the orders are what it had committed and not reported, without frames.
  case died
}

/// A node that was started and never joined: every call fails.
struct AbsentHost: NodeHost {
  let failure: NodeFailure

  /// Immediately, so that nothing else happens first.
  var nextDeadline: VirtualTime? { .start }
  var isWorkoutOver: Bool { false }

  func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    throw failure
  }

  func arm(_ points: [CrashPoint]) throws(NodeFailure) { throw failure }
  func kill() {}
  func start(at now: VirtualTime) throws(NodeFailure) -> Epoch { throw failure }
}
