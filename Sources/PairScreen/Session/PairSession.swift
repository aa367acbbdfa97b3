package import Console
import Foundation
package import Link
import Simulator
import TraceTools

/// What a page shows and does: one or two pairs, the instant, and the pace of time.
///
/// A run is made as fast as it goes, and the page goes through it: at any pace, back and forth. A touch changes the
/// scenario at the
/// page's instant, and the run is made again; what was before that instant is the same, since the same seed gives the
/// same run.
package final class PairSession {
  /// The run, and the branch beside it.
  package private(set) var lanes: [PairLane]
  /// The instant that the page shows.
  package private(set) var now = VirtualTime.start
  package private(set) var isPlaying: Bool
  /// Virtual seconds in a second; nil for as fast as the run is made.
  package private(set) var speed: Double?
  /// A sentence for the page about the last act; empty for none.
  package private(set) var notice = ""
  /// Where two pairs first differ in a decision; nil while that is not known, or if they do not.
  package private(set) var difference: (at: VirtualTime, texts: [String])?
  /// Counts the changes of what the page shows.
  package private(set) var revision = 0
  /// Whether an act has just changed it, so that the page should see it at once.
  package var wasTouched = false
  /// Where the scenario is saved.
  private let savePath: String
  private var lastAt: ContinuousClock.Instant?
  private var hasCompared = false
  private var stopsAt: VirtualTime?
  private var beginsAt: VirtualTime?
  private var branchedAt = VirtualTime.start

  /// - Parameters:
  ///   - speed: Virtual seconds in a second; nil for as fast as it goes.
  ///   - savePath: The file of *save as scenario*.
  package init(_ lane: PairLane, speed: Double?, isPlaying: Bool, savePath: String) {
    lanes = [lane]
    (self.speed, self.isPlaying, self.savePath) = (speed, isPlaying, savePath)
  }

  /// Begins at an instant, once the run is made so far.
  package func begin(at time: VirtualTime) { beginsAt = time }

  /// Whether a run is being made.
  package var isMaking: Bool { lanes.contains { !$0.timeline.isComplete || !$0.isReady } }

  /// Cancels runs, and waits until their processes and files are gone, at most a few seconds.
  package func end() {
    let limit = ContinuousClock.now + .seconds(5)
    for lane in lanes { lane.cancel() }
    while isMaking, ContinuousClock.now < limit {
      for index in lanes.indices { _ = lanes[index].advance() }
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  // MARK: Time

  /// Lets time pass.
  ///
  /// - Parameter real: The present by the computer's clock.
  package func advance(to real: ContinuousClock.Instant) {
    for index in lanes.indices where lanes[index].advance() { revision += 1 }
    compare()
    let passed = lastAt.map { $0.duration(to: real) / .seconds(1) } ?? 0
    lastAt = real
    // What is made of all pairs; the end of a run that is made is its end.
    let made = lanes.map { $0.timeline.end }.max() ?? .start
    let known = lanes.allSatisfy { $0.timeline.isComplete } ? made : lanes.map { $0.timeline.end }.min() ?? .start
    if let beginsAt, made >= beginsAt || !isMaking {
      now = min(beginsAt, made)
      self.beginsAt = nil
    }
    if isPlaying, lanes.allSatisfy(\.isReady) {
      revision += 1
      var next = speed.map { now + VirtualTime.Span(nanoseconds: Int64(min(passed, 1) * $0 * 1e9)) } ?? known
      if let stopsAt, next >= stopsAt { (next, isPlaying, self.stopsAt) = (stopsAt, false, nil) }
      if next >= known {
        next = max(now, known)
        if lanes.allSatisfy({ $0.timeline.isComplete }) { isPlaying = false }
      }
      if let difference, now < difference.at, next >= difference.at {
        (next, isPlaying) = (difference.at, false)
        notice = "here they differ in a decision"
      }
      now = next
    }
    for index in lanes.indices { lanes[index].show(now) }
  }

  /// Finds the first decision in which two complete runs differ.
  private func compare() {
    guard lanes.count == 2, !hasCompared, lanes.allSatisfy({ $0.timeline.isComplete }) else { return }
    hasCompared = true
    let decisions = lanes.map { lane in lane.timeline.events.compactMap { Decision($0, line: 0) } }
    let steps = TraceDifference(decisions[0], decisions[1]).steps.filter { $0.time >= branchedAt }
    // A decision that only moved stands where it lines up with the other run, which may be later.
    guard let first = steps.filter({ $0.change != .same }).min(by: { $0.time < $1.time }) else { return }
    difference = (first.time, [first.before, first.after].map { $0.map { "\($0.time.text) \($0.text)" } ?? "nothing" })
  }

  // MARK: Acts

  /// Carries out an act of the page.
  ///
  /// - Returns: What it did, in a sentence; empty for nothing to say.
  /// - Throws: ``Failure/input(_:)`` for an act that cannot be done.
  package func perform(_ act: PageAct) throws(Failure) -> String {
    notice = ""
    let said = try carryOut(act)
    notice = said
    revision += 1
    wasTouched = true
    for index in lanes.indices { lanes[index].show(now) }
    return said
  }

  private func carryOut(_ act: PageAct) throws(Failure) -> String {
    switch act {
    case .play: isPlaying = true
    case .pause: (isPlaying, stopsAt) = (false, nil)
    case .speed(let factor): speed = factor
    case .seek(let time): go(to: time)
    case .step(let what, let isForward): return step(what, isForward)
    case .fault(let fault, let text):
      return try touch(text) { (document) throws(Failure) in
        try document.begin(fault, at: now, text: text)
      }
    case .endFault(let id):
      let kind = lanes[0].state.link.faults.first { $0.id == id }?.kind
      let text = "\(kind ?? TerminalText.escape(id)) ends"
      return try touch(text) { (document) throws(Failure) in try document.end(id, at: now, text: text) }
    case .event(let event, let role, let text):
      return try touch(text) { (document) throws(Failure) in
        try document.add(event, on: role, at: now, text: text)
      }
    case .appAct(let event, let role, let text):
      return try touch(text) { (document) throws(Failure) in
        try document.act(event, on: role, at: now, text: text)
      }
    case .startWorkout:
      return try touch("workout started on the watch") { (document) throws(Failure) in
        try document.startWorkout(at: now)
      }
    case .undo: return try undo()
    case .branch(let fault, let text): try branch(fault, text)
    case .keep(let index): try keep(index)
    case .save: return try save()
    }
    return ""
  }

  private func go(to time: VirtualTime) {
    let end = lanes.map { $0.timeline.end }.max() ?? .start
    now = min(max(time, .start), max(end, .start))
    stopsAt = nil
  }

  private func step(_ what: PageAct.Step, _ isForward: Bool) -> String {
    (isPlaying, stopsAt) = (false, nil)
    let times = lanes.compactMap { lane -> VirtualTime? in
      switch what {
      case .event: isForward ? lane.timeline.event(after: now) : nil
      case .decision: isForward ? lane.timeline.decision(after: now) : nil
      case .sentence: lane.timeline.sentence(isForward, of: now)
      case .second:
        isForward ? now + .seconds(1) : max(.start, VirtualTime(nanoseconds: now.nanoseconds - 1_000_000_000))
      }
    }
    guard let time = isForward ? times.min() : times.max() else { return "nothing more of that" }
    go(to: time)
    return ""
  }

  /// Changes the only pair's scenario now.
  private func touch(
    _ text: String, _ change: (inout PairDocument) throws(Failure) -> Void
  ) throws(Failure) -> String {
    guard lanes.count == 1 else { throw .input("two futures are shown: keep one of them first") }
    now = Self.roundedDown(now)
    try lanes[0].touch(at: now, change)
    return text
  }

  /// Rounds an instant down to a whole millisecond, so that saved scenarios stay readable.
  static func roundedDown(_ time: VirtualTime) -> VirtualTime {
    VirtualTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
  }

  private func undo() throws(Failure) -> String {
    guard lanes.count == 1, let last = lanes[0].document?.touches.last else {
      throw .input("nothing was done by hand so far")
    }
    try lanes[0].touch(at: last.at) { (document) throws(Failure) in _ = try document.undo() }
    return "taken back: \(last.text)"
  }

  private func branch(_ fault: [JSONMember], _ text: String) throws(Failure) {
    guard lanes.count == 1 else { throw .input("two futures are shown: keep one of them first") }
    guard var document = lanes[0].document else { throw .input("a recorded trace has one future: open its scenario") }
    now = Self.roundedDown(now)
    try document.begin(fault, at: now, text: text)
    var other = PairLane(document)
    other.title = text
    lanes[0].title = "as it is"
    lanes.append(other)
    (difference, hasCompared, branchedAt) = (nil, false, now)
  }

  private func keep(_ index: Int) throws(Failure) {
    guard lanes.count == 2, lanes.indices.contains(index) else { throw .input("there is one pair: nothing to choose") }
    lanes[1 - index].cancel()
    lanes = [lanes[index]]
    lanes[0].title = ""
    difference = nil
  }

  private func save() throws(Failure) -> String {
    guard lanes.count == 1, let document = lanes[0].document else { throw .input("nothing to save: a recorded trace") }
    try SavedScenario.write(document.scenario, to: savePath)
    let digest = lanes[0].ending?.digest.map { "; its trace has the SHA-256 \($0.prefix(16))…" } ?? ""
    return "saved: sim-runner run \(CommandWords.join([savePath]))\(digest)"
  }
}

extension PairSession: PageSource {
  package func file(_ name: String) -> (type: String, bytes: [UInt8])? { PairPage.file(name) }

  package func act(_ body: [UInt8]) -> (isRefused: Bool, answer: [UInt8]) {
    do {
      let said = try perform(try PageAct(body))
      return (false, JSONWriter.compact(JSONNode(.fields(["said": .string(said)]))))
    } catch {
      let text = error.text
      return (true, JSONWriter.compact(JSONNode(.fields(["error": .string(text)]))))
    }
  }

  package func parts() -> [(name: String, json: [UInt8])] {
    var parts = [("time", timeJSON)]
    for (index, lane) in lanes.enumerated() {
      let state = lane.state
      parts += [
        ("run.\(index)", runJSON(lane)), ("bands.\(index)", bandsJSON(lane)), ("truth.\(index)", state.truthJSON),
        ("watch.\(index)", state.watchJSON), ("phone.\(index)", state.phoneJSON),
        ("link.\(index)", state.linkJSON(lane.timeline.names, end: lane.timeline.end(ofFrame:))),
        ("story.\(index)", storyJSON(lane)),
        ("history.\(index)", state.historyJSON), ("training.\(index)", state.trainingJSON),
        ("health.\(index)", state.healthJSON), ("meals.\(index)", state.mealsJSON),
      ]
      if state.apps.contains(where: { !$0.log.isEmpty || $0.crash != nil }) || lane.hasApps {
        parts += [
          ("app.watch.\(index)", state.appJSON(0, crash: lane.crash(of: .watch, at: now))),
          ("app.phone.\(index)", state.appJSON(1, crash: lane.crash(of: .phone, at: now))),
        ]
      }
    }
    return parts.map { ($0.0, JSONWriter.compact(JSONNode($0.1))) }
  }

  private var timeJSON: JSONValue {
    .fields([
      "t": .time(now), "playing": .bool(isPlaying), "speed": speed.map { .decimal($0) } ?? .null,
      "lanes": .count(lanes.count), "ready": .bool(lanes.allSatisfy(\.isReady)), "notice": .string(notice),
      "made": .time(lanes.map { $0.timeline.end }.max() ?? .start),
      "difference": difference.map { .fields(["at": .time($0.at), "texts": .texts($0.texts)]) } ?? .null,
    ])
  }

  private func runJSON(_ lane: PairLane) -> JSONValue {
    let own: JSONFields = [
      "title": .string(lane.title), "version": .count(lane.version),
      "about": .string(lane.document?.scenario.about ?? ""),
      "recorded": .bool(lane.isRecorded), "stores": .objects(lane.stores.map { $0.members }),
      "complete": .bool(lane.timeline.isComplete),
      "acts": .objects(lane.acts) { act in
        ["on": .string(act.role), "do": .string(act.name), "with": act.arguments]
      },
      "end": .time(lane.timeline.end), "count": .count(lane.timeline.events.count),
      "verdict": lane.timeline.verdict.map { .string($0) } ?? lane.ending.map { .string($0.verdict) } ?? .null,
      "failure": .text(lane.ending?.failure), "digest": .text(lane.ending?.digest),
      "changedPast": .bool(lane.hasChangedPast),
      "findings": .objects(lane.timeline.findings.prefix(12)) { finding in
        ["at": .time(finding.at), "invariant": .string(finding.invariant), "detail": .string(finding.detail)]
      },
      "touches": .objects(lane.document?.touches.suffix(12) ?? []) { ["at": .time($0.at), "text": .string($0.text)] },
      "touchCount": .count(lane.document?.touches.count ?? 0),
    ]
    return .object([JSONMember](own) + PairRun.members(lane.timeline.header, at: now))
  }

  private func storyJSON(_ lane: PairLane) -> JSONValue {
    .objects(lane.timeline.sentences(upTo: now, most: 40)) { line in
      [
        "at": .time(line.time), "who": .string(line.voice.rawValue), "text": .string(TerminalText.escape(line.text)),
        "tone": .string("\(line.tone)"),
      ]
    }
  }

  /// The whole run at a glance: what lasts, and both distances.
  private func bandsJSON(_ lane: PairLane) -> JSONValue { lane.overview.json(of: lane.timeline, version: lane.version) }
}

/// The overview of a run, which is made again only when the run has grown.
package final class RunOverview {
  private var made: (version: Int, events: Int, isComplete: Bool, json: JSONValue)?
  private var madeAt = ContinuousClock.now
  /// Points of each curve.
  private static let points = 600

  package init() {}

  func json(of timeline: PairTimeline, version: Int) -> JSONValue {
    if let made, made.version == version {
      let isSame = made.events == timeline.events.count && made.isComplete == timeline.isComplete
      // While the run is made, half a second is soon enough.
      if isSame || !timeline.isComplete && madeAt.duration(to: .now) < .milliseconds(500) { return made.json }
    }
    let json = Self.json(of: timeline)
    made = (version, timeline.events.count, timeline.isComplete, json)
    madeAt = .now
    return json
  }

  private static func json(of timeline: PairTimeline) -> JSONValue {
    .fields([
      "end": .time(timeline.end),
      "bands": .objects(timeline.bands) { band in
        [
          "row": .count(band.row.rawValue), "from": .time(band.begin), "to": band.end.map { .time($0) } ?? .null,
          "label": .string(band.label), "tone": .string("\(band.tone)"),
        ]
      },
      "samples": .array(
        spread(timeline.samples).map { sample in
          JSONNode(
            .array([
              JSONNode(.time(sample.at)), JSONNode(.decimal(sample.truth)), JSONNode(.decimal(sample.belief)),
            ]))
        }),
    ])
  }

  /// The samples, thinned to an even number over the run.
  private static func spread(_ samples: [PairTimeline.Sample]) -> [PairTimeline.Sample] {
    guard samples.count > points else { return samples }
    return (0..<points).map { samples[$0 * (samples.count - 1) / (points - 1)] }
  }
}

extension PairLane {
  var hasApps: Bool { isApp(.watch) || isApp(.phone) }

  /// Whether an app of the user's own plays a device.
  func isApp(_ role: NodeRole) -> Bool { ProgramsHeader.isApp(role, in: timeline.header) }

  /// The last lines of an app that has ended by itself until an instant, with its backtrace; nil if it has not.
  func crash(of role: NodeRole, at time: VirtualTime) -> String? {
    guard let crash = ending?.crash, crash.role == role, crash.at <= time else { return nil }
    return crash.lines.joined(separator: "\n")
  }

  /// The scenario's distinct acts, as buttons.
  var acts: [(role: String, name: String, arguments: JSONValue?)] {
    guard let scenario = document?.scenario else { return [] }
    var acts: [TimedAct] = []
    for act in scenario.acts where acts.count < 24 && !acts.contains(where: { $0.isSame(as: act) }) { acts.append(act) }
    return acts.map { ($0.words[1], $0.words[2], $0.argumentValue) }
  }
}
