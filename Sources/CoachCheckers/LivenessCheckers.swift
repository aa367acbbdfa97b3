import CoachProtocol
import CoachReference
package import Link

/// `freshness`: a snapshot counts once, in order, and as it was published.
package struct FreshnessChecker: Checker {
  package static let invariant = "freshness"
  package static let about =
    "Each received snapshot is reported as fresh or stale at once; fresh ones are newer than the last fresh one, and have the values that the watch published."

  /// The number of remembered published snapshots; older ones are not judged.
  private static let publishedMax = 4096
  /// The epoch and number that the link gave a message.
  private struct Stamp: Comparable {
    var epoch: Int64
    var seq: Int64

    @inline(__always)
    init(epoch: Int64, seq: Int64) {
      self.epoch = epoch
      self.seq = seq
    }

    @inline(__always)
    init(_ metrics: SnapshotMetrics) { self.init(epoch: metrics.epoch, seq: metrics.seq) }

    @inline(__always)
    static func < (a: Stamp, b: Stamp) -> Bool { a.epoch == b.epoch ? a.seq < b.seq : a.epoch < b.epoch }

    var text: String { "snapshot \(seq) of epoch \(epoch)" }
  }

  private struct Published {
    let stamp: Stamp
    let metrics: SnapshotMetrics
    let line: Int
  }

  /// The snapshots published after the last fresh one, from `head` on; ascending.
  private var published: [Published] = []
  private var head = 0
  /// The newest that was dropped because there were too many.
  private var forgotten: Stamp?
  private var fresh: (stamp: Stamp, line: Int)?
  /// A received snapshot that the phone has not judged yet.
  private var pending: (stamp: Stamp, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observePublished(snapshot.metrics, event)
  }

  package mutating func ghostSnapshot(
    _ snapshot: GhostSnapshotPublished, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    observePublished(snapshot.metrics, event)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeReceived(message, event, &report)
  }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeFresh(snapshot.metrics, event, &report)
  }

  package mutating func snapshotStale(_ snapshot: SnapshotStale, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeStale(snapshot, event, &report)
  }

  package mutating func nodeFailed(_: NodeFailed, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A phone that dies between two lines, or whose run breaks off, writes nothing more.
    pending = nil
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if change.isUp(.phone) == false { pending = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { reportUnjudged(&report) }
  }

  private mutating func observePublished(_ metrics: SnapshotMetrics, _ event: Occurrence) {
    guard event.place == .watch else { return }
    let stamp = Stamp(metrics)
    if let last = published.last, stamp <= last.stamp { return }
    if published.count - head == Self.publishedMax {
      forgotten = published[head].stamp
      head += 1
    }
    if head > 64, head * 2 > published.count {
      published.removeSubrange(..<head)
      head = 0
    }
    published.append(Published(stamp: stamp, metrics: metrics, line: event.line))
  }

  private mutating func observeReceived(
    _ message: MessageReceived, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone else { return }
    if pending != nil { reportUnjudged(&report) }
    guard message.kind == "liveMetrics" else { return }
    pending = (Stamp(epoch: message.epoch, seq: message.seq), event.time, event.line)
  }

  private mutating func observeFresh(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone else { return }
    let stamp = Stamp(metrics)
    if pending?.stamp == stamp { pending = nil }
    if let fresh, stamp <= fresh.stamp {
      report.add(
        "the phone took \(stamp.text) for fresh, though it already had \(fresh.stamp.text)", at: event.time,
        lines: [fresh.line, event.line])
      return
    }
    fresh = (stamp, event.line)
    while head < published.count, published[head].stamp < stamp { head += 1 }
    guard head < published.count, published[head].stamp == stamp else {
      if let forgotten, stamp <= forgotten { return }
      report.add(
        "the phone took \(stamp.text) for fresh, which the watch never published", at: event.time,
        lines: [event.line])
      return
    }
    defer { head += 1 }
    if published[head].metrics == metrics { return }
    let source = published[head]
    guard let key = Self.difference(source.metrics, metrics) else { return }
    report.add(
      "snapshot \(stamp.text) was received with another \(key) than it was published with", at: event.time,
      lines: [source.line, event.line])
  }

  private mutating func observeStale(
    _ snapshot: SnapshotStale, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone else { return }
    let stamp = Stamp(epoch: snapshot.epoch, seq: snapshot.seq)
    if pending?.stamp == stamp { pending = nil }
    if let fresh, stamp <= fresh.stamp { return }
    report.add(
      "the phone took \(stamp.text) for stale, though it is newer than the last fresh one", at: event.time,
      lines: (fresh.map { [$0.line] } ?? []) + [event.line])
  }

  /// The key of the first field in which two snapshots differ, apart from the link's stamp; nil if they are equal.
  private static func difference(_ ours: SnapshotMetrics, _ theirs: SnapshotMetrics) -> String? {
    func fields(_ metrics: SnapshotMetrics) -> [TraceEvent.Field] {
      var published = SnapshotPublished()
      published.metrics = metrics
      return published.fields
    }
    let (ours, theirs) = (fields(ours), fields(theirs))
    return SnapshotPublished.fieldDescriptions.map(\.key).first { key in
      key != "epoch" && key != "seq"
        && ours.first { $0.key == key }?.value != theirs.first { $0.key == key }?.value
    }
  }

  private mutating func reportUnjudged(_ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    report.add(
      "the phone received snapshot \(pending.stamp.text) and judged it neither fresh nor stale", at: pending.time,
      lines: [pending.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A truncated trace may end in between.
    if ending.isComplete { reportUnjudged(&report) }
  }
}

/// `liveness-deadline`: silence is reported after exactly ten seconds, and nothing else counts as silence.
package struct LivenessDeadlineChecker: Checker {
  package static let invariant = "liveness-deadline"
  package static let about =
    "The watch is reported as disconnected exactly 10 seconds after the last sign of life of a running run, and never otherwise."

  private static let patience = VirtualTime.Span.seconds(10)

  private var belief = ReferenceBelief()
  private var isPhoneUp = true
  private var isRaised = false
  /// The latest of the last fresh snapshot, the last becoming running, the phone's last start or resume.
  private var base = VirtualTime.start
  private var baseLine = 1
  private var lastFresh: (epoch: Int64, seq: Int64)?
  /// Whether the missed deadline of this base is already reported.
  private var isTold = false
  /// Whether the indicator was raised for this base; if it is cleared without a new base, it is not due again.
  private var isServed = false

  package init(header: TraceHeader) {}

  private var deadline: VirtualTime? {
    belief.isRunning && isPhoneUp && !isRaised && !isTold && !isServed ? base + Self.patience : nil
  }

  package mutating func snapshotFresh(_ fresh: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    lastFresh = (fresh.metrics.epoch, fresh.metrics.seq)
    restart(event)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    let wasRunning = belief.isRunning
    let isNew = belief.observe(run)
    if belief.isRunning, !wasRunning || isNew { restart(event) }
  }

  package mutating func livenessDisconnected(_ raised: LivenessLost, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeRaised(raised, event, &report)
  }

  package mutating func livenessReconnected(_: LivenessRegained, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    isRaised = false
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    if isUp { restart(event) }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let deadline, event.time > deadline { reportMissed(deadline, before: event.line, &report) }
  }

  private mutating func restart(_ event: Occurrence) {
    base = event.time
    baseLine = event.line
    isTold = false
    isServed = false
  }

  private mutating func observeRaised(
    _ raised: LivenessLost, _ event: Occurrence, _ report: inout Report
  ) {
    defer {
      isRaised = true
      isServed = true
    }
    // Raised late: the miss was reported when the deadline passed.
    if isTold { return }
    if let objection = objection(to: raised, at: event.time) {
      report.add(objection, at: event.time, lines: [baseLine, event.line])
    }
  }

  private func objection(to raised: LivenessLost, at time: VirtualTime) -> String? {
    if isRaised { return "the phone reported the watch as silent again, though it still was" }
    if isServed { return "the phone reported the watch as silent again without a sign of life in between" }
    guard let deadline else {
      return isPhoneUp
        ? "the phone reported the watch as silent while it believed that \(belief.state.map { "the run is \($0)" } ?? "there is no run")"
        : "the phone reported the watch as silent while its app was down"
    }
    if time < deadline {
      return "the phone reported the watch as silent \((time - base).text) after the last sign of life, not after 10 s"
    }
    guard let text = raised.lastFresh?.text else {
      return lastFresh == nil ? nil : "the phone's report of silence names no last fresh snapshot, though there was one"
    }
    guard let lastFresh else {
      return "the phone's report of silence names a last fresh snapshot, though there was none"
    }
    let node = try? JSONParser.parse(text, dialect: .json)
    guard node?["epoch"]?.value == .integer(lastFresh.epoch), node?["seq"]?.value == .integer(lastFresh.seq) else {
      return
        "the phone's report of silence names another last fresh snapshot than (\(lastFresh.epoch), \(lastFresh.seq))"
    }
    return nil
  }

  private mutating func reportMissed(_ deadline: VirtualTime, before line: Int, _ report: inout Report) {
    isTold = true
    report.add(
      "the watch was silent since \(base.text), but the phone did not report it at \(deadline.text)", at: deadline,
      lines: [baseLine, line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A deadline at the very last instant is not judged: the phone might still have met it.
    if let deadline, ending.time > deadline { reportMissed(deadline, before: ending.line, &report) }
  }
}

/// `liveness-clears`: the indicator goes as soon as there is a sign of life, or no run to worry about.
package struct LivenessClearsChecker: Checker {
  package static let invariant = "liveness-clears"
  package static let about =
    "A raised indicator is cleared by the next fresh snapshot, or with the end of the run, and by nothing else."

  private var raisedLine: Int?
  /// When and why the indicator should have been cleared, and the line that shows it.
  private var due: (time: VirtualTime, reason: String, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func snapshotFresh(_: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if raisedLine != nil, due == nil { due = (event.time, "fresh", event.line) }
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if raisedLine != nil, due == nil, run.to == "ended" { due = (event.time, "ended", event.line) }
  }

  package mutating func livenessDisconnected(_: LivenessLost, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    raisedLine = event.line
    due = nil
  }

  package mutating func livenessReconnected(
    _ cleared: LivenessRegained, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    if let objection = objection(toReason: cleared.reason) {
      report.add(objection, at: event.time, lines: [raisedLine, due?.line, event.line].compactMap { $0 })
    }
    raisedLine = nil
    due = nil
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // The phone stopped within the instant: the next fresh snapshot after its start clears the indicator.
    if change.isUp(.phone) == false { due = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let due, event.time > due.time { reportStuck(due, &report) }
  }

  private func objection(toReason reason: String) -> String? {
    guard raisedLine != nil else { return "the phone reported the watch as back, but had never reported it as silent" }
    guard let due else { return "the phone reported the watch as back without a fresh snapshot or the end of the run" }
    return reason == due.reason
      ? nil : "the phone reported the watch as back with the reason \"\(reason)\" instead of \"\(due.reason)\""
  }

  private mutating func reportStuck(
    _ due: (time: VirtualTime, reason: String, line: Int), _ report: inout Report
  ) {
    self.due = nil
    let why = due.reason == "fresh" ? "a fresh snapshot came" : "the run ended"
    report.add(
      "the phone still reports the watch as silent, though \(why)", at: due.time,
      lines: [raisedLine, due.line].compactMap { $0 })
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A truncated trace may end just before.
    if let due, ending.isComplete { reportStuck(due, &report) }
  }
}
