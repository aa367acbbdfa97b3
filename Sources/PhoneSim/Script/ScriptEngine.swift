import CoachProtocol
package import Link

/// Decides which line of the script is spoken, and when.
///
/// Evaluates every fresh snapshot. Dispatches at most one line at a snapshot, and at least 30 s apart by the phone's
/// timers. Where the specification leaves room:
/// * A pause does not interrupt a due stretch: lines are judged only while the run is on, and between two evaluations
///   nothing is assumed about them.
/// * A point is compared with the furthest position at any evaluation, so it stays reached if the distance falls back,
///   or if the line came with a new script. How far past a point the run is depends on the current snapshot.
/// * At one snapshot the order is: skips and expiries in script order, the dispatch, its branch, which counts from the
///   next snapshot on. An already active branch is not announced again.
/// * While the disk is full nothing is dispatched; lines still expire and are skipped.
package struct ScriptEngine: Sendable, Equatable {
  /// The shortest time between two dispatches of a run.
  package static let window = VirtualTime.Span.seconds(30)

  /// The script in force, if any.
  package private(set) var script: Script?
  package let plan: Plan
  /// Beats per minute; the zones are fractions of it.
  package let maximumHeartRate: Int
  /// The planted bugs.
  private let plants: Plants
  /// Whether everything that was passed is spoken at once; only by a planted bug.
  var isBursting: Bool { plants.contains(.burstAfterGap) || isBackfiring }
  /// Whether a script that came in mid-run restarts from its beginning; only by a planted bug.
  private var isBackfiring = false
  package internal(set) var trail = Trail()
  /// Counts the changes of ``position`` that the phone must store.
  package internal(set) var revision = 0

  /// Indices of the lines whose records the last evaluation changed, possibly repeated.
  var changedLines: [Int32] = []

  var compiled: CompiledScript

  // The position. Records and due stretches are in script order.
  var furthestDistance = -Double.infinity
  var furthestElapsed = -Double.infinity
  var evaluations: Int64 = 0
  var branch: String?
  var activeBranch = CompiledScript.noBranch
  var lastDispatch: VirtualTime?
  /// Replies that wait to be spoken, in the order of arrival.
  package internal(set) var replies: [WaitingReply] = []
  var records: [MessageRecord]
  /// The evaluation at which a line became due; 0 if it is not.
  ///
  /// Separate from the records because every evaluation reads it.
  var dueSince: [Int64]
  /// Whether any condition was due at the last evaluation; if not, there are no due stretches to end.
  var isConditionDue = true
  /// Records of lines that the present script lacks.
  ///
  /// Lookup only; sorted before iteration.
  private var parked: [String: MessageRecord] = [:]
  /// The evaluation at which lines were last parked.
  private var parkedAtEvaluation: Int64 = 0

  // Work lists of the next evaluation.
  /// Lines whose point is reached and not settled, in script order.
  var openPoints: [Int32] = []
  /// The next point in metres.
  var nextDistance = Double.infinity
  /// The next point in seconds.
  var nextElapsed = Double.infinity
  /// Conditions that can still hold, in script order.
  var openConditions: [CompiledScript.Condition] = []
  /// Whether no snapshot was evaluated since the script was installed.
  var isNewlyInstalled = false
  var scratch = ExpressionStack()

  /// Creates the engine of a new run.
  ///
  /// - Parameters:
  ///   - script: The lines, if any.
  ///   - plan: The athlete's plan.
  ///   - maximumHeartRate: The memory's `hr.max`, else ``DerivedValues/maximumHeartRateDefault``.
  ///   - plants: The planted bugs.
  package init(
    script: Script?, plan: Plan, maximumHeartRate: Int = DerivedValues.maximumHeartRateDefault, plants: Plants = []
  ) {
    self.plan = plan
    self.plants = plants
    self.maximumHeartRate = min(max(maximumHeartRate, 1), 1000)
    self.script = script
    compiled = CompiledScript(script, plan: plan)
    records = []
    dueSince = []
    install()
  }

  /// Replaces the script in mid-run; the position stays with the run.
  package mutating func replaceScript(_ script: Script?) {
    park()
    if plants.contains(.swapBackfire), evaluations > 0, self.script != nil {
      isBackfiring = true
      parked = [:]
    }
    self.script = script
    compiled = CompiledScript(script, plan: plan)
    install()
    revision += 1
  }

  /// Starts a new run with the script in force, with empty position and trail.
  package mutating func startRun() {
    self = Self(
      script: script, plan: plan, maximumHeartRate: maximumHeartRate, plants: plants, revision: revision + 1)
  }

  private init(script: Script?, plan: Plan, maximumHeartRate: Int, plants: Plants, revision: Int) {
    self.init(script: script, plan: plan, maximumHeartRate: maximumHeartRate, plants: plants)
    self.revision = revision
  }

  /// The run's position in its script, for the phone's store.
  package var position: ScriptPosition {
    var position = ScriptPosition()
    position.furthestDistance = evaluations > 0 ? furthestDistance : nil
    position.furthestElapsed = evaluations > 0 ? furthestElapsed : nil
    position.evaluations = evaluations
    position.branch = branch
    position.lastDispatch = lastDispatch
    var copy = self
    copy.park()
    position.records = copy.parked.sorted { $0.key < $1.key }
      .filter { $0.value != .blank }
      .map { ScriptPosition.Entry(message: $0.key, record: $0.value) }
    return position
  }

  /// The records that the last evaluation changed.
  package var changedEntries: [ScriptPosition.Entry] {
    var entries: [ScriptPosition.Entry] = []
    for (offset, index) in changedLines.enumerated() where !changedLines[..<offset].contains(index) {
      var record = records[Int(index)]
      record.dueSince = dueSince[Int(index)]
      entries.append(ScriptPosition.Entry(message: compiled.lines[Int(index)].id, record: record))
    }
    return entries
  }

  /// Restores a run after a restart of the phone.
  ///
  /// - Parameters:
  ///   - position: The stored position.
  ///   - trail: Fresh snapshots of at least the last 180 s, oldest first.
  ///   - replies: The stored replies in the order of arrival.
  package mutating func restore(_ position: ScriptPosition, trail: Trail, replies: [WaitingReply] = []) {
    self.replies = replies
    furthestDistance = position.furthestDistance ?? -.infinity
    furthestElapsed = position.furthestElapsed ?? -.infinity
    evaluations = position.evaluations
    branch = position.branch
    lastDispatch = position.lastDispatch
    parked = [:]
    for entry in position.records { parked[entry.message] = entry.record }
    parkedAtEvaluation = evaluations
    self.trail = trail
    install()
  }

  /// Moves the records of the present script's lines to the parked ones, by id.
  ///
  /// A line without a script stops being due at the next evaluation.
  private mutating func park() {
    if evaluations > parkedAtEvaluation {
      parked = parked.mapValues { record in
        var record = record
        record.dueSince = 0
        record.dueMultiple = 0
        return record
      }
      parkedAtEvaluation = evaluations
    }
    for (index, line) in compiled.lines.enumerated() {
      records[index].dueSince = dueSince[index]
      parked[line.id] = records[index]
    }
  }

  /// Restores the records of the present script's lines, and collects the next work lists.
  private mutating func install() {
    records = compiled.lines.map { line in
      var record = parked[line.id] ?? .blank
      if line.form == .condition, record.dueMultiple != 0 {
        // The line had multiples in an earlier script; that stretch ended with it.
        record.dueMultiple = 0
        record.dueSince = 0
      }
      return record
    }
    dueSince = records.map(\.dueSince)
    for line in compiled.lines { parked[line.id] = nil }
    activeBranch = compiled.branchNumber(branch)
    scratch.reserve(compiled.stackDepth)
    isNewlyInstalled = true
    isConditionDue = true
    changedLines = []
    collectOpenLines()
  }
}

/// Replies to the athlete, ranked among the lines of the script.
extension ScriptEngine {
  /// The trigger `type` of a reply in trace events.
  package static let replyTrigger = "ai_reply"
  /// A reply's priority: ordinary lines go first.
  package static let replyPriority = 45
  /// How long after its arrival a reply may still be spoken.
  package static let replyGrace = VirtualTime.Span.seconds(120)

  /// The run's position when replies are checked.
  package struct RunPosition: Sendable, Equatable {
    /// The epoch of the last fresh snapshot; nil before the run's first, and in a run that the phone tracks.
    package var epoch: Epoch?
    /// Its number; nil likewise.
    package var sequence: SequenceNumber?
    /// The run's elapsed time in seconds; nil if unknown.
    package var elapsed: Double?
    /// The run's distance in metres; nil if unmeasured.
    package var distance: Double?
  }

  /// Queues a reply, which is due from the next evaluation on.
  ///
  /// - Returns: The entry for the phone's store.
  package mutating func add(reply id: Identifier, words: Int, at now: VirtualTime) -> WaitingReply {
    let reply = WaitingReply(id: id, words: words, arrivedAt: now, dueSince: evaluations + 1)
    replies.append(reply)
    return reply
  }

  /// Checks the replies alone, without competing lines: while the run is paused or the watch is silent.
  package mutating func checkReplies(
    _ position: RunPosition, at now: VirtualTime, canCommit: Bool, into decisions: inout [ScriptDecision]
  ) {
    expireReplies(position, at: now, into: &decisions)
    guard !replies.isEmpty, canCommit, isWindowOpen(at: now) else { return }
    dispatchReply(position, at: now, into: &decisions)
  }

  /// Checks the replies at a fresh snapshot of the run at which the script is not evaluated.
  mutating func checkReplies(
    at snapshot: LiveMetrics, epoch: Epoch, sequence: SequenceNumber, state: WorkoutState?, at now: VirtualTime,
    canCommit: Bool, into decisions: inout [ScriptDecision]
  ) {
    guard !replies.isEmpty, state == .paused || state == .preparing else { return }
    let position = RunPosition(
      epoch: epoch, sequence: sequence, elapsed: snapshot.elapsed, distance: snapshot.distance)
    checkReplies(position, at: now, canCommit: canCommit, into: &decisions)
  }

  /// Expires replies that have waited too long.
  mutating func expireReplies(_ position: RunPosition, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    while let oldest = replies.first, now - oldest.arrivedAt > Self.replyGrace {
      decisions.append(.expired(line(oldest, position)))
      replies.removeFirst()
      revision += 1
    }
  }

  /// Whether the longest-waiting reply beats a line: by priority, then by how long it is due.
  ///
  /// In a tie the line goes first.
  func isReplyFirst(before best: Candidate) -> Bool {
    guard let reply = replies.first else { return false }
    guard best.line >= 0, best.priority >= Self.replyPriority else { return true }
    return best.priority == Self.replyPriority && reply.dueSince < best.dueSince
  }

  /// Dispatches the longest-waiting reply.
  mutating func dispatchReply(_ position: RunPosition, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    let reply = replies.removeFirst()
    decisions.append(.dispatch(line(reply, position), words: reply.words))
    lastDispatch = now
    revision += 1
  }

  private func line(_ reply: WaitingReply, _ position: RunPosition) -> ScriptDecision.Line {
    ScriptDecision.Line(
      message: reply.id.text, trigger: Self.replyTrigger, priority: Self.replyPriority, epoch: position.epoch,
      sequence: position.sequence, elapsed: position.elapsed, distance: position.distance)
  }
}
