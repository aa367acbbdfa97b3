import Link
import LinkTransport

/// A node in its own process, called over a socket.
struct ProcessHost: NodeHost {
  private let process: NodeProcess
  private var answer: NodeAnswer
  private var parser = TraceLineParser()
  private(set) var nextDeadline: VirtualTime?
  private(set) var isWorkoutOver = false
  private let isRecording: Bool
  private var armed: [CrashPoint] = []
  /// The grants of a free-running node; nil for one that follows grants.
  private var schedule: FreeRunningSchedule?
  var isFreeRunning: Bool { schedule != nil }
  let isApp: Bool
  /// Whether the run has reached its end, after which an app's own timers do not count.
  private var isEnding = false
  /// Whether the node is dead, and has no deadline until its next start: its last answer is of no account then.
  private var isDown = false

  /// Takes over a node that has answered the welcome.
  ///
  /// - Parameter schedule: For a free-running node.
  init(
    _ process: NodeProcess, firstAnswer: NodeAnswer, isRecording: Bool, schedule: FreeRunningSchedule? = nil
  ) {
    self.process = process
    self.schedule = schedule
    self.isRecording = isRecording
    answer = firstAnswer
    isApp = schedule != nil || process.remote.isApp
    refreshDeadline()
  }

  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let now = turn.now
    do throws(NodeFailure) {
      try process.remote.grant(at: now, inputs: inputs, firesTimers: fire, into: &answer)
    } catch {
      guard process.wasShot else { throw process.explain(error) }
      return try recover(in: &turn)
    }
    process.countAnswer()
    refreshDeadline()
    if schedule != nil { refreshSchedule(at: now, hasActed: !inputs.isEmpty || !answer.items.isEmpty) }
    if answer.stoppedAt == nil { try check(fires: fire) }
    let begin = turn.items.count
    try readAnswer(in: &turn)
    takeFacts(behind: begin, in: &turn)
    guard let name = answer.stoppedAt, let point = armed.first(where: { $0.name == name }) else { return .complete }
    return .stopped(at: point)
  }

  private mutating func readAnswer(in turn: inout Turn) throws(NodeFailure) {
    for item in answer.items {
      switch item {
      case .frame(let frame):
        if frame.kind == .hello { try process.checkEpoch(of: frame) }
        turn.send(frame)
      case .handled: turn.items.append(.handled)
      case .line(let range): try record(answer.line(range), in: &turn)
      }
    }
  }

  /// Adds the facts that the program has printed: an effect of the last input, before its end.
  private func takeFacts(behind begin: Int, in turn: inout Turn) {
    let facts = process.takeFacts(at: turn.now)
    guard isRecording, !facts.isEmpty else { return }
    let end = turn.items[begin...].lastIndex { if case .handled = $0 { true } else { false } }
    turn.items.insert(contentsOf: facts.map { .event($0) }, at: end ?? turn.items.endIndex)
  }

  /// Restarts a node that was killed from outside, so that it reports what it had committed; its next start in virtual
  /// time then finds it ready.
  private mutating func recover(in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    try process.recover(at: turn.now, into: &answer)
    try readAnswer(in: &turn)
    isDown = true
    nextDeadline = nil
    return .died
  }

  /// Checks the answer against the grant: after the end of the last input only effects of timers.
  ///
  /// That each input has an end was checked when the answer was received.
  private func check(fires: Bool) throws(NodeFailure) {
    guard fires || answer.endsHandled else {
      throw NodeFailure(process.role, .gaveUp("acted after the last input although no timer was due"))
    }
  }

  mutating func arm(_ points: [CrashPoint]) throws(NodeFailure) {
    armed = points
    try process.remote.arm(points)
  }

  mutating func receiveHealed(at now: VirtualTime) {
    isEnding = true
    guard !isDown else { return }
    if isApp, schedule == nil { refreshDeadline() }
    guard schedule != nil else { return }
    schedule?.isEnding = true
    schedule?.lastActed = now
  }

  private mutating func refreshSchedule(at now: VirtualTime, hasActed: Bool) {
    if hasActed { schedule?.lastActed = now }
    nextDeadline = schedule?.next(after: now, deadline: nextDeadline)
  }

  /// Refreshes the deadline: the session's, and the app's until the run ends.
  private mutating func refreshDeadline() {
    nextDeadline = answer.nextDeadline
    guard let own = answer.appDeadline, !isEnding else { return }
    nextDeadline = min(nextDeadline ?? own, own)
  }

  func stateLoss() -> NodeFailure? { process.stateLoss }

  mutating func kill() {
    process.kill()
    isDown = true
    nextDeadline = nil
  }

  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss { try process.losePower(draw: draw) }

  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch {
    let epoch = try process.restart(at: now, into: &answer)
    isDown = false
    refreshDeadline()
    if schedule != nil { refreshSchedule(at: now, hasActed: true) }
    return epoch
  }

  /// Parses and rewrites an event's line, so that no node can write anything else into the trace.
  private mutating func record(_ line: ArraySlice<UInt8>, in turn: inout Turn) throws(NodeFailure) {
    let event: TraceEvent
    do throws(JSONError) { event = try parser.parse(line, line: 1) } catch {
      throw NodeFailure(process.role, .gaveUp("sent an invalid line: \(error.message)"))
    }
    guard event.name != FrameSent.name else {
      throw NodeFailure(process.role, .gaveUp("sent a line frame.sent, which only the conductor writes"))
    }
    if event.endsWorkout { isWorkoutOver = true }
    if isRecording { turn.items.append(.event(event)) }
  }
}

/// Schedules the grants of a free-running node: often, so that its own actions are reported soon.
struct FreeRunningSchedule {
  /// Real time between two grants, in milliseconds.
  static let realMilliseconds: Int64 = 10
  /// How long such a node may be quiet at the end of a run before it counts as done, in seconds of real time.
  static let quietSeconds: Int64 = 1

  /// Virtual time between two grants.
  let interval: VirtualTime.Span
  /// How long it must be quiet, in virtual time.
  private let quiet: VirtualTime.Span
  /// Whether the run is draining, and ends when no node acts any more.
  var isEnding = false
  /// When the node last received an input, or acted.
  var lastActed = VirtualTime.start

  /// - Parameter pace: Virtual seconds in a real second, more than 0.
  init(pace: Double) {
    let milliseconds = max(1, Int64((Double(Self.realMilliseconds) * pace).rounded()))
    interval = .milliseconds(milliseconds)
    quiet = .milliseconds(max(1, Int64((Double(Self.quietSeconds * 1_000) * pace).rounded())))
  }

  /// The next grant, at instants that all such nodes share.
  ///
  /// - Parameter deadline: The node's deadline, if any.
  func next(after now: VirtualTime, deadline: VirtualTime?) -> VirtualTime? {
    if isEnding, deadline == nil, now >= lastActed + quiet { return nil }
    let nanoseconds = (now.nanoseconds / interval.nanoseconds + 1) * interval.nanoseconds
    return min(VirtualTime(nanoseconds: nanoseconds), max(deadline ?? .distantFuture, now + .milliseconds(1)))
  }
}
