import Link
import LinkTransport

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
