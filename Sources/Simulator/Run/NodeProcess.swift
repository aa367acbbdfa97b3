import Link
import LinkStore
import LinkTransport

/// The successive processes of one role in a run.
final class NodeProcess {
  let role: NodeRole
  private let words: [String]
  /// How an app is started in virtual time; nil for any other program.
  private let app: AppLaunch?
  private let listener: NodeListener
  private let state: String
  /// Whether the user program's output is shown.
  private let showsOutput: Bool
  /// The home folder of the user's program; nil for a built-in node, which needs none.
  private let home: DeviceHome?
  private let setup: (VirtualTime, UInt64?) -> String
  /// Kills processes at random, if any.
  private let torturer: Torturer?
  /// Variables for the user's program, if it is no app in virtual time.
  private let variables: [(name: String, value: String)]
  /// Starts the app as copies; nil to execute each start.
  private let starters: AppStarters?
  private var kept: KeptState
  private var child: ChildProcess?
  /// The output of the user's program; nil for a built-in node.
  private var output: ProgramOutput?
  private var joined: RemoteNode?
  private var starts: UInt32 = 0
  /// The epoch of the node's latest start.
  private var epoch = Epoch(0)
  /// Number of answered grants; counted if a journal is kept.
  private var answered: UInt64 = 0
  /// A process started ahead of its time, to report what its predecessor had committed: the instant of its real start.
  private var readyFor: (at: VirtualTime, epoch: Epoch)?

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - app: The same program as an app in virtual time; nil for any other.
  ///   - listener: Where they join.
  ///   - state: The role's state folder.
  ///   - hasHome: Whether the program gets a home folder there.
  ///   - showsOutput: Whether the program's output is shown.
  ///   - torturer: Kills them at random; they keep journals then.
  ///   - variables: More variables for a program that is no app in virtual time.
  ///   - starters: Starts the app as copies; nil to execute each start.
  ///   - setup: The text of the `welcome` at an instant, after a number of answers.
  init(
    _ role: NodeRole, words: [String], app: AppLaunch? = nil, listener: NodeListener, state: String,
    hasHome: Bool = false,
    showsOutput: Bool = true, torturer: Torturer? = nil,
    variables: [(name: String, value: String)] = [], starters: AppStarters? = nil,
    setup: @escaping (VirtualTime, UInt64?) -> String
  ) {
    self.role = role
    self.words = words
    self.app = app
    self.listener = listener
    self.state = state
    self.showsOutput = showsOutput
    home = hasHome ? DeviceHome(in: state) : nil
    kept = KeptState(state)
    self.torturer = torturer
    self.starters = starters
    self.variables = variables
    self.setup = setup
  }

  /// The node; only while one has joined.
  var remote: RemoteNode {
    guard let joined else { preconditionFailure("the \(role.text) has not joined") }
    return joined
  }

  /// Starts a process, which then joins.
  ///
  /// - Parameter now: The instant at which it starts.
  func spawn(at now: VirtualTime) throws(NodeFailure) {
    precondition(child == nil, "a second process for the \(role.text)")
    do throws(SystemCallError) {
      try home?.makeFolders()
      var environment = listener.environment(for: role, state: state) + (home?.environment ?? [])
      if home != nil { environment += Orphans.environment }
      if let app {
        environment = app.environment(start: starts, at: now, state: state, adding: environment)
      } else {
        environment += variables
      }
      output = home == nil ? nil : try ProgramOutput(of: role, isShown: showsOutput)
      defer { output?.closeWriteEnd() }
      if let app, let starters, let output {
        child = starters.start(app, environment: environment, output: output.writeEnd)
      }
      if child == nil {
        child = try ChildProcess(
          app?.words ?? words, name: app.map { AppEnvironment.name($0.words[0]) }, environment: environment,
          inheritsEnvironment: app == nil,
          output: output.map { .descriptor($0.writeEnd) } ?? .standardError, hasFixedLayout: app != nil)
      }
    } catch {
      throw NodeFailure(role, .system(error))
    }
    if starts % Self.startsPerTorturedStart == 1 { aim() }
  }

  /// One start in this many may be killed before the node runs: most kills should hit nodes at work.
  private static let startsPerTorturedStart: UInt32 = 8

  private func aim() {
    if let child { torturer?.aim(at: role, process: child.process) }
  }

  /// Why it will not join any more; nil while it may.
  var hasDied: NodeFailure? {
    // The torturer must not hit the reused id of a reaped process.
    guard let end = torturer.map({ $0.poll(role) { child?.poll() } }) ?? child?.poll() else { return nil }
    return failure(of: end) ?? NodeFailure(role, .ended("its process \(end.description) before it joined"))
  }

  /// How long a program may take to end after closing its connection, in seconds of real time.
  private static let endingMax = 5.0
  /// How long a program may take to write the backtrace of its crash, in seconds of real time.
  private static let backtraceMax = 60.0

  /// Looks for the end of the user's program behind a failure of the node.
  ///
  /// - Returns: The program's end, if it ended by itself; else the failure as it is.
  func explain(_ failure: NodeFailure) -> NodeFailure {
    guard let output, let child else { return failure }
    let seconds: Double
    switch failure.cause {
    case .closed: seconds = Self.endingMax
    // A crashing program keeps its connection open without answering while its runtime writes the backtrace.
    case .silent where output.hasCrashMark: seconds = Self.backtraceMax
    // A silent program has been refused by now: that it ends after that explains nothing.
    case .notJoined: seconds = output.hasCrashMark ? Self.backtraceMax : 0
    default: return failure
    }
    return child.wait(seconds: seconds).flatMap { self.failure(of: $0) } ?? failure
  }

  /// The end of the user's program as a failure; nil for a built-in node.
  private func failure(of end: ChildProcess.End) -> NodeFailure? {
    guard let output else { return nil }
    output.waitForEnd(seconds: 1)
    // `starts` counts those that have joined.
    let start = joined == nil ? starts : starts - 1
    if case .exited(let status) = end, let finding = app?.finding(status: status, start: start) {
      return NodeFailure(role, .finding(kind: finding.kind, text: finding.text))
    }
    if joined == nil, end == .exited(UserProgram.notStarted) {
      return NodeFailure(role, .ended("its program could not be started: \(output.lines.last ?? "\(end)")"))
    }
    return NodeFailure(role, .programEnded(end, hasJoined: joined != nil, output: output.lines))
  }

  /// Takes over the node that has joined, and sends its welcome.
  ///
  /// - Parameters:
  ///   - now: The instant of its answer.
  ///   - start: The instant at which it starts.
  /// - Returns: The new epoch: the node's own, or else counted.
  @discardableResult
  func welcome(
    _ node: RemoteNode, at now: VirtualTime, startingAt start: VirtualTime, into answer: inout NodeAnswer
  ) throws(NodeFailure) -> Epoch {
    joined = node
    starts += 1
    let text = setup(start, torturer == nil ? nil : answered)
    try node.welcome(text, at: now, isJournaled: torturer != nil, into: &answer)
    kept.rememberStore()
    aim()
    guard let beginning = answer.beginning else {
      epoch = Epoch(starts)
      return epoch
    }
    // A start that was killed before its epoch began leaves no trace, so such starts are not counted here.
    guard beginning.epoch > epoch else { throw wentBack(to: beginning.epoch, expected: "more than \(epoch.rawValue)") }
    epoch = beginning.epoch
    answered = beginning.answered
    return epoch
  }

  // MARK: What it keeps

  /// Durable state that it lost through another process, if any.
  var stateLoss: NodeFailure? { kept.loss.map { NodeFailure(role, .stateLost($0)) } }

  /// Refuses the hello of a node whose store is that of an earlier start.
  func checkEpoch(of hello: Frame) throws(NodeFailure) {
    if hello.epoch < epoch { throw wentBack(to: hello.epoch, expected: "\(epoch.rawValue)") }
  }

  private func wentBack(to found: Epoch, expected: String) -> NodeFailure {
    NodeFailure(role, .stateLost("its store went back to epoch \(found.rawValue), expected \(expected)"))
  }

  /// Starts another process after a kill, which continues with its predecessor's state.
  func restart(at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) -> Epoch {
    if let readyFor, readyFor.at == now {
      self.readyFor = nil
      return readyFor.epoch
    }
    kill()
    return try begin(at: now, startingAt: now, into: &answer)
  }

  /// Starts the first process, and those after it until one has joined.
  func begin(
    at now: VirtualTime, startingAt start: VirtualTime, into answer: inout NodeAnswer
  ) throws(NodeFailure) -> Epoch {
    while true {
      do throws(NodeFailure) {
        if let stateLoss { throw stateLoss }
        try spawn(at: start)
        let nodes = try listener.accept([role]) { hasDied }
        return try welcome(nodes[0], at: now, startingAt: start, into: &answer)
      } catch {
        // One that was killed while it started is followed by the next; the number of kills is bounded.
        guard wasShot, error.cause != .stopped, !error.isFinding else { throw explain(error) }
        kill()
      }
    }
  }

  /// Kills the process and all its children.
  func kill() {
    // First remove it from the torturer's targets: its id may be reused from here on.
    torturer?.forget(role)
    child?.kill()
    child = nil
    joined?.shutDown()
    joined = nil
    readyFor = nil
    listener.recordDeparture(of: role)
  }

  /// Damages the state of a killed node's store as a loss of power does.
  func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss {
    kill()
    do throws(StoreError) { return try PowerCut.strike(folder: state, draw: draw) } catch {
      throw NodeFailure(role, .gaveUp("its store failed: \(error)"))
    }
  }

  // MARK: Torture

  /// How long a node that was killed from outside is down.
  static let recovery = VirtualTime.Span.seconds(1)

  /// Takes the facts that the user's program has printed, as lines of the trace.
  func takeFacts(at now: VirtualTime) -> [TraceEvent] {
    guard let output else { return [] }
    return output.takeFacts().map { fact in
      switch fact {
      case .recorded(let fact): fact.event(at: now, on: role.place)
      case .refused(let text): AppFact.finding("fact", text, at: now, on: role.place)
      }
    }
  }

  /// Whether the torturer has killed the process, or something else that it tolerates.
  var wasShot: Bool {
    guard let torturer else { return false }
    if torturer.hasShot(role) { return true }
    // Its connection closes a little before its end can be seen.
    return torturer.toleratesKills && torturer.isKill(child?.wait(seconds: Self.endingMax))
  }

  /// Counts an answer.
  func countAnswer() { answered += 1 }

  /// Starts a process in place of one that was killed during a grant, to learn what that had committed.
  func recover(at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) {
    kill()
    let start = now + Self.recovery
    let epoch = try begin(at: now, startingAt: start, into: &answer)
    readyFor = (start, epoch)
  }

  /// Tells the node that the run is over.
  func end() { joined?.end() }

  /// Waits for the process to end by itself, and kills it if it does not.
  func finish() {
    torturer?.forget(role)
    _ = child?.finish(graceSeconds: 1)
    child = nil
    // So that its last output precedes the summary.
    output?.waitForEnd(seconds: 1)
  }
}
