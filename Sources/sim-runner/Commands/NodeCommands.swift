import Link
import LinkTransport
import PhoneSim
import WatchSim

/// `sim-runner watch`: one watch, for a conductor that waits for it.
enum WatchCommand: Command {
  static let name = "watch"
  static let about = "one watch node; what `run` starts"
  static let usage = "--socket PATH"
  static let options = NodeProcess.options
  static let details = NodeProcess.details

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try NodeProcess.run(arguments, as: .watch) { (client, scenario) throws(Failure) in
      var store = MemoryWatchStore()
      var node = try NodeBuilder.watch(scenario, record: store.begin().session)
      return try NodeProcess.follow(client, &node, &store)
    }
  }
}

/// `sim-runner phone`: one phone, for a conductor that waits for it.
enum PhoneCommand: Command {
  static let name = "phone"
  static let about = "one phone node; what `run` starts"
  static let usage = "--socket PATH"
  static let options = NodeProcess.options
  static let details = NodeProcess.details

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try NodeProcess.run(arguments, as: .phone) { (client, scenario) throws(Failure) in
      var store = MemoryPhoneStore()
      var node = NodeBuilder.phone(scenario, record: store.begin().session)
      return try NodeProcess.follow(client, &node, &store)
    }
  }
}

/// What the node commands share.
enum NodeProcess {
  static let options: [Option] = [.value("--socket", "PATH", "the conductor's socket; $WRISTWIRE_SOCKET otherwise")]
  static let details = """
    A node is started by `sim-runner run`, which hands it the socket, the run's token and its role in the
    environment: WRISTWIRE_SOCKET, WRISTWIRE_TOKEN, WRISTWIRE_ROLE. docs/protocol.md says what it speaks.
    """

  static func run(
    _ arguments: Arguments, as role: NodeRole, _ body: (NodeClient, Scenario) throws(Failure) -> Int32
  ) throws(Failure) -> Int32 {
    guard arguments.operands.isEmpty else { throw .input("found \"\(arguments.operands[0])\", expected only options") }
    let client: NodeClient
    let setup: String
    do throws(NodeClientError) {
      let environment = try NodeEnvironment(path: arguments.value("--socket"), role: role)
      client = try NodeClient(environment, name: "sim-runner \(Version.text)")
      setup = try client.join()
    } catch {
      if case .environment = error { throw .input("sim-runner \(role.text): \(error)") }
      throw .environment("sim-runner \(role.text): \(error)")
    }
    do throws(Failure) {
      return try body(client, try NodeSetup.read(setup))
    } catch {
      client.fail(error.text)
      throw error
    }
  }

  static func follow<Node: HostedNode, Store: NodeStore>(
    _ client: NodeClient, _ node: inout Node, _ store: inout Store
  ) throws(Failure) -> Int32 where Store.Change == Node.Change {
    var writer = TraceWriter()
    var told: [Node.Change] = []
    do throws(NodeClientError) {
      _ = try client.run(
        &node,
        appendLine: { event, bytes in
          writer.append(event, to: &bytes)
          bytes.removeLast()
        },
        commit: { node, changes, numbers in
          // The node tells its changes once for all commits of one call; the numbers point into that list.
          let news = node.takeChanges()
          if !news.isEmpty { told = news }
          try store.commit(changes, numbers.map { told[$0] })
        })
      return 0
    } catch {
      throw .environment("\(error)")
    }
  }
}
