import Link
import LinkTransport

/// The processes that play one role in a run, one after the other.
final class NodeProcess {
  /// What they play.
  let role: NodeRole
  private let words: [String]
  private let listener: NodeListener
  private let state: String
  private let setup: (VirtualTime) -> String
  private var child: ChildProcess?
  private var joined: RemoteNode?
  private var starts: UInt32 = 0

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - listener: Where they join.
  ///   - state: The folder of the role's durable state.
  ///   - setup: The text of the `welcome` at an instant.
  init(
    _ role: NodeRole, words: [String], listener: NodeListener, state: String, setup: @escaping (VirtualTime) -> String
  ) {
    self.role = role
    self.words = words
    self.listener = listener
    self.state = state
    self.setup = setup
  }

  /// The node; only while one has joined.
  var remote: RemoteNode {
    guard let joined else { preconditionFailure("the \(role.text) has not joined") }
    return joined
  }

  /// Starts a process, which then joins.
  func spawn() throws(NodeFailure) {
    precondition(child == nil, "a second process for the \(role.text)")
    do throws(SystemCallError) {
      child = try ChildProcess(words, environment: listener.environment(for: role, state: state))
    } catch {
      throw NodeFailure(role, .system(error))
    }
  }

  /// Why waiting for its join makes no sense any more; nil while it does.
  var hasDied: NodeFailure? {
    guard let end = child?.poll() else { return nil }
    return NodeFailure(role, .ended("its process \(end.description) before it joined"))
  }

  /// Takes over the node that has joined, and tells it what to simulate.
  func welcome(_ node: RemoteNode, at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) {
    joined = node
    starts += 1
    try node.welcome(setup(now), at: now, into: &answer)
  }

  /// Starts another process after a kill, which goes on with the state that the one before left behind.
  ///
  /// - Returns: The epoch that begins: they are counted, as each start begins one.
  func restart(at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) -> Epoch {
    try spawn()
    let nodes = try listener.accept([role]) { hasDied }
    try welcome(nodes[0], at: now, into: &answer)
    return Epoch(starts)
  }

  /// Kills the process and all it started.
  func kill() {
    child?.kill()
    child = nil
    joined?.shutDown()
    joined = nil
    listener.hasLeft(role)
  }

  /// Tells the node that the run is over.
  func end() { joined?.end() }

  /// Waits for the process to end by itself, and kills it when it does not.
  func finish() {
    _ = child?.finish(graceSeconds: 1)
    child = nil
  }
}
