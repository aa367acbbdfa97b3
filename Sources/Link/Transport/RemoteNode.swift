import CSystem
import Glibc
public import Link

/// A node in another process, for the conductor: receives grants and answers.
///
/// Every waiting call is bounded in real time, and so is the memory of an answer. After a ``NodeFailure`` the node must
/// not be used any more: its connection is shut down.
public final class RemoteNode {
  /// Its role.
  public let role: NodeRole
  /// Its name for itself, for people.
  public let name: String
  /// Whether it has its own timers and cannot follow grants.
  public let isFreeRunning: Bool
  /// Whether it is an app in virtual time.
  public let isApp: Bool
  /// The number of its process.
  public let process: Int32
  /// The limits of an answer.
  public var limits = NodeAnswer.Limits()

  private let connection: NodeConnection
  private let timeout: Double
  private var instant = VirtualTime.start
  /// The number of inputs that the answer must cover.
  private var inputs = 0
  /// The deadline of the answer, in nanoseconds of the monotonic clock.
  private var deadline: Int64 = 0
  /// Whether the answer is to a welcome in a run with a journal.
  private var isBeginning = false
  /// The armed crash points.
  private var armed: [CrashPoint] = []

  init(_ connection: NodeConnection, role: NodeRole, join: JoinRequest, process: Int32, timeout: Double)
    throws(SystemCallError)
  {
    self.role = role
    name = join.name
    isFreeRunning = join.flags.contains(.freeRunning)
    isApp = join.flags.contains(.app)
    self.process = process
    self.connection = connection
    self.timeout = timeout
    try connection.socket.setTimeout(seconds: timeout, receiving: min(timeout, Self.checkSeconds))
  }

  /// Sends the setup and reads the answer, whose ``NodeAnswer/nextDeadline`` is the node's first.
  ///
  /// - Parameters:
  ///   - setup: A JSON text of at most 16 MiB.
  ///   - isJournaled: Whether the node keeps a journal: then the answer also contains what its last start could not
  ///     report about `instant`, and the new epoch.
  public func welcome(
    _ setup: String, at instant: VirtualTime = .start, isJournaled: Bool = false, into answer: inout NodeAnswer
  ) throws(NodeFailure) {
    do throws(WireError) { try connection.writer.welcome(setup) } catch { throw fail(.protocolBroken(error)) }
    inputs = 0
    isBeginning = isJournaled
    try send(at: instant)
    answer.removeAll()
    try receive(into: &answer)
    isBeginning = false
  }

  /// Arms crash points, replacing earlier ones; none to disarm all.
  ///
  /// Sent with the next grant.
  public func arm(_ points: [CrashPoint]) throws(NodeFailure) {
    armed = points
    do throws(WireError) { try connection.writer.arm(points) } catch { throw fail(.protocolBroken(error)) }
  }

  /// Grants an instant: passes in inputs, and reads the node's output.
  ///
  /// An answer may end at an armed crash point (``NodeAnswer/stoppedAt``): then the node must not be used any more, and
  /// waits to be killed.
  ///
  /// - Parameters:
  ///   - instant: Never earlier than the one before.
  ///   - inputs: In order; split over several grants if one cannot carry them.
  ///   - firesTimers: Whether the inputs of the instant are complete, so that due timers fire.
  ///   - answer: Emptied first.
  public func grant(
    at instant: VirtualTime, inputs: [NodeInput] = [], firesTimers: Bool = true, into answer: inout NodeAnswer
  ) throws(NodeFailure) {
    var first = 0
    answer.removeAll()
    while inputs.count - first > NodeWire.inputsMax {
      try sendGrant(at: instant, inputs: inputs[first..<first + NodeWire.inputsMax], firesTimers: false)
      try receive(into: &answer)
      if answer.stoppedAt != nil { return }
      first += NodeWire.inputsMax
    }
    try sendGrant(at: instant, inputs: inputs[first...], firesTimers: firesTimers)
    try receive(into: &answer)
  }

  /// Sends a grant; ``receive(into:)`` reads its answer.
  ///
  /// In between the conductor may send grants of the same instant to other nodes.
  ///
  /// - Parameter inputs: At most ``NodeWire/inputsMax``.
  public func sendGrant(
    at instant: VirtualTime, inputs: ArraySlice<NodeInput> = [], firesTimers: Bool = true
  ) throws(NodeFailure) {
    precondition(inputs.count <= NodeWire.inputsMax, "\(inputs.count) inputs in one grant")
    self.inputs = inputs.count
    connection.writer.grant(Grant(at: instant, firesTimers: firesTimers, inputs: inputs.count))
    deadline = MonotonicClock.after(seconds: timeout)
    for input in inputs {
      do throws(WireError) { try connection.writer.input(input) } catch { throw fail(.protocolBroken(error)) }
      // A grant is one write, unless it is so large that buffering it would cost more than it saves.
      if connection.writer.bytes.count > Self.writeBytesMax { try flush() }
    }
    try send(at: instant)
  }

  /// How often a silent process is checked for being stopped, in seconds of real time.
  private static let checkSeconds = 2.0
  private static let writeBytesMax = 4 << 20

  private func send(at instant: VirtualTime) throws(NodeFailure) {
    self.instant = instant
    deadline = MonotonicClock.after(seconds: timeout)
    try flush()
  }

  private func flush() throws(NodeFailure) {
    do throws(SystemCallError) { try connection.flush(until: deadline) } catch { throw fail(cause(of: error)) }
  }

  /// Reads the answer to the last grant, and adds it to `answer`.
  public func receive(into answer: inout NodeAnswer) throws(NodeFailure) {
    var isFirst = true
    var wasStopped = false
    let handledBefore = answer.handledCount
    while true {
      let arrival: NodeConnection.Arrival
      do throws(SystemCallError) {
        // The first wait uses the socket's own timeout: one system call for an answer that arrives as one write.
        arrival =
          isFirst
          ? try connection.receive()
          : try connection.receive(until: min(deadline, MonotonicClock.after(seconds: Self.checkSeconds)))
      } catch {
        throw fail(cause(of: error))
      }
      isFirst = false
      if arrival == .nothing, MonotonicClock.now < deadline {
        // Twice in a row, so that a process that somebody stops and continues is no failure.
        let signal = cs_stop_signal(process)
        if signal != 0, wasStopped { throw fail(.stoppedBySignal(signal)) }
        wasStopped = signal != 0
        continue
      }
      switch arrival {
      case .bytes: break
      case .endOfFile: throw fail(.closed)
      case .nothing: throw fail(.silent(seconds: timeout))
      }
      let progress: NodeAnswer.Progress
      do throws(WireError) {
        progress = try answer.readAnswer(
          from: &connection.decoder, of: role, at: instant, limits: limits, isBeginning: isBeginning)
      } catch {
        throw fail(.protocolBroken(error))
      }
      switch progress {
      case .incomplete: continue
      case .complete:
        guard isApp || answer.appDeadline == nil else { throw fail(.protocolBroken(.foreignAppDeadline)) }
        if let point = answer.stoppedAt {
          guard armed.contains(where: { $0.name == point }) else { throw fail(.protocolBroken(.unarmed(point))) }
          return
        }
        if isBeginning { return }
        let found = answer.handledCount - handledBefore
        guard found == inputs else { throw fail(.protocolBroken(.handledInputs(found: found, granted: inputs))) }
        return
      case .failed(let why): throw fail(.gaveUp(why))
      }
    }
  }

  /// Reports the end of the run to the node, which then exits.
  public func end() {
    connection.writer.removeAll()
    connection.writer.end()
    // A node that no longer reads notices the end of the connection.
    _ = try? connection.flush(until: MonotonicClock.now)
    shutDown()
  }

  /// Closes the connection without a message, as a crash does.
  public func shutDown() { connection.socket.shutDown() }

  private func fail(_ cause: NodeFailure.Cause) -> NodeFailure {
    switch cause {
    case .closed, .gaveUp: connection.socket.shutDown()
    // A stop is not the node's fault: it receives `end`, unless half a record has been sent.
    case .stopped: if connection.writer.bytes.isEmpty { end() } else { shutDown() }
    default: connection.refuse(NodeFailure(role, cause).text)
    }
    return NodeFailure(role, cause)
  }

  private func cause(of error: SystemCallError) -> NodeFailure.Cause {
    switch error.code {
    case EAGAIN: .silent(seconds: timeout)
    case EPIPE, ECONNRESET: .closed
    case EINTR: .stopped
    default: .system(error)
    }
  }
}
