import Foundation
import Link
import LinkTransport
import Testing

/// Deadlines that must pass are short, those that must not are long: nothing here depends on how fast
/// the machine is.
@Suite struct NodeListenerTests {
  @Test func `nodes join and come back in the order that was asked for`() throws {
    let listener = try NodeListener(timeout: 30)
    let phone = EchoThread(.of(listener, .phone))
    let watch = EchoThread(.of(listener, .watch))
    let nodes = try listener.accept([.watch, .phone])
    #expect(nodes.map(\.role) == [.watch, .phone])
    #expect(nodes.allSatisfy { $0.name == "echo 1" && !$0.isFreeRunning && $0.process == getpid() })
    #expect(listener.refusalCount == 0)
    var answer = NodeAnswer()
    for node in nodes {
      try node.welcome("{\"role\":\"\(node.role.text)\"}", into: &answer)
      node.end()
    }
    for (thread, role) in [(watch, "watch"), (phone, "phone")] {
      #expect(thread.end() == .success(.over))
      #expect(thread.setup == "{\"role\":\"\(role)\"}")
    }
  }

  @Test func `who does not join in time is named`() throws {
    let listener = try NodeListener(timeout: 0.05)
    #expect(throws: NodeFailure(.watch, .notJoined(seconds: 0.05, refused: 0))) {
      try listener.accept([.watch, .phone])
    }
  }

  @Test func `a child that has died ends the wait`() throws {
    let listener = try NodeListener(timeout: 60)
    let child = try ChildProcess(["/bin/sh", "-c", "exit 7"])
    #expect(throws: NodeFailure(.watch, .ended("exited with status 7"))) {
      try listener.accept([.watch]) { child.poll().map { NodeFailure(.watch, .ended($0.description)) } }
    }
  }

  /// Lets a stranger do something at the door, and then a true node join.
  private func refusal(
    user: UInt32? = nil, strangers: Int = 1, _ act: (borrowing RawPeer, NodeListener) throws -> Void
  ) throws -> (refusals: [NodeFailure], said: [UInt8]) {
    let listener = try NodeListener(timeout: 30, user: user)
    let stranger = try RawPeer(listener)
    try act(stranger, listener)
    // The true node comes later, so the stranger is heard first.
    while listener.refusalCount < strangers { try listener.refuseStrangers() }
    let said = stranger.readToEnd()
    if user == nil {
      let watch = EchoThread(.of(listener, .watch))
      let nodes = try listener.accept([.watch])
      nodes[0].shutDown()
      _ = watch.end()
    }
    #expect(listener.refusalCount == listener.refusals.count)
    return (listener.refusals, said)
  }

  private func reason(_ text: String) -> [UInt8] {
    var writer = RecordWriter()
    writer.failed(text)
    return writer.bytes
  }

  @Test func `a wrong token is refused, counted, and disturbs no node`() throws {
    let found = try refusal { stranger, _ in
      try stranger.send { $0.join(JoinRequest(role: .watch, token: Array("guessed".utf8), name: "x")) }
    }
    #expect(found.refusals == [NodeFailure(nil, .wrongToken)])
    #expect(found.said == reason("a join without the run's token"))
  }

  @Test func `another user is refused before it says anything`() throws {
    let found = try refusal(user: geteuid() + 1) { stranger, listener in try stranger.join(listener, as: .watch) }
    #expect(found.refusals == [NodeFailure(nil, .wrongUser(found: geteuid(), expected: geteuid() + 1))])
  }

  @Test func `a role that does not exist is refused`() throws {
    let found = try refusal { stranger, listener in
      var writer = RecordWriter()
      writer.join(JoinRequest(role: .watch, token: listener.token, name: "x"))
      var bytes = writer.bytes
      bytes[7] = 9
      try stranger.send(bytes)
    }
    #expect(found.refusals == [NodeFailure(nil, .unknownRole(9))])
  }

  @Test func `another version is refused`() throws {
    let found = try refusal { stranger, listener in
      var request = JoinRequest(role: .watch, token: listener.token, name: "x")
      request.version = 2
      try stranger.send { $0.join(request) }
    }
    #expect(found.refusals == [NodeFailure(.watch, .wrongVersion(found: 2))])
  }

  @Test func `a role without a place is refused`() throws {
    let found = try refusal { stranger, listener in try stranger.join(listener, as: .edge) }
    #expect(found.refusals == [NodeFailure(.edge, .unexpectedRole)])
  }

  @Test func `a child that was started for another role is refused`() throws {
    let found = try refusal { stranger, listener in
      let variables = listener.environment(for: .phone)
      let token = try #require(variables.first { $0.name == NodeEnvironment.tokenName }?.value)
      #expect(token.utf8.count == 32)
      try stranger.send { $0.join(JoinRequest(role: .watch, token: Array(token.utf8), name: "x")) }
    }
    #expect(found.refusals == [NodeFailure(.phone, .wrongRole(found: .watch, expected: .phone))])
  }

  @Test func `garbage is refused`() throws {
    let found = try refusal { stranger, _ in try stranger.send(Array("GET / HTTP/1.1\r\n\r\n".utf8)) }
    #expect(found.refusals == [NodeFailure(nil, .protocolBroken(.unknownType(0x2F)))])
  }

  @Test func `an oversized length is refused before anything is kept for it`() throws {
    let found = try refusal { stranger, _ in try stranger.send([0xFF, 0xFF, 0xFF, 0xFF, 1]) }
    #expect(found.refusals == [NodeFailure(nil, .protocolBroken(.oversized(.join, bytes: 0xFFFF_FFFE, max: 4096)))])
  }

  @Test func `more than a join is refused`() throws {
    let found = try refusal { stranger, listener in
      try stranger.send {
        $0.join(JoinRequest(role: .watch, token: listener.token, name: "x"))
        $0.done(nextDeadline: nil)
      }
    }
    #expect(found.refusals == [NodeFailure(nil, .protocolBroken(.unasked(bytes: 13)))])
  }

  @Test func `a silent stranger is sent away in time`() throws {
    let listener = try NodeListener(timeout: 0.05)
    let stranger = try RawPeer(listener)
    while listener.refusalCount == 0 { try listener.refuseStrangers() }
    #expect(listener.refusals == [NodeFailure(nil, .silent(seconds: 0.05))])
    #expect(stranger.readToEnd() == reason("silent for 0.05 s"))
  }

  @Test func `a join that comes byte by byte is heard`() throws {
    let listener = try NodeListener(timeout: 30)
    let peer = try RawPeer(listener)
    var writer = RecordWriter()
    writer.join(JoinRequest(role: .phone, token: listener.token, name: "slow"))
    for byte in writer.bytes.dropLast() {
      try peer.send([byte])
      try listener.refuseStrangers()
    }
    try peer.send([writer.bytes[writer.bytes.count - 1]])
    #expect(try listener.accept([.phone]).map(\.name) == ["slow"])
    #expect(listener.refusalCount == 0)
  }

  @Test func `a second join for a role is refused until the first has left`() throws {
    let listener = try NodeListener(timeout: 30)
    let first = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    let second = EchoThread(.of(listener, .watch))
    while listener.refusalCount == 0 { try listener.refuseStrangers() }
    #expect(listener.refusals == [NodeFailure(.watch, .secondJoin)])
    #expect(second.end() == .failure(.refused("a second join for a role that is taken")))
    // The first did not notice.
    try node.grant(at: .start, into: &answer)
    #expect(answer.items.count == 1)
    node.shutDown()
    #expect(first.end() == .success(.disconnected))

    listener.recordDeparture(of: .watch)
    let third = EchoThread(.of(listener, .watch))
    let again = try listener.accept([.watch])[0]
    try again.welcome("{}", into: &answer)
    again.end()
    #expect(third.end() == .success(.over))
  }

  @Test func `what a node killed while it joined has sent does not pass for its successor's join`() throws {
    let listener = try NodeListener(timeout: 30)
    for _ in 0..<3 {
      do {
        let killed = try RawPeer(listener)
        try killed.join(listener, as: .watch)
      }
      listener.recordDeparture(of: .watch)
    }
    #expect(listener.refusals == Array(repeating: NodeFailure(.watch, .unexpectedRole), count: 3))
    let next = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    node.end()
    #expect(next.end() == .success(.over))
  }

  @Test func `a crowd of strangers costs bounded memory and keeps no node out`() throws {
    let listener = try NodeListener(timeout: 30)
    for _ in 0..<200 {
      let stranger = try RawPeer(listener)
      try stranger.send([5, 0])
      try listener.refuseStrangers()
    }
    let watch = EchoThread(.of(listener, .watch))
    let nodes = try listener.accept([.watch])
    #expect(nodes.count == 1)
    #expect(listener.refusals.count <= NodeListener.refusalsMax)
    nodes[0].shutDown()
    _ = watch.end()
  }

  @Test func `nothing is left behind`() throws {
    var path = ""
    do {
      let listener = try NodeListener()
      path = listener.path
      #expect(path.utf8.count < 108)
      let directory = (path as NSString).deletingLastPathComponent
      let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
  }
}
