package import Simulator
package import TraceTools
import Console
package import Link
import WatchSim

/// The content of a live view, collected from a run's events.
package struct LiveState {
  let scenario: String
  let seed: UInt64
  let duration: VirtualTime.Span
  /// The distance of the run in metres; nil if a recording decides.
  private let goal: Double?
  private(set) var watch = LiveFace()
  private(set) var phone = LiveFace()
  /// Whether the phone has reported that the watch is silent.
  private(set) var isSilent = false
  /// The coach's last spoken line; empty before the first.
  private(set) var spoken = ""
  private(set) var isSpeaking = false
  private(set) var isLinkUp = true
  /// Nil for a run without an uplink.
  private(set) var isUplinkUp: Bool?
  private(set) var sent = 0
  private(set) var delivered = 0
  private(set) var lost = 0
  /// The last losses: when, and why.
  private(set) var losses: [(time: VirtualTime, cause: String)] = []
  /// The active faults, in the order of their beginning.
  private(set) var faults: [(id: String, kind: String)] = []
  /// The last sentences of the story.
  private(set) var story: [StoryLine] = []
  private(set) var marks = 0
  private(set) var hasHealed = false
  /// The scenario's distinct acts, which keys repeat.
  package let acts: [TimedAct]
  private var lines = SpokenLines()
  private static let storyMax = 500
  /// One for each digit but 0.
  private static let actsMax = 9

  package init(_ scenario: Scenario) {
    self.scenario = TerminalText.escape(scenario.name)
    seed = scenario.seed
    duration = scenario.duration
    if scenario.laterWorkouts.isEmpty, case .model(let runner) = scenario.workout.source {
      goal = runner.distance
    } else {
      goal = nil
    }
    var acts: [TimedAct] = []
    for act in scenario.acts where acts.count < Self.actsMax && !acts.contains(where: { $0.isSame(as: act) }) {
      acts.append(act)
    }
    self.acts = acts
    isUplinkUp = scenario.edge == nil ? nil : true
  }

  /// The expected end of the run: when the athlete finishes at the current pace, or has finished.
  ///
  /// A run ends soon after its workout; `duration` is a limit that few runs reach.
  package func end(at position: VirtualTime) -> VirtualTime {
    let latest = VirtualTime.start + duration
    if hasHealed { return max(position, .start) }
    guard let goal, watch.distance >= 1, watch.distance < goal, watch.elapsed > 0 else { return latest }
    let left = (goal - watch.distance) * watch.elapsed / watch.distance
    guard left.isFinite, left < 1e9 else { return latest }
    return min(latest, position + VirtualTime.Span(nanoseconds: Int64(saturating: left * 1e9)))
  }

  /// Observes the next event, with its sentences of the story.
  package mutating func observe(_ event: TraceEvent, story lines: [StoryLine]) {
    for line in lines { append(line) }
    switch event.body {
    case .frameSent: sent += 1
    case .frameDelivered: delivered += 1
    case .frameDropped(let frame): lose(frame, at: event.time)
    case .snapshot(let snapshot): watch.update(snapshot.metrics, at: event.time)
    case .snapshotFresh(let snapshot): phone.update(snapshot.metrics, at: event.time)
    case .workoutState(let change): watch.state = TerminalText.escape(change.to)
    case .runState(let change): phone.state = TerminalText.escape(change.to)
    case .livenessDisconnected: isSilent = true
    case .livenessReconnected: isSilent = false
    case .linkDown: changeLink(isUp: false, at: event.place)
    case .linkUp: changeLink(isUp: true, at: event.place)
    case .reachability(let change):
      if event.place == .watch { watch.isReachable = change.reachable } else { phone.isReachable = change.reachable }
    case .healed: hasHealed = true
    case .control(let control): if control.command.hasPrefix("mark ") { marks += 1 }
    default: listen(event)
    }
  }

  private mutating func listen(_ event: TraceEvent) {
    lines.observe(event)
    switch event.body {
    case .faultBegin(let fault):
      faults.append((fault.fault, (event.place == .uplink ? "uplink " : "") + fault.kind))
    case .faultEnd(let fault): faults.removeAll { $0.id == fault.fault }
    case .nodeKilled(let node): change(node.target) { $0.isUp = false }
    case .nodeStarted(let node): change(node.target) { ($0.isUp, $0.isAsleep) = (true, false) }
    case .nodeSuspended(let node): change(node.target) { $0.isAsleep = true }
    case .nodeResumed(let node): change(node.target) { $0.isAsleep = false }
    case .audioStart(let audio):
      spoken = lines.text(of: audio.message)
      isSpeaking = true
    case .audioEnd, .audioInterrupted: isSpeaking = false
    default: break
    }
  }

  private mutating func lose(_ frame: FrameDropped, at time: VirtualTime) {
    lost += 1
    losses.append((time, TerminalText.escape(frame.cause.text)))
    if losses.count > 20 { losses.removeFirst(10) }
  }

  private mutating func changeLink(isUp: Bool, at place: TraceEvent.Place) {
    if place == .uplink { isUplinkUp = isUp } else { isLinkUp = isUp }
  }

  private mutating func change(_ node: NodeRole, _ change: (inout LiveFace) -> Void) {
    switch node {
    case .watch: change(&watch)
    case .phone: change(&phone)
    case .edge: break
    }
  }

  private mutating func append(_ line: StoryLine) {
    story.append(line)
    if story.count > Self.storyMax { story.removeFirst(Self.storyMax / 2) }
  }

  /// The answer to `status`.
  package func members(at position: VirtualTime, clock: LiveClock) -> [JSONMember] {
    .init([
      "scenario": .string(scenario), "seed": .string(String(seed)), "t": .integer(position.nanoseconds),
      "duration": .integer(duration.nanoseconds), "pace": .string(clock.words), "paused": .bool(clock.isPaused),
      "healed": .bool(hasHealed),
      "link": .fields([
        "up": .bool(isLinkUp), "sent": .count(sent), "delivered": .count(delivered), "lost": .count(lost),
        "uplinkUp": isUplinkUp.map { .bool($0) },
      ]), "watch": .object(watch.members),
      "phone": .object(phone.members + [JSONMember("watchSilent", .bool(isSilent))]),
      "faults": .objects(faults) { ["id": .string($0.id), "kind": .string($0.kind)] },
    ])
  }
}

/// What one device knows about the run.
struct LiveFace {
  package var state = "-"
  var elapsed = 0.0
  var distance = 0.0
  /// Seconds per kilometre.
  var pace: Double?
  var heartRate: Int64?
  /// When it learned that; nil before the first time.
  var since: VirtualTime?
  var isUp = true
  var isAsleep = false
  var isReachable = true

  mutating func update(_ metrics: SnapshotMetrics, at time: VirtualTime) {
    elapsed = metrics.elapsed
    distance = metrics.distance
    pace = metrics.currentPaceSecPerKm
    heartRate = metrics.currentHR
    since = time
  }

  package var members: [JSONMember] {
    .init([
      "app": .string(!isUp ? "down" : isAsleep ? "asleep" : "up"), "state": .string(state), "elapsed": .plain(elapsed),
      "distance": .plain(distance), "pace": pace.map { .plain($0) } ?? .null,
      "heartRate": .count(heartRate), "reachesOther": .bool(isReachable),
    ])
  }
}
