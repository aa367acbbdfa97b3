import Link
import LinkTransport

/// The processes that play one role in a run, one after the other.
final class NodeProcess {
  /// What they play.
  let role: NodeRole
  private let words: [String]
  /// How an app is started in virtual time; nil for any other program.
  private let app: AppLaunch?
  private let listener: NodeListener
  private let state: String
  /// Whether what the user's program prints is shown.
  private let showsOutput: Bool
  /// The home folder of the user's own program; nil for our node, which needs none.
  private let home: DeviceHome?
  private let setup: (VirtualTime, UInt64?) -> String
  /// Who kills processes at random; nil where nobody does.
  private let torturer: Torturer?
  private var kept: KeptState
  private var child: ChildProcess?
  /// What the user's own program prints; nil for our node.
  private var output: ProgramOutput?
  private var joined: RemoteNode?
  private var starts: UInt32 = 0
  /// The epoch of the node's latest start.
  private var epoch = Epoch(0)
  /// How many grants were answered; counted where a journal is kept.
  private var answered: UInt64 = 0
  /// A process that was started ahead of its time, to tell what the one before it had committed: when it is to start.
  private var readyFor: (at: VirtualTime, epoch: Epoch)?

  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - app: The same program as an app in virtual time; nil for any other.
  ///   - listener: Where they join.
  ///   - state: The folder of the role's durable state.
  ///   - hasHome: Whether the program gets a home folder there.
  ///   - showsOutput: Whether what the program prints is shown.
  ///   - torturer: Who kills them at random: they keep journals then.
  ///   - setup: The text of the `welcome` at an instant, after so many answers.
  init(
    _ role: NodeRole, words: [String], app: AppLaunch? = nil, listener: NodeListener, state: String,
    hasHome: Bool = false,
    showsOutput: Bool = true, torturer: Torturer? = nil, setup: @escaping (VirtualTime, UInt64?) -> String
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
      if let app { environment += app.environment(start: starts, at: now) }
      output = home == nil ? nil : try ProgramOutput(of: role, isShown: showsOutput)
      defer { output?.closeWriteEnd() }
      child = try ChildProcess(
        app?.words ?? words, environment: environment,
        output: output.map { .descriptor($0.writeEnd) } ?? .standardError, hasFixedLayout: app != nil)
    } catch {
      throw NodeFailure(role, .system(error))
    }
    if starts % Self.startsPerTorturedStart == 1 { aim() }
  }

  /// One start in so many may be shot at before the node runs: most shots are to hit nodes at work.
  private static let startsPerTorturedStart: UInt32 = 8

  private func aim() {
    if let child { torturer?.aim(at: role, process: child.process) }
  }

  /// Why waiting for its join makes no sense any more; nil while it does.
  var hasDied: NodeFailure? {
    // A torturer must not hit the number of a process that was waited for.
    guard let end = torturer.map({ $0.look(role) { child?.poll() } }) ?? child?.poll() else { return nil }
    return failure(of: end) ?? NodeFailure(role, .ended("its process \(end.description) before it joined"))
  }

  /// How long a program may take to end once it has closed its connection, in seconds of real time.
  private static let endingMax = 5.0
  /// How long a program may take to write the backtrace of its crash, in seconds of real time.
  private static let backtraceMax = 60.0

  /// Looks for the end of the user's program behind a failure of the node.
  ///
  /// - Returns: The program's end, where it has ended by itself; else the failure as it is.
  func explain(_ failure: NodeFailure) -> NodeFailure {
    guard let output, let child else { return failure }
    let seconds: Double
    switch failure.cause {
    case .closed: seconds = Self.endingMax
    // A crashing program keeps its connection, and answers nothing, while its runtime writes the backtrace.
    case .silent, .notJoined: seconds = output.hasCrashMark ? Self.backtraceMax : 0
    default: return failure
    }
    return child.wait(seconds: seconds).flatMap { self.failure(of: $0) } ?? failure
  }

  /// The end of the user's program as a failure; nil for our own node.
  private func failure(of end: ChildProcess.End) -> NodeFailure? {
    guard let output else { return nil }
    output.waitForEnd(seconds: 1)
    // `starts` counts those that have joined.
    let start = joined == nil ? starts : starts - 1
    if case .exited(let status) = end, let finding = app?.finding(status: status, start: start) {
      return NodeFailure(role, .finding(kind: finding.kind, text: finding.text))
    }
    if joined == nil, end == .exited(BecomeCommand.notStarted) {
      return NodeFailure(role, .ended("its program could not be started: \(output.lines.last ?? "\(end)")"))
    }
    return NodeFailure(role, .programEnded(end, hasJoined: joined != nil, output: output.lines))
  }

  /// Takes over the node that has joined, and tells it what to simulate.
  ///
  /// - Parameters:
  ///   - now: The instant of its answer.
  ///   - start: The instant at which it starts.
  /// - Returns: The epoch that begins: they are counted, as each start begins one, unless the node tells.
  @discardableResult
  func welcome(
    _ node: RemoteNode, at now: VirtualTime, startingAt start: VirtualTime, into answer: inout NodeAnswer
  ) throws(NodeFailure) -> Epoch {
    joined = node
    starts += 1
    let text = setup(start, torturer == nil ? nil : answered)
    try node.welcome(text, at: now, isJournaled: torturer != nil, into: &answer)
    kept.rememberStore()
    if !wasShot { aim() }
    guard let beginning = answer.beginning else {
      epoch = Epoch(starts)
      return epoch
    }
    // A start that was shot before it began an epoch leaves none behind, so that they are not counted here.
    guard beginning.epoch > epoch else { throw wentBack(to: beginning.epoch, expected: "more than \(epoch.rawValue)") }
    epoch = beginning.epoch
    answered = beginning.answered
    return epoch
  }

  // MARK: What it keeps

  /// What it had made durable and has lost through somebody else; nil for nothing.
  var stateLoss: NodeFailure? { kept.loss.map { NodeFailure(role, .stateLost($0)) } }

  /// Refuses the hello of a node whose store is that of an earlier start.
  func checkEpoch(of hello: Frame) throws(NodeFailure) {
    if hello.epoch < epoch { throw wentBack(to: hello.epoch, expected: "\(epoch.rawValue)") }
  }

  private func wentBack(to found: Epoch, expected: String) -> NodeFailure {
    NodeFailure(role, .stateLost("its store went back to epoch \(found.rawValue), expected \(expected)"))
  }

  /// Starts another process after a kill, which goes on with the state that the one before left behind.
  func restart(at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) -> Epoch {
    if let readyFor, readyFor.at == now {
      self.readyFor = nil
      return readyFor.epoch
    }
    kill()
    return try begin(at: now, startingAt: now, into: &answer)
  }

  private func begin(
    at now: VirtualTime, startingAt start: VirtualTime, into answer: inout NodeAnswer
  ) throws(NodeFailure) -> Epoch {
    while true {
      do throws(NodeFailure) {
        if let stateLoss { throw stateLoss }
        try spawn(at: start)
        let nodes = try listener.accept([role]) { hasDied }
        return try welcome(nodes[0], at: now, startingAt: start, into: &answer)
      } catch {
        // One that was shot while it started is followed by the next; the torturer's shots are numbered.
        guard wasShot, error.cause != .stopped, !error.isFinding else { throw explain(error) }
        kill()
      }
    }
  }

  /// Kills the process and all it started.
  func kill() {
    // First out of the torturer's sight: its number may be another's from here on.
    torturer?.forget(role)
    child?.kill()
    child = nil
    joined?.shutDown()
    joined = nil
    readyFor = nil
    listener.recordDeparture(of: role)
  }

  // MARK: Torture

  /// How long a node that was killed from outside is down.
  static let recovery = VirtualTime.Span.seconds(1)

  /// Whether the torturer has killed the process.
  var wasShot: Bool { torturer?.hasShot(role) ?? false }

  /// Counts an answer.
  func noteAnswer() { answered += 1 }

  /// Starts a process in place of one that was shot during a grant, to hear what it had committed of it.
  func recover(at now: VirtualTime, into answer: inout NodeAnswer) throws(NodeFailure) {
    kill()
    let start = now + Self.recovery
    let epoch = try begin(at: now, startingAt: start, into: &answer)
    readyFor = (start, epoch)
  }

  /// Tells the node that the run is over.
  func end() { joined?.end() }

  /// Waits for the process to end by itself, and kills it when it does not.
  func finish() {
    torturer?.forget(role)
    _ = child?.finish(graceSeconds: 1)
    child = nil
    // So that its last output precedes the summary.
    output?.waitForEnd(seconds: 1)
  }
}
