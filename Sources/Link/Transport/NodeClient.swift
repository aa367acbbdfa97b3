import CSystem
import Glibc
public import Link

/// The node's side of a run in processes: joins, is granted instants, answers each with what its machine
/// did.
public final class NodeClient {
  /// Whether this process should say how the run ended.
  public enum Ending: Sendable, Equatable {
    /// The conductor said that the run is over.
    case over
    /// The conductor has gone: killed, or the user stopped it.
    case disconnected
  }

  private let connection: NodeConnection
  private var output = NodeOutput(isRecording: true)
  private var changes: [SessionChange] = []
  private var appChanges: [Int] = []

  /// The largest answer, in bytes: the conductor takes no larger one.
  static let answerBytesMax = NodeAnswer.Limits().bytesMax

  /// Connects.
  ///
  /// - Parameter diesWithParent: Whether the kernel is to end this process when the one that started it
  ///   has died: a node that hangs must not outlive its run.
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
  /// - Returns: What to simulate: the setup, a JSON text. It is answered by ``run(_:isRecording:appendLine:commit:)``,
  ///   or by ``fail(_:)``.
  public func join() throws(NodeClientError) -> String {
    try flush()
    switch try next(.welcome) {
    case .welcome(let setup)?: return setup
    case .failed(let why)?: throw .refused(why)
    case nil: throw .closed
    default: preconditionFailure("a record that the decoder was not to accept")
    }
  }

  /// Tells the conductor why this node cannot go on.
  public func fail(_ why: String) { connection.refuse(why) }

  /// Runs a node's machine on grants until the run is over.
  ///
  /// What the machine orders is carried out in order: frames and lines go into the answer, changes to the
  /// host. The answer leaves in one write, after every commit that it tells of.
  ///
  /// - Parameters:
  ///   - isRecording: Whether lines of the trace are wanted at all.
  ///   - appendLine: Appends an event's line without its newline.
  ///   - commit: Makes the session's and the app's changes durable, all or none.
  /// - Throws: After telling the conductor why.
  public func run<Node: NodeMachine>(
    _ node: inout Node, isRecording: Bool = true, appendLine: (TraceEvent, inout [UInt8]) -> Void,
    commit: (inout Node, [SessionChange], [Int]) throws -> Void
  ) throws(NodeClientError) -> Ending {
    output = NodeOutput(isRecording: isRecording)
    do throws(NodeClientError) {
      return try follow(&node, appendLine: appendLine, commit: commit)
    } catch {
      switch error {
      case .refused, .closed, .environment: break
      case .wire, .system, .host: fail(error.description)
      }
      throw error
    }
  }

  /// Runs a node's machine whose app keeps nothing of its own.
  public func run<Node: NodeMachine>(
    _ node: inout Node, store: inout some SessionStore, isRecording: Bool = true,
    appendLine: (TraceEvent, inout [UInt8]) -> Void
  ) throws(NodeClientError) -> Ending {
    try run(&node, isRecording: isRecording, appendLine: appendLine) { _, changes, _ in try store.commit(changes) }
  }

  private func follow<Node: NodeMachine>(
    _ node: inout Node, appendLine: (TraceEvent, inout [UInt8]) -> Void,
    commit: (inout Node, [SessionChange], [Int]) throws -> Void
  ) throws(NodeClientError) -> Ending {
    var last = VirtualTime.start
    while true {
      connection.writer.done(nextDeadline: node.nextDeadline)
      do throws(NodeClientError) { try flush() } catch .closed { return .disconnected }
      guard let order = try next(.order) else { return .disconnected }
      switch order {
      case .end: return .over
      case .failed(let why): throw .refused(why)
      case .grant(let grant):
        guard grant.time >= last else {
          throw .wire(.malformed(.grant, expected: "an instant of at least \(last.nanoseconds)"))
        }
        last = grant.time
        for _ in 0..<grant.inputs {
          guard let record = try next(.input) else { return .disconnected }
          node.receive(Self.input(record), at: grant.time, into: &output)
          try carryOut(&node, appendLine: appendLine, commit: commit)
          connection.writer.handled()
        }
        if grant.firesTimers, let due = node.nextDeadline, due <= grant.time {
          node.receive(nil, at: grant.time, into: &output)
          try carryOut(&node, appendLine: appendLine, commit: commit)
        }
      default: preconditionFailure("a record that the decoder was not to accept")
      }
    }
  }

  private static func input(_ record: WireRecord) -> NodeInput {
    switch record {
    case .frame(let frame): .frame(frame)
    case .link(let isUp): .link(isUp: isUp)
    case .command(let command): .command(command)
    default: preconditionFailure("a record that the decoder was not to accept")
    }
  }

  /// Carries out what the machine ordered.
  private func carryOut<Node: NodeMachine>(
    _ node: inout Node, appendLine: (TraceEvent, inout [UInt8]) -> Void,
    commit: (inout Node, [SessionChange], [Int]) throws -> Void
  ) throws(NodeClientError) {
    for item in output.items {
      switch item {
      case .frame(let frame): connection.writer.frame(frame)
      case .event(let event):
        do throws(WireError) {
          try connection.writer.line { appendLine(event, &$0) }
        } catch {
          throw .wire(error)
        }
      case .change(let change): changes.append(change)
      case .appChange(let index): appChanges.append(index)
      case .commit:
        do { try commit(&node, changes, appChanges) } catch { throw .host("the commit failed: \(error)") }
        changes.removeAll(keepingCapacity: true)
        appChanges.removeAll(keepingCapacity: true)
      case .crashPoint, .handled, .page, .file, .chunk: break
      }
      guard connection.writer.bytes.count <= Self.answerBytesMax else {
        throw .wire(.answerBytes(max: Self.answerBytesMax))
      }
    }
    output.items.removeAll(keepingCapacity: true)
  }

  private func flush() throws(NodeClientError) {
    do throws(SystemCallError) { try connection.flush() } catch {
      if error.code == EPIPE || error.code == ECONNRESET {
        // The conductor may have said why before it closed.
        if case .failed(let why)? = try next([.welcome, .order]) { throw .refused(why) }
        throw .closed
      }
      throw .system(error)
    }
  }

  /// Waits for the next record; nil when the conductor has closed the connection.
  private func next(_ accepted: RecordSet) throws(NodeClientError) -> WireRecord? {
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
