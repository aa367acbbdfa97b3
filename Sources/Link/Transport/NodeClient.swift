import CSystem
import Glibc
public import Link

/// The node's side of a run in processes: joins, receives grants, and answers each with its machine's output.
public final class NodeClient {
  /// How the run ended.
  public enum Ending: Sendable, Equatable {
    /// The conductor reported the end of the run.
    case over
    /// The conductor is gone: killed, or stopped by the user.
    case disconnected
  }

  let connection: NodeConnection
  /// The socket of the connection.
  public var descriptor: Int32 { connection.socket.rawValue }
  private var turn = Turn(isRecording: true)

  /// The largest answer that the conductor accepts, in bytes.
  static let answerBytesMax = NodeAnswer.Limits().bytesMax

  /// Connects.
  ///
  /// - Parameter diesWithParent: Whether the kernel ends this process when its parent dies: a hanging node must not
  ///   outlive its run.
  public init(_ environment: NodeEnvironment, name: String, flags: JoinRequest.Flags = [], diesWithParent: Bool = true)
    throws(NodeClientError)
  {
    if diesWithParent { _ = cs_die_with_parent(SIGKILL, 0) }
    do throws(SystemCallError) {
      connection = NodeConnection(try SocketDescriptor.connect(to: environment.path))
    } catch {
      throw .system(error)
    }
    connection.writer.join(
      JoinRequest(role: environment.role, flags: flags, token: Array(environment.token.utf8), name: name))
  }

  /// Joins the run.
  ///
  /// - Returns: The setup, a JSON text. Answer it with ``run(_:isRecording:answered:appendLine:)`` or ``fail(_:)``.
  public func join() throws(NodeClientError) -> String {
    try flush()
    switch try next(.welcome) {
    case .welcome(let setup)?: return setup
    case .failed(let why)?: throw .refused(why)
    case nil: throw .closed
    default: preconditionFailure("the decoder accepts no other record")
    }
  }

  /// Sends the conductor the reason why this node cannot continue.
  public func fail(_ why: String) { connection.refuse(why) }

  /// Runs a node on grants until the run is over.
  ///
  /// The machine's orders are carried out in order: frames and lines go into the answer, the rest to the keeper. The
  /// answer is sent in one write, after every commit that it reports.
  ///
  /// - Parameters:
  ///   - isRecording: Whether lines of the trace are needed.
  ///   - answered: With a journal, the number of the last grant whose answer the conductor has; otherwise nil.
  ///   - appendLine: Appends an event's line without its newline.
  /// - Throws: The error, after sending it to the conductor.
  public func run<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ keeper: inout NodeKeeper<Node, Store, Files>, isRecording: Bool = true, answered: UInt64? = nil,
    appendLine: @escaping (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) -> Ending {
    turn = Turn(isRecording: isRecording)
    do throws(NodeClientError) {
      if let answered { try keepJournal(&keeper, answered: answered, appendLine: appendLine) }
      return try followGrants(&keeper, appendLine: appendLine)
    } catch {
      throw reporting(error)
    }
  }

  /// Returns an error, after sending it to the conductor unless that is where it came from.
  func reporting(_ error: NodeClientError) -> NodeClientError {
    switch error {
    case .refused, .closed, .environment: break
    case .wire, .system, .host: fail(error.description)
    }
    return error
  }

  private func followGrants<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ keeper: inout NodeKeeper<Node, Store, Files>, appendLine: (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) -> Ending {
    var last = VirtualTime.start
    connection.writer.done(nextDeadline: keeper.readGlance().nextDeadline)
    while true {
      do throws(NodeClientError) { try flush() } catch .closed { return .disconnected }
      guard let grant = try nextGrant(arming: { keeper.armed = $0 }) else { return ending }
      guard grant.time >= last else {
        throw .wire(.malformed(.grant, expected: "an instant of at least \(last.nanoseconds)"))
      }
      last = grant.time
      guard let point = try carryOutGrant(grant, &keeper, appendLine: appendLine) else {
        if ending == .disconnected { return .disconnected }
        connection.writer.done(nextDeadline: keeper.readGlance().nextDeadline)
        answered += 1
        continue
      }
      // The answer so far belongs to the grant alone: the one before was sent.
      if point.losesGrant { connection.writer.removeAll() }
      connection.writer.stopped(at: point)
      do throws(NodeClientError) { try flush() } catch .closed { return .disconnected }
      return try waitForTheEnd()
    }
  }

  // MARK: Journal

  /// The number of the last answered grant; counted only with a journal.
  private var answered: UInt64 = 0
  /// Whether the current grant has a journal.
  private var hasJournaled = false
  private var journaledCount = 0

  /// Sometimes waits between a commit and its answer, so that a kill at a random moment often happens there.
  private func delayForKill() {
    hasJournaled = false
    journaledCount += 1
    guard journaledCount % 16 == 0 else { return }
    var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
    nanosleep(&pause, nil)
  }

  /// Reports what the node's last start could not report, and journals each answer from now on.
  private func keepJournal<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ keeper: inout NodeKeeper<Node, Store, Files>, answered: UInt64,
    appendLine: @escaping (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) {
    let last: (number: UInt64, answer: [UInt8])?
    do throws(StoreError) { last = try keeper.lastJournal() } catch { throw Self.failure(error) }
    self.answered = try reportJournal(last, answered: answered)
    connection.writer.began(keeper.epoch, answered: self.answered)
    keeper.journal = { [connection, unowned self] items in
      var writer = RecordWriter()
      writer.append(connection.writer.bytes[...])
      for case .event(let event) in items { try? writer.line { appendLine(event, &$0) } }
      hasJournaled = true
      return (self.answered + 1, writer.bytes)
    }
  }

  /// Writes the last entry of a journal, unless the conductor has that answer.
  ///
  /// - Returns: The number of the last grant that is reported now.
  func reportJournal(
    _ last: (number: UInt64, answer: [UInt8])?, answered: UInt64
  ) throws(NodeClientError) -> UInt64 {
    guard let last, last.number > answered else { return answered }
    do throws(WireError) {
      try JournaledAnswer.forEachRecord(last.answer) { type, record in
        // Frames are lost, as in any crash.
        if type == .line || type == .handled { connection.writer.append(record) }
      }
    } catch {
      throw .wire(error)
    }
    return last.number
  }

  /// How the run ended, if it has.
  private(set) var ending = Ending.over

  /// Handles orders up to the next grant; nil if the run has ended.
  func nextGrant(arming arm: ([CrashPoint]) -> Void) throws(NodeClientError) -> Grant? {
    while true {
      guard let order = try next(.order) else {
        ending = .disconnected
        return nil
      }
      switch order {
      case .grant(let grant): return grant
      case .arm(let names): arm(names.map { CrashPoint($0, "") })
      case .end: return nil
      case .failed(let why): throw .refused(why)
      default: preconditionFailure("the decoder accepts no other record")
      }
    }
  }

  /// Carries out a grant and writes the answer up to its end.
  ///
  /// - Returns: The armed crash point at which the node stopped, if any.
  private func carryOutGrant<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ grant: Grant, _ keeper: inout NodeKeeper<Node, Store, Files>, appendLine: (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) -> CrashPoint? {
    turn.now = grant.time
    keeper.beginGrant()
    for _ in 0..<grant.inputs {
      guard let record = try next(.input) else {
        ending = .disconnected
        return nil
      }
      if let point = try carryOutInput(Self.input(record), &keeper, appendLine: appendLine) {
        return point
      }
      connection.writer.handled()
    }
    if grant.firesTimers, let due = keeper.readGlance().nextDeadline, due <= grant.time,
      let point = try carryOutInput(nil, &keeper, appendLine: appendLine)
    {
      return point
    }
    let point: CrashPoint?
    do throws(StoreError) { point = try keeper.endGrant() } catch { throw Self.failure(error) }
    if hasJournaled { delayForKill() }
    return point
  }

  private func carryOutInput<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ input: NodeInput?, _ keeper: inout NodeKeeper<Node, Store, Files>,
    appendLine: (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) -> CrashPoint? {
    let point: CrashPoint?
    do throws(StoreError) {
      point = try keeper.receive(input, in: &turn)
    } catch {
      throw Self.failure(error)
    }
    for item in turn.items {
      switch item {
      case .frame(let frame): connection.writer.frame(frame)
      case .event(let event):
        do throws(WireError) {
          try connection.writer.line { appendLine(event, &$0) }
        } catch {
          throw .wire(error)
        }
      case .frequent: preconditionFailure("this turn passes no values")
      case .change, .appChange, .commit, .crashPoint, .handled, .page, .file, .chunk: break  // Already carried out.
      }
      guard connection.writer.bytes.count <= Self.answerBytesMax else {
        throw .wire(.answerBytes(max: Self.answerBytesMax))
      }
    }
    turn.items.removeAll(keepingCapacity: true)
    return point
  }

  private static func failure(_ error: StoreError) -> NodeClientError { .host("its store failed: \(error)") }

  /// Does nothing until the conductor ends this process, or is gone.
  private func waitForTheEnd() throws(NodeClientError) -> Ending {
    while let order = try next([.order, .input]) {
      if case .end = order { return .over }
    }
    return .disconnected
  }

  static func input(_ record: WireRecord) -> NodeInput {
    switch record {
    case .frame(let frame): .frame(frame)
    case .link(let isUp): .link(isUp: isUp)
    case .uplink(let isUp): .uplink(isUp: isUp)
    case .command(let command): .command(command)
    case .condition(let condition): .condition(condition)
    default: preconditionFailure("the decoder accepts no other record")
    }
  }

  func flush() throws(NodeClientError) {
    do throws(SystemCallError) { try connection.flush() } catch {
      if error.code == EPIPE || error.code == ECONNRESET {
        // The conductor may have sent a reason before it closed.
        if case .failed(let why)? = try next([.welcome, .order]) { throw .refused(why) }
        throw .closed
      }
      throw .system(error)
    }
  }

  /// Waits for the next record; nil if the conductor has closed the connection.
  func next(_ accepted: RecordSet) throws(NodeClientError) -> WireRecord? {
    while true {
      do throws(WireError) {
        if let record = try connection.decoder.next(accepted) { return record }
      } catch {
        throw .wire(error)
      }
      do throws(SystemCallError) {
        switch try connection.receive() {
        case .bytes: continue
        case .endOfFile: return nil
        case .nothing: continue  // The socket has no timeout: a paced run may wait long between grants.
        }
      } catch {
        throw .system(error)
      }
    }
  }
}

/// A grant for a node whose app acts by itself.
public struct FreeGrant: Sendable {
  /// The instant, never earlier than the one before.
  public var time: VirtualTime
  /// Whether due timers fire after the inputs.
  public var firesTimers: Bool
  /// The inputs, in order.
  public var inputs: [NodeInput]
  /// The armed crash points, if they have changed since the last grant; otherwise nil.
  public var armed: [CrashPoint]?

  public init(time: VirtualTime, firesTimers: Bool, inputs: [NodeInput], armed: [CrashPoint]? = nil) {
    self.time = time
    self.firesTimers = firesTimers
    self.inputs = inputs
    self.armed = armed
  }
}

/// A node with its own timers: gets frequent grants, and answers with what its app has done meanwhile.
extension NodeClient {
  /// How a start begins in a run with a journal: epoch, answers that the conductor has, and the journal's last entry.
  public typealias Beginning = (epoch: Epoch, answered: UInt64, journal: (number: UInt64, answer: [UInt8])?)

  /// Answers grants until the run is over.
  ///
  /// Answers the welcome first, with the deadline `firstDeadline`.
  ///
  /// - Parameters:
  ///   - beginning: In a run with a journal, the new epoch, the number of the last grant whose answer the conductor has,
  ///     and the journal's last entry; otherwise nil.
  ///   - answer: Writes the answer to a grant, up to its `done` or `stopped`.
  /// - Throws: The error, after sending it to the conductor.
  public func runFreely(
    firstDeadline: VirtualTime?, beginning: Beginning? = nil,
    _ answer: (FreeGrant, inout RecordWriter) throws(NodeClientError) -> Void
  ) throws(NodeClientError) -> Ending {
    do throws(NodeClientError) {
      if let beginning {
        let answered = try reportJournal(beginning.journal, answered: beginning.answered)
        connection.writer.began(beginning.epoch, answered: answered)
      }
      connection.writer.done(nextDeadline: firstDeadline)
      return try followFreely(answer)
    } catch {
      throw reporting(error)
    }
  }

  private func followFreely(
    _ answer: (FreeGrant, inout RecordWriter) throws(NodeClientError) -> Void
  ) throws(NodeClientError) -> Ending {
    var armed: [CrashPoint]?
    while true {
      do throws(NodeClientError) { try flush() } catch .closed { return .disconnected }
      guard let grant = try nextGrant(arming: { armed = $0 }) else { return ending }
      guard let inputs = try inputs(of: grant) else { return .disconnected }
      let whole = FreeGrant(time: grant.time, firesTimers: grant.firesTimers, inputs: inputs, armed: armed)
      armed = nil
      try answer(whole, &connection.writer)
    }
  }

  /// Reads the inputs of a grant; nil if the conductor is gone.
  private func inputs(of grant: Grant) throws(NodeClientError) -> [NodeInput]? {
    var inputs: [NodeInput] = []
    while inputs.count < grant.inputs {
      guard let record = try next(.input) else { return nil }
      inputs.append(Self.input(record))
    }
    return inputs
  }
}
