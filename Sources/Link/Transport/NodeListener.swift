import CSystem
import Glibc
public import Link

/// Where the nodes of a run join: a socket that only this user reaches, and a token that only the run's
/// own children know.
///
/// A connection that never shows the token is closed and counted, and disturbs nobody. Every refusal is
/// recorded with its cause.
public final class NodeListener {
  /// How long a node may take to join, and to answer, in seconds of real time.
  public let timeout: Double
  /// The limits of nodes that have others than ``timeout``.
  public var limits: [NodeRole: NodeLimits] = [:]
  /// What a join must show.
  public let token: [UInt8]
  /// What was refused, the first ``refusalsMax`` of it.
  public private(set) var refusals: [NodeFailure] = []
  /// How much was refused.
  public private(set) var refusalCount = 0

  /// How many refusals are kept, and how many strangers may be at the door at once.
  public static let refusalsMax = 32

  private let listener: UnixListener
  private let user: UInt32
  private var strangers: [Stranger] = []
  /// When strangers are looked at again, in nanoseconds of the monotonic clock.
  private var nextService: Int64 = 0
  /// Who has joined, and not left as far as the listener was told.
  private var joined: [NodeRole] = []

  private final class Stranger {
    let connection: NodeConnection
    let process: Int32
    let deadline: Int64

    init(_ connection: NodeConnection, process: Int32, deadline: Int64) {
      self.connection = connection
      self.process = process
      self.deadline = deadline
    }
  }

  /// Listens in a fresh directory, with a fresh token.
  ///
  /// - Parameters:
  ///   - timeout: In seconds of real time.
  ///   - user: Whose processes may join; nil for this user's.
  public init(timeout: Double = 5, user: UInt32? = nil) throws(SystemCallError) {
    self.timeout = timeout
    self.user = user ?? geteuid()
    listener = try UnixListener()
    var random = [UInt8](repeating: 0, count: 16)
    let status = cs_random(&random, random.count)
    guard status == 0 else { throw SystemCallError("getrandom", -status) }
    token = Array(Digest.text(random).utf8)
  }

  /// Where to connect to.
  public var path: String { listener.path }

  /// What a child must find in its environment to join.
  ///
  /// - Parameter state: The directory of its durable state; nil for none.
  public func environment(for role: NodeRole, state: String? = nil) -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = [
      (NodeEnvironment.socketName, path), (NodeEnvironment.roleName, role.text),
      (NodeEnvironment.tokenName, String(decoding: token, as: UTF8.self)),
    ]
    if let state { variables.append((NodeEnvironment.stateName, state)) }
    return variables
  }

  /// Waits until all of `roles` have joined.
  ///
  /// - Parameters:
  ///   - roles: Who is expected; a role that was told to have left may join again.
  ///   - check: Is asked some fifty times a second whether waiting makes sense any more: a child that has
  ///     died cannot join.
  /// - Returns: The nodes in the order of `roles`.
  public func accept(_ roles: [NodeRole], check: () -> NodeFailure? = { nil }) throws(NodeFailure) -> [RemoteNode] {
    let deadlines = roles.map { (role: $0, at: MonotonicClock.after(seconds: joinLimit(of: $0))) }
    let refusedBefore = refusalCount
    var nodes: [RemoteNode] = []
    while true {
      try serve(expecting: roles, until: MonotonicClock.after(seconds: 0.02), adding: &nodes)
      let missing = roles.filter { role in !nodes.contains { $0.role == role } }
      guard !missing.isEmpty else { break }
      if StopSignal.isRaised { throw NodeFailure(nil, .stopped) }
      if let failure = check() { throw failure }
      let now = MonotonicClock.now
      if let late = deadlines.first(where: { missing.contains($0.role) && $0.at <= now })?.role {
        throw NodeFailure(late, .notJoined(seconds: joinLimit(of: late), refused: refusalCount - refusedBefore))
      }
    }
    return roles.compactMap { role in nodes.first { $0.role == role } }
  }

  private func joinLimit(of role: NodeRole) -> Double { limits[role]?.join ?? timeout }

  /// Refuses who came unasked since the last call; waits for nobody.
  public func refuseStrangers() throws(NodeFailure) {
    var nobody: [RemoteNode] = []
    try serve(expecting: [], until: 0, adding: &nobody)
  }

  /// The same, but no sooner than so many seconds after the last time: a run calls it at every instant.
  public func refuseStrangers(atMostEvery seconds: Double) throws(NodeFailure) {
    guard MonotonicClock.now >= nextService else { return }
    nextService = MonotonicClock.after(seconds: seconds)
    try refuseStrangers()
  }

  /// Notes that a node has left, so that its role may be joined again.
  public func hasLeft(_ role: NodeRole) { joined.removeAll { $0 == role } }

  /// Takes what is at the door, waiting for it until a moment of the monotonic clock.
  private func serve(expecting roles: [NodeRole], until deadline: Int64, adding nodes: inout [RemoteNode])
    throws(NodeFailure)
  {
    var entries = [
      cs_poll_entry(descriptor: listener.socket.rawValue, wanted: Int16(CS_POLL_READ), ready: 0)
    ]
    for stranger in strangers {
      let descriptor = stranger.connection.socket.rawValue
      entries.append(cs_poll_entry(descriptor: descriptor, wanted: Int16(CS_POLL_READ), ready: 0))
    }
    let status = cs_poll(&entries, entries.count, max(0, deadline - MonotonicClock.now))
    guard status >= 0 || status == -EINTR else { throw NodeFailure(nil, .system(SystemCallError("poll", -status))) }
    let now = MonotonicClock.now
    var staying: [Stranger] = []
    for (stranger, entry) in zip(strangers, entries.dropFirst()) {
      if status > 0, entry.ready != 0 {
        switch hear(stranger, expecting: roles, alreadyIn: nodes) {
        case .node(let node):
          nodes.append(node)
          joined.append(node.role)
        case .refused: continue
        case .undecided: staying.append(stranger)
        }
      } else if now >= stranger.deadline {
        refuse(stranger.connection, NodeFailure(nil, .silent(seconds: timeout)))
      } else {
        staying.append(stranger)
      }
    }
    strangers = staying
    if status > 0, entries[0].ready != 0 { try greet() }
  }

  /// Lets one more connection come to the door.
  private func greet() throws(NodeFailure) {
    do throws(SystemCallError) {
      guard let socket = try listener.acceptPending() else { return }
      let peer = try socket.peer()
      let connection = NodeConnection(socket)
      guard peer.user == user else {
        return refuse(connection, NodeFailure(nil, .wrongUser(found: peer.user, expected: user)))
      }
      if strangers.count == Self.refusalsMax {
        refuse(strangers.removeFirst().connection, NodeFailure(nil, .crowd))
      }
      strangers.append(
        Stranger(connection, process: peer.process, deadline: MonotonicClock.after(seconds: timeout)))
    } catch  where error.code == ENOTCONN {  // It has gone again.
    } catch {
      throw NodeFailure(nil, .system(error))
    }
  }

  private enum Verdict {
    case node(RemoteNode), refused, undecided
  }

  /// Hears what a stranger has to say.
  private func hear(_ stranger: Stranger, expecting roles: [NodeRole], alreadyIn nodes: [RemoteNode]) -> Verdict {
    let connection = stranger.connection
    let request: JoinRequest
    do {
      switch try connection.receivePending() {
      case .bytes: break
      case .nothing: return .undecided
      case .endOfFile:
        refuse(connection, NodeFailure(nil, .closed))
        return .refused
      }
      guard case .join(let join)? = try connection.decoder.next(.join) else { return .undecided }
      request = join
      if connection.decoder.pendingBytes > 0 { throw WireError.unasked(bytes: connection.decoder.pendingBytes) }
    } catch let error as WireError {
      refuse(connection, NodeFailure(nil, .protocolBroken(error)))
      return .refused
    } catch {
      refuse(connection, NodeFailure(nil, (error as? SystemCallError).map(NodeFailure.Cause.system) ?? .closed))
      return .refused
    }
    // The token first: who does not have it learns nothing about the run.
    guard request.token == token else {
      refuse(connection, NodeFailure(nil, .wrongToken))
      return .refused
    }
    let failure: NodeFailure?
    if request.version != NodeWire.version {
      failure = NodeFailure(request.role, .wrongVersion(found: request.version))
    } else if let role = request.role {
      failure =
        if joined.contains(role) { NodeFailure(role, .secondJoin) } else if !roles.contains(role) {
          NodeFailure(role, .unexpectedRole)
        } else { nil }
    } else {
      failure = NodeFailure(nil, .unknownRole(request.roleNumber))
    }
    if let failure {
      refuse(connection, failure)
      return .refused
    }
    do throws(SystemCallError) {
      guard let role = request.role else { return .refused }
      return .node(
        try RemoteNode(
          connection, role: role, join: request, process: stranger.process,
          timeout: limits[role]?.answer ?? timeout))
    } catch {
      refuse(connection, NodeFailure(request.role, .system(error)))
      return .refused
    }
  }

  private func refuse(_ connection: NodeConnection, _ failure: NodeFailure) {
    refusalCount += 1
    if refusals.count < Self.refusalsMax { refusals.append(failure) }
    connection.refuse(failure.text)
  }
}

/// How long one node may take, in seconds of real time.
public struct NodeLimits: Sendable {
  /// From the call of ``NodeListener/accept(_:check:)`` to its join.
  public var join: Double
  /// For each answer.
  public var answer: Double

  /// Creates limits.
  public init(join: Double, answer: Double) {
    self.join = join
    self.answer = answer
  }
}
