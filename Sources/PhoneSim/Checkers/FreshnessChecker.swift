package import Link

/// `freshness`: a snapshot counts once, in order, and as it was published.
package struct FreshnessChecker: Checker {
  package static let invariant = "freshness"
  package static let about =
    "Each snapshot that arrives is told fresh or stale at once; fresh are those newer than the last fresh one, and they carry what the watch published."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["snapshot", "ghost.snapshot", "message.received", "snapshot.fresh", "snapshot.stale", "end"]

  /// Published snapshots that are remembered; of older ones nothing is said.
  private static let publishedMax = 4096
  /// What a snapshot consists of, besides the stamp of the link.
  private static let keys = [
    "workoutId", "sentAt", "elapsed", "distance", "currentPaceSecPerKm", "avgPaceSecPerKm", "currentHR", "energyKcal",
    "cadence", "lastSplit", "state",
  ]

  /// What the link stamped on a message.
  private struct Stamp: Comparable {
    var epoch: Int64
    var seq: Int64

    @inline(__always)
    init(epoch: Int64, seq: Int64) {
      self.epoch = epoch
      self.seq = seq
    }

    @inline(__always)
    static func read(_ fields: inout FieldCursor) -> Stamp? {
      guard let epoch = fields.integer("epoch"), let seq = fields.integer("seq") else { return nil }
      return Stamp(epoch: epoch, seq: seq)
    }

    @inline(__always)
    static func < (a: Stamp, b: Stamp) -> Bool { a.epoch == b.epoch ? a.seq < b.seq : a.epoch < b.epoch }

    var text: String { "snapshot \(seq) of epoch \(epoch)" }
  }

  private struct Published {
    let stamp: Stamp
    /// Let go with the snapshot: the watch writes the next line in the place of one that nobody holds.
    var fields: [TraceEvent.Field]
    let line: Int
  }

  /// What was published after the last fresh one, from `head` on; rising.
  private var published: [Published] = []
  private var head = 0
  /// The newest that was forgotten because there were too many.
  private var forgotten: Stamp?
  private var fresh: (stamp: Stamp, line: Int)?
  /// A snapshot that was received, and of which nothing was said yet.
  private var pending: (stamp: Stamp, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if let pending, event.time > pending.time { tellUnjudged(&report) }
    switch event.name.code {
    case TraceEvent.Name.Code.snapshot: observePublished(event, line)
    case TraceEvent.Name.Code.messageReceived: observeReceived(event, line, &report)
    case TraceEvent.Name.Code.snapshotFresh: observeFresh(event, line, &report)
    case TraceEvent.Name.Code.snapshotStale: observeStale(event, line, &report)
    case TraceEvent.Name.Code.end: break
    case Self.ghostCode: observePublished(event, line)
    default:
      // A phone that dies between two lines says nothing more; nor does one whose run broke off.
      if event.name.code == TraceEvent.Name.Code.nodeFailed || NodeLines.isPhoneUp(after: event) == false {
        pending = nil
      }
    }
  }

  private static let ghostCode = TraceEvent.Name("ghost.snapshot").code

  private mutating func observePublished(_ event: TraceEvent, _ line: Int) {
    var fields = FieldCursor(event)
    guard event.place == .watch, let stamp = Stamp.read(&fields) else { return }
    if let last = published.last, stamp <= last.stamp { return }
    if published.count - head == Self.publishedMax {
      forgotten = published[head].stamp
      letGo()
    }
    if head > 64, head * 2 > published.count {
      published.removeSubrange(..<head)
      head = 0
    }
    published.append(Published(stamp: stamp, fields: event.fields, line: line))
  }

  private mutating func letGo() {
    published[head].fields = []
    head += 1
  }

  private mutating func observeReceived(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard event.place == .phone else { return }
    if pending != nil { tellUnjudged(&report) }
    var fields = FieldCursor(event)
    fields.skip("from")
    guard fields.says("kind", "liveMetrics"), let stamp = Stamp.read(&fields) else { return }
    pending = (stamp, event.time, line)
  }

  private mutating func observeFresh(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    var fields = FieldCursor(event)
    guard event.place == .phone, let stamp = Stamp.read(&fields) else { return }
    if pending?.stamp == stamp { pending = nil }
    if let fresh, stamp <= fresh.stamp {
      report.append(
        Self.violation(
          "\(stamp.text) is taken for fresh after \(fresh.stamp.text)", at: event.time, lines: [fresh.line, line]))
      return
    }
    fresh = (stamp, line)
    while head < published.count, published[head].stamp < stamp { letGo() }
    guard head < published.count, published[head].stamp == stamp else {
      if let forgotten, stamp <= forgotten { return }
      report.append(
        Self.violation("\(stamp.text) is fresh and was never published", at: event.time, lines: [line]))
      return
    }
    defer { letGo() }
    // Nearly always so; compared where they stand, without a copy.
    if isAsPublished(event) { return }
    let source = published[head]
    guard let key = Self.difference(source.fields, event.fields) else { return }
    report.append(
      Self.violation(
        "\(stamp.text) was received with another \(key) than it was published with", at: event.time,
        lines: [source.line, line]))
  }

  /// Whether a line tells the first published snapshot's values, in their order.
  @inline(__always)
  private func isAsPublished(_ event: TraceEvent) -> Bool {
    Self.isSame(published[head].fields, event.fields)
  }

  private static func isSame(_ ours: [TraceEvent.Field], _ theirs: [TraceEvent.Field]) -> Bool {
    guard ours.count == theirs.count else { return false }
    for index in ours.indices {
      guard ours[index].value == theirs[index].value, ours[index].key.isIdentical(to: theirs[index].key) else {
        return false
      }
    }
    return true
  }

  private mutating func observeStale(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    var fields = FieldCursor(event)
    guard event.place == .phone, let stamp = Stamp.read(&fields) else { return }
    if pending?.stamp == stamp { pending = nil }
    if let fresh, stamp <= fresh.stamp { return }
    report.append(
      Self.violation(
        "\(stamp.text) is newer than the last fresh one and was taken for stale", at: event.time,
        lines: (fresh.map { [$0.line] } ?? []) + [line]))
  }

  /// The first thing that two snapshots say differently; nil where they say the same, in whatever order.
  private static func difference(_ a: [TraceEvent.Field], _ b: [TraceEvent.Field]) -> String? {
    keys.first { key in
      let (ours, theirs) = (a.first { $0.key == key }?.value, b.first { $0.key == key }?.value)
      guard ours != theirs else { return false }
      // One number may be written in two ways.
      guard let ours = ours?.double, let theirs = theirs?.double else { return true }
      return ours != theirs
    }
  }

  private mutating func tellUnjudged(_ report: inout [Violation]) {
    guard let pending else { return }
    self.pending = nil
    report.append(
      Self.violation(
        "\(pending.stamp.text) was received, and told neither fresh nor stale", at: pending.time,
        lines: [pending.line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A truncated trace may have broken off in between.
    if ending.isComplete { tellUnjudged(&report) }
  }
}
