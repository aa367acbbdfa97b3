import Console
import EdgeSim
import Link
import LinkTransport
import PhoneSim
import Simulator
import WatchSim

/// `sim-runner watch`: a watch for a waiting conductor.
enum WatchCommand: DeviceProgram {
  static let role = NodeRole.watch
  static let about = "one watch node; what `run` starts"

  static func follow(_ client: NodeClient, _ setup: NodeSetup, in folder: String) throws(Failure) -> Int32 {
    let build = try NodeBuilder.watch(setup.scenario)
    return try NodeProgram.follow(client, setup, build) { () throws(StoreError) in
      try NodeStores.watch(in: folder, losesCommits: setup.scenario.losesCommits(role))
    }
  }
}

/// `sim-runner phone`: a phone for a waiting conductor.
enum PhoneCommand: DeviceProgram {
  static let role = NodeRole.phone
  static let about = "one phone node; what `run` starts"

  static func follow(_ client: NodeClient, _ setup: NodeSetup, in folder: String) throws(Failure) -> Int32 {
    try NodeProgram.follow(client, setup, NodeBuilder.phone(setup.scenario)) { () throws(StoreError) in
      try NodeStores.phone(in: folder, losesCommits: setup.scenario.losesCommits(role))
    }
  }
}

/// `sim-runner edge`: an edge for a waiting conductor.
enum EdgeCommand: DeviceProgram {
  static let role = NodeRole.edge
  static let about = "one edge node, the cloud the phone talks to; what `run` starts"

  static func follow(_ client: NodeClient, _ setup: NodeSetup, in folder: String) throws(Failure) -> Int32 {
    guard let edge = setup.scenario.edge else { throw .input("found a scenario without an edge, expected one") }
    let build = NodeBuilder.edge(edge, seed: setup.scenario.seed, plants: setup.scenario.plants)
    return try NodeProgram.follow(client, setup, build) { () throws(StoreError) in
      (try NodeStores.edge(in: folder), NoFiles())
    }
  }
}

/// A command that plays a device for a waiting conductor.
protocol DeviceProgram: Command {
  static var role: NodeRole { get }
  /// Starts the node from its store in the folder, and follows grants to the end of the run.
  static func follow(_ client: NodeClient, _ setup: NodeSetup, in folder: String) throws(Failure) -> Int32
}

extension DeviceProgram {
  static var name: String { role.text }
  static var usage: String { "--socket PATH" }
  static var options: [Option] { NodeProgram.options }
  static var details: String { NodeProgram.details }
  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try NodeProgram.run(arguments, as: role, follow)
  }
}

/// Code shared by the node commands.
enum NodeProgram {
  static let options: [Option] = [.value("--socket", "PATH", "the conductor's socket; $WRISTWIRE_SOCKET otherwise")]
  static let details = """
    A node is started by `sim-runner run`, which hands it the socket, the run's token and its role in the
    environment: WRISTWIRE_SOCKET, WRISTWIRE_TOKEN, WRISTWIRE_ROLE; and a folder for its database and files,
    WRISTWIRE_STATE. docs/internals/protocol.md says what it speaks.
    """

  static func run(
    _ arguments: Arguments, as role: NodeRole, _ body: (NodeClient, NodeSetup, String) throws(Failure) -> Int32
  ) throws(Failure) -> Int32 {
    guard arguments.operands.isEmpty else { throw .input("found \"\(arguments.operands[0])\", expected only options") }
    let client: NodeClient
    let setup: String
    let folder: String
    do throws(NodeClientError) {
      let environment = try NodeEnvironment(path: arguments.value("--socket"), role: role)
      guard let state = environment.state else {
        throw .environment(name: NodeEnvironment.stateName, found: "nothing", expected: "a folder for durable state")
      }
      folder = state
      client = try NodeClient(environment, name: "sim-runner \(Version.text)")
      setup = try client.join()
    } catch {
      if case .environment = error { throw .input("sim-runner \(role.text): \(error)") }
      // The run was stopped, or another node failed: the conductor reports that itself.
      if case .closed = error { return 3 }
      throw .environment("sim-runner \(role.text): \(error)")
    }
    do throws(Failure) {
      return try body(client, try NodeSetup.read(setup), folder)
    } catch {
      client.fail(error.text)
      throw error
    }
  }

  /// Starts the node from its store, and follows grants to the end of the run.
  static func follow<Node: HostedNode, Store: NodeStore, Files: FileBox>(
    _ client: NodeClient, _ setup: NodeSetup, _ build: NodeBuilder.Build<Store.Record, Node>,
    _ open: () throws(StoreError) -> (store: Store, files: Files)
  ) throws(Failure) -> Int32 where Store.Change == Node.Change {
    var keeper: NodeKeeper<Node, Store, Files>
    do throws(StoreError) {
      let (store, files) = try open()
      keeper = try NodeKeeper(store: store, files: files) { build($0, $1, setup.now) }
    } catch {
      throw .environment("its store failed: \(error)")
    }
    var writer = TraceWriter()
    do throws(NodeClientError) {
      _ = try client.run(&keeper, answered: setup.answered) { event, bytes in
        writer.append(event, to: &bytes)
        bytes.removeLast()
      }
      return 0
    } catch {
      throw .environment("\(error)")
    }
  }
}

/// `sim-runner become`: starts a user program as a node that dies with its run.
enum BecomeCommand: Command {
  static let name = CommandName.become
  static let about = "starts a program as a node; used by `run --watch-cmd`"
  static let usage = "-- PROGRAM [ARGUMENTS]"
  static let options: [Option] = []
  static let isHidden = true

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("sim-runner become: the program is missing") }
    Terminal.error("sim-runner: \(ChildProcess.become(arguments.operands))")
    return UserProgram.notStarted
  }
}

/// `sim-runner guard`: kills the user programs of a command that was ended by SIGKILL.
enum GuardCommand: Command {
  static let name = CommandName.guardRun
  static let about = "kills the programs of a command that was killed; used by `run --watch-cmd`"
  static let usage = "MARK"
  static let options: [Option] = []
  static let isHidden = true

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard arguments.operands.count == 1 else { throw .input("sim-runner guard: expected one mark") }
    Orphans.guardMarked(arguments.operands[0])
    return 0
  }
}
