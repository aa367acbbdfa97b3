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
