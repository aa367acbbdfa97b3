package import Link

/// Decides which line of the script is spoken, and when.
///
/// Looks at every fresh snapshot. At most one line is dispatched at a snapshot, and at least 30 s lie
/// between two dispatches of a run by the phone's timers. Choices where the rules leave room:
/// * A pause breaks no stretch of being due: lines are judged only while the run is on, and between two looks
///   nothing is said about them.
/// * What a point is measured against is the furthest the run has been at any look, so it stays reached
///   where the distance falls back, and where the line came with a new script. How far past a point the run is goes by
///   the snapshot at hand.
/// * At one snapshot come skips and expiries in the order of the script, then the dispatch, then its
///   branch, which counts from the next snapshot on. A branch that is active already is not announced again.
/// * With a disk that takes no commit nothing is dispatched; lines expire and are skipped all the same.
package struct ScriptEngine: Sendable, Equatable {
  /// The time between two dispatches of a run, at least.
  package static let window = VirtualTime.Span.seconds(30)

  /// The script in force; nil for none.
  package private(set) var script: Script?
  /// What the runner set out to do.
  package let plan: Plan
  /// Beats per minute; what the zones are parts of.
  package let maximumHeartRate: Int
  /// What it does wrong on purpose.
  private let plants: Plants
  /// Whether everything that was passed is spoken at once: only a planted engine does that.
  var isBursting: Bool { plants.contains(.burstAfterGap) || isBackfiring }
  /// Whether a script that came in mid-run is taken up from its beginning: only a planted engine does that.
  private var isBackfiring = false
  /// The way behind the runner.
  package internal(set) var trail = Trail()
  /// Counts the changes of ``position`` that a phone's store must not miss.
  package internal(set) var revision = 0

  /// The lines of which the last look changed what is known, by place; some may stand here more than once.
  var touched: [Int32] = []

  var compiled: CompiledScript
  let targetPace: Double?

  // The position. Records and the looks at which lines became due stand in script order.
  var furthestDistance = -Double.infinity
  var furthestElapsed = -Double.infinity
  var looks: Int64 = 0
  var branch: String?
  var activeBranch = CompiledScript.noBranch
  var lastDispatch: VirtualTime?
  /// Replies to the runner that wait to be spoken, in the order in which they arrived.
  package internal(set) var replies: [WaitingReply] = []
  var records: [MessageRecord]
  /// The look at which a line became due; 0 where it is not.
  ///
  /// Apart from the records, as it is read at every look.
  var dueSince: [Int64]
  /// Whether any condition was due at the last look; while none was, there are no stretches to end.
  var isConditionDue = true
  /// What is known of lines that the present script does not have.
  ///
  /// Looked up, and sorted before it is walked.
  private var parked: [String: MessageRecord] = [:]
  /// The look at which lines were last put there.
  private var parkedAtLook: Int64 = 0

  // What the next look has to care about.
  /// Lines whose point is reached and not settled, in script order.
  var openPoints: [Int32] = []
  /// The nearest point ahead in metres.
  var nextDistance = Double.infinity
  /// The nearest point ahead in seconds.
  var nextElapsed = Double.infinity
  /// Conditions that can still hold, in script order.
  var openConditions: [CompiledScript.Condition] = []
  /// Whether no snapshot was judged since the lines were last taken from the position.
  var isNewlyInstalled = false
  var scratch = ExpressionScratch()

  /// Creates the engine of a run that begins.
  ///
  /// - Parameters:
  ///   - script: What may be said; nil for nothing.
  ///   - plan: What the runner set out to do.
  ///   - maximumHeartRate: The memory's `hr.max`, else ``DerivedValues/maximumHeartRateDefault``.
  ///   - plants: What to do wrong on purpose.
  package init(
    script: Script?, plan: Plan, maximumHeartRate: Int = DerivedValues.maximumHeartRateDefault, plants: Plants = []
  ) {
    self.plan = plan
    self.plants = plants
    self.maximumHeartRate = min(max(maximumHeartRate, 1), 1000)
    targetPace = plan.targetPace
    self.script = script
    compiled = CompiledScript(script, plan: plan)
    records = []
    dueSince = []
    install()
  }

  /// Puts another script in force in mid-run; the position stays with the run.
  package mutating func replaceScript(_ script: Script?) {
    park()
    if plants.contains(.swapBackfire), looks > 0, self.script != nil {
      isBackfiring = true
      parked = [:]
    }
    self.script = script
    compiled = CompiledScript(script, plan: plan)
    install()
    revision += 1
  }

  /// Begins a new run with the script in force: nothing was said, and no way lies behind.
  package mutating func startRun() {
    self = Self(
      script: script, plan: plan, maximumHeartRate: maximumHeartRate, plants: plants, revision: revision + 1)
  }

  private init(script: Script?, plan: Plan, maximumHeartRate: Int, plants: Plants, revision: Int) {
    self.init(script: script, plan: plan, maximumHeartRate: maximumHeartRate, plants: plants)
    self.revision = revision
  }

  /// Where the run stands; what the phone's store keeps.
  package var position: ScriptPosition {
    var position = ScriptPosition()
    position.furthestDistance = looks > 0 ? furthestDistance : nil
    position.furthestElapsed = looks > 0 ? furthestElapsed : nil
    position.looks = looks
    position.branch = branch
    position.lastDispatch = lastDispatch
    var copy = self
    copy.park()
    position.records = copy.parked.sorted { $0.key < $1.key }
      .filter { $0.value != .blank }
      .map { ScriptPosition.Entry(message: $0.key, record: $0.value) }
    return position
  }

  /// What is known now of the lines that the last look touched.
  package var touchedEntries: [ScriptPosition.Entry] {
    var entries: [ScriptPosition.Entry] = []
    for (place, index) in touched.enumerated() where !touched[..<place].contains(index) {
      var record = records[Int(index)]
      record.dueSince = dueSince[Int(index)]
      entries.append(ScriptPosition.Entry(message: compiled.lines[Int(index)].id, record: record))
    }
    return entries
  }

  /// Goes on where a run stood: after a restart of the phone.
  ///
  /// - Parameters:
  ///   - position: What the store kept.
  ///   - trail: Fresh snapshots of the run, of at least the last 180 s, oldest first.
  ///   - replies: What waited to be spoken, in the order in which it arrived.
  package mutating func restore(_ position: ScriptPosition, trail: Trail, replies: [WaitingReply] = []) {
    self.replies = replies
    furthestDistance = position.furthestDistance ?? -.infinity
    furthestElapsed = position.furthestElapsed ?? -.infinity
    looks = position.looks
    branch = position.branch
    lastDispatch = position.lastDispatch
    parked = [:]
    for entry in position.records { parked[entry.message] = entry.record }
    parkedAtLook = looks
    self.trail = trail
    install()
  }

  /// Puts what is known of the present script's lines away, by id.
  ///
  /// A line without a script is due no more from the next look on.
  private mutating func park() {
    if looks > parkedAtLook {
      parked = parked.mapValues { record in
        var record = record
        record.dueSince = 0
        record.dueMultiple = 0
        return record
      }
      parkedAtLook = looks
    }
    for (index, line) in compiled.lines.enumerated() {
      records[index].dueSince = dueSince[index]
      parked[line.id] = records[index]
    }
  }

  /// Takes what is known of the present script's lines, and works out what to look at next.
  private mutating func install() {
    records = compiled.lines.map { line in
      var record = parked[line.id] ?? .blank
      if line.form == .condition, record.dueMultiple != 0 {
        // The line had multiples in an earlier script, and that stretch ends with it.
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
    touched = []
    arrange()
  }
}
