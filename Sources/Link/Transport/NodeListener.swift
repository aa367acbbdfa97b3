import CSystem
import Glibc
public import Link

/// Accepts the nodes of a run: a socket that only this user can reach, and a token that only the run's child processes
/// know.
///
/// A connection without the token is closed and counted, and does not disturb the run. Every refusal is recorded with
/// its cause.
public final class NodeListener {
  /// The time limit for a join and for an answer, in seconds of real time.
  public let timeout: Double
  /// The limits of nodes that differ from ``timeout``.
  public var limits: [NodeRole: NodeLimits] = [:]
  /// The token that a join must contain.
  public let token: [UInt8]
  /// The first ``refusalsMax`` refusals.
  public private(set) var refusals: [NodeFailure] = []
  /// The number of refusals.
  public private(set) var refusalCount = 0

  /// The most recorded refusals, and the most strangers at once.
  public static let refusalsMax = 32

  private let listener: UnixListener
  private let user: UInt32
  private var strangers: [Stranger] = []
  /// When strangers are handled next, in nanoseconds of the monotonic clock.
  private var nextService: Int64 = 0
  /// The roles that have joined and not left, as far as the listener knows.
  private var joined: [NodeRole] = []

  private struct Stranger {
    let connection: NodeConnection
    let process: Int32
    let deadline: Int64
  }

  /// Listens in a new directory, with a new token.
  ///
  /// - Parameters:
  ///   - timeout: In seconds of real time.
  ///   - user: The user whose processes may join; nil for this user.
  public init(timeout: Double = 5, user: UInt32? = nil) throws(SystemCallError) {
    self.timeout = timeout
    self.user = user ?? geteuid()
    listener = try UnixListener()
    var random = [UInt8](repeating: 0, count: 16)
    let status = cs_random(&random, random.count)
    guard status == 0 else { throw SystemCallError("getrandom", -status) }
    token = Array(Digest.text(random).utf8)
  }

  /// The path to connect to.
  public var path: String { listener.path }

  /// The environment that a child needs to join.
  ///
  /// - Parameter state: The directory of its durable state, if any.
  public func environment(for role: NodeRole, state: String? = nil) -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = [
      (NodeEnvironment.socketName, path), (NodeEnvironment.roleName, role.text),
      (NodeEnvironment.tokenName, String(decoding: token(of: role), as: UTF8.self)),
    ]
    if let state { variables.append((NodeEnvironment.stateName, state)) }
    return variables
  }

  /// The token that a role's child gets: with it the child can join as that role alone.
  ///
  /// The run's own token is for nodes that are started otherwise.
  private func token(of role: NodeRole) -> [UInt8] { token.dropLast() + role.text.uppercased().utf8.prefix(1) }

  /// Waits until all of `roles` have joined.
  ///
  /// - Parameters:
  ///   - roles: The expected roles; a role that has left may join again.
  ///   - check: Called some fifty times a second; returns a failure if waiting is pointless, since a dead child cannot
  ///     join.
  /// - Returns: The nodes in the order of `roles`.
  public func accept(_ roles: [NodeRole], check: () -> NodeFailure? = { nil }) throws(NodeFailure) -> [RemoteNode] {
    let deadlines = roles.map { (role: $0, at: MonotonicClock.after(seconds: joinLimit(of: $0))) }
    let refusedBefore = refusalCount
    var nodes: [RemoteNode] = []
    while true {
      try serveStrangers(expecting: roles, until: MonotonicClock.after(seconds: 0.02), adding: &nodes)
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

  /// Refuses strangers that connected since the last call, one at a time; does not wait.
  public func refuseStrangers() throws(NodeFailure) { _ = try refuseNext() }

  /// Accepts and refuses what is pending now.
  ///
  /// - Returns: Whether there may be more.
  private func refuseNext() throws(NodeFailure) -> Bool {
    var joining: [RemoteNode] = []
    return try serveStrangers(expecting: [], until: 0, adding: &joining)
  }

  /// The same, at most once in a number of seconds, for a run that calls it at every instant.
  public func refuseStrangers(atMostEvery seconds: Double) throws(NodeFailure) {
    guard MonotonicClock.now >= nextService else { return }
    nextService = MonotonicClock.after(seconds: seconds)
    try refuseStrangers()
  }

  /// Records that a node's process has ended, so that its role may be joined again.
  ///
  /// One that was killed while it joined may have left a connection with its join, which must not pass for that of the
  /// next process.
  public func recordDeparture(of role: NodeRole) {
    joined.removeAll { $0 == role }
    // Each connection takes two rounds: one accepts it, one reads its join. Strangers that keep connecting end at the bound.
    for _ in 0..<2 * Self.refusalsMax {
      guard let hasMore = try? refuseNext(), hasMore else { return }
    }
  }

  /// Handles strangers, and waits for more until an instant of the monotonic clock.
  ///
  /// - Returns: Whether one had connected or sent something.
  @discardableResult
  private func serveStrangers(expecting roles: [NodeRole], until deadline: Int64, adding nodes: inout [RemoteNode])
    throws(NodeFailure) -> Bool
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
        switch readJoin(stranger, expecting: roles, alreadyIn: nodes) {
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
    if status > 0, entries[0].ready != 0 { try acceptStranger() }
    return status > 0
  }

  /// Accepts one more connection.
  private func acceptStranger() throws(NodeFailure) {
    do throws(SystemCallError) {
      guard let socket = try listener.acceptPending() else { return }
      let peer = try socket.peer()
      let connection = NodeConnection(socket)
      guard peer.user == user else {
        refuse(connection, NodeFailure(nil, .wrongUser(found: peer.user, expected: user)))
        return
      }
      if strangers.count == Self.refusalsMax {
        refuse(strangers.removeFirst().connection, NodeFailure(nil, .crowd))
      }
      strangers.append(
        Stranger(
          connection: connection, process: peer.process, deadline: MonotonicClock.after(seconds: timeout)))
    } catch  where error.code == ENOTCONN {  // It has disconnected.
    } catch {
      throw NodeFailure(nil, .system(error))
    }
  }

  private enum Verdict {
    case node(RemoteNode), refused, undecided
  }

  /// Reads a stranger's join.
  private func readJoin(_ stranger: Stranger, expecting roles: [NodeRole], alreadyIn nodes: [RemoteNode]) -> Verdict {
    let connection = stranger.connection
    let request: JoinRequest
    do {
      switch try connection.receivePending() {
      case .bytes: break
      case .nothing: return .undecided
      case .endOfFile: return refuse(connection, NodeFailure(nil, .closed))
      }
      guard case .join(let join)? = try connection.decoder.next(.join) else { return .undecided }
      request = join
      if connection.decoder.pendingBytes > 0 { throw WireError.unasked(bytes: connection.decoder.pendingBytes) }
    } catch let error as WireError {
      return refuse(connection, NodeFailure(nil, .protocolBroken(error)))
    } catch {
      return refuse(
        connection, NodeFailure(nil, (error as? SystemCallError).map(NodeFailure.Cause.system) ?? .closed))
    }
    // The token first: a stranger without it learns nothing about the run.
    let player = NodeRole.allCases.first { request.token == token(of: $0) }
    guard player != nil || request.token == token else {
      return refuse(connection, NodeFailure(nil, .wrongToken))
    }
    guard request.version == NodeWire.version else {
      return refuse(connection, NodeFailure(request.role, .wrongVersion(found: request.version)))
    }
    guard let role = request.role else {
      return refuse(connection, NodeFailure(nil, .unknownRole(request.roleNumber)))
    }
    if let player, player != role {
      return refuse(connection, NodeFailure(player, .wrongRole(found: role, expected: player)))
    }
    guard !joined.contains(role) else { return refuse(connection, NodeFailure(role, .secondJoin)) }
    guard roles.contains(role) else { return refuse(connection, NodeFailure(role, .unexpectedRole)) }
    do throws(SystemCallError) {
      return .node(
        try RemoteNode(
          connection, role: role, join: request, process: stranger.process,
          timeout: limits[role]?.answer ?? timeout))
    } catch {
      return refuse(connection, NodeFailure(role, .system(error)))
    }
  }

  @discardableResult
  private func refuse(_ connection: NodeConnection, _ failure: NodeFailure) -> Verdict {
    refusalCount += 1
    if refusals.count < Self.refusalsMax { refusals.append(failure) }
    connection.refuse(failure.text)
    return .refused
  }
}

/// The time limits of one node, in seconds of real time.
public struct NodeLimits: Sendable {
  /// From the call of ``NodeListener/accept(_:check:)`` to its join.
  public var join: Double
  /// For each answer.
  public var answer: Double

  public init(join: Double, answer: Double) {
    self.join = join
    self.answer = answer
  }
}

/// A listening socket in a new directory that only this user may enter; both are removed with it.
public struct UnixListener: ~Copyable, Sendable {
  static let socketName = "socket"

  private let directory: TemporaryDirectory
  let socket: SocketDescriptor
  /// The path to connect to.
  public let path: String

  public init() throws(SystemCallError) {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/\(Self.socketName)"
    let socket = try SocketDescriptor.unix()
    var address = try UnixAddress(path)
    let descriptor = socket.rawValue
    guard address.bind(descriptor) == 0 else {
      throw SystemCallError("bind", errno, on: path)
    }
    guard listen(descriptor, 64) == 0 else { throw SystemCallError("listen", errno, on: path) }
    self.directory = directory
    self.socket = socket
    self.path = path
  }

  /// Accepts a waiting connection, after poll reported one; nil if it has disconnected.
  borrowing func acceptPending() throws(SystemCallError) -> SocketDescriptor? {
    let descriptor = cs_accept(socket.rawValue, 0)
    switch -descriptor {
    case EINTR, EAGAIN, ECONNABORTED: return nil
    case let code where code > 0: throw SystemCallError("accept", code, on: path)
    default: return SocketDescriptor(adopting: descriptor)
    }
  }
}

/// A socket that listens for TCP connections from this computer alone, or from a container's host.
public struct LoopbackListener: ~Copyable, Sendable {
  private let socket: SocketDescriptor
  /// The port that it listens on.
  public let port: UInt16

  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - isInContainer: Whether it listens on every address of the machine instead of on 127.0.0.1: a container's host
  ///     does not reach the container's own 127.0.0.1.
  /// - Throws: `EADDRINUSE` if the port is taken, `EACCES` if this user may not have it.
  public init(port: UInt16, isInContainer: Bool = false) throws(SystemCallError) {
    let descriptor = Glibc.socket(
      AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SystemCallError("socket", errno) }
    let socket = SocketDescriptor(adopting: descriptor)
    // A port that an earlier run has just left is free.
    var isOn: CInt = 1
    _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
    let host = isInContainer ? "0.0.0.0" : "127.0.0.1"
    var address = LoopbackAddress(port: port, isInContainer: isInContainer)
    guard address.bind(descriptor) == 0 else { throw SystemCallError("bind", errno, on: "\(host):\(port)") }
    guard listen(descriptor, 64) == 0 else { throw SystemCallError("listen", errno, on: "\(host):\(port)") }
    self.socket = socket
    self.port = address.port
  }

  /// The descriptor, to be polled.
  public var descriptor: CInt { socket.rawValue }

  /// Accepts a waiting connection, after poll reported one; nil if it has disconnected.
  public borrowing func acceptPending() throws(SystemCallError) -> SocketDescriptor? {
    let descriptor = cs_accept(socket.rawValue, 1)
    switch -descriptor {
    case EINTR, EAGAIN, ECONNABORTED: return nil
    case let code where code > 0: throw SystemCallError("accept", code, on: "port \(port)")
    default: return SocketDescriptor(adopting: descriptor)
    }
  }
}
