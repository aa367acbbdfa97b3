import CoachProtocol
import Link
import LinkTestSupport
import Testing

@testable import PhoneSim

/// A phone that is killed and started again.
@Suite struct RestartTests {
  typealias World = PhoneWorld<MemoryPhoneStore>

  private func play(
    _ plot: RunPlot, killing kills: @escaping (NodeInput?, VirtualTime) -> Bool = { _, _ in false },
    policy: BranchPolicy = .branched, checking check: @escaping (World) -> Void = { _ in }
  ) throws -> World {
    var world = try World(RunPlot.setup(policy: policy), store: MemoryPhoneStore())
    world.kills = kills
    world.afterInput = check
    try world.play(plot)
    return world
  }

  /// Whether an input is one that an app notices: kills after a handshake would never end.
  static func isNoticed(_ input: NodeInput?) -> Bool {
    switch input {
    case .frame(let frame): frame.kind == .chunk || frame.kind == .data
    case .command, .condition(.disk), .condition(.clock): true
    case nil: true
    case .link, .uplink, .condition, .page: false
    }
  }

  static func isFreshSnapshot(_ input: NodeInput?) -> Bool {
    guard case .frame(let frame) = input, frame.kind == .data, frame.channel == .message else { return false }
    return true
  }

  /// What is decided about run and script; copies and late arrivals decide nothing, and one that arrives while the
  /// phone starts is lost.
  static func decides(_ name: String) -> Bool {
    name == "snapshot.fresh" || name.hasPrefix("run.") || name.hasPrefix("script.")
  }

  /// Decisions and records of two worlds must be alike in all but what a start changes.
  private func expectAlike(_ one: World, _ other: World) {
    let stories = (one.story(Self.decides), other.story(Self.decides))
    let place = zip(stories.0, stories.1).enumerated().first { $1.0 != $1.1 }
    #expect(
      stories.0.count == stories.1.count && place == nil,
      "differ from \(place?.offset ?? -1) on: \(place?.element as Any)")
    var (a, b) = (one.store.record, other.store.record)
    a.consumer.liveness = LivenessMonitor(startedAt: .start)
    b.consumer.liveness = LivenessMonitor(startedAt: .start)
    for index in a.played.indices { a.played[index].wasInterrupted = false }
    for index in b.played.indices { b.played[index].wasInterrupted = false }
    #expect(a == b)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `what is committed is what the machines know, behind every input`(seed: UInt64) throws {
    var evaluations = 0
    var differing: [String] = []
    let world = try play(RunPlot(seed: seed), policy: seed % 2 == 0 ? .branched : .linear) { world in
      evaluations += 1
      // Silence counts again from every start.
      var (kept, known) = (world.store.record.consumer, world.node.consumer.record)
      kept.liveness.restartSilence(at: .start)
      known.liveness.restartSilence(at: .start)
      let record = world.store.record
      let node = world.node
      let waiting = node.audio.waitingCount + (node.audio.isSpeaking ? 1 : 0)
      let isAlike = [
        "consumer": kept == known, "position": record.position == node.engine.position,
        "trail": record.trail == node.engine.trail, "mute": record.state.isMuted == node.audio.isMuted,
        "unheard": record.unheard.count == waiting,
      ]
      if differing.isEmpty { differing = isAlike.filter { !$0.value }.keys.sorted() }
    }
    #expect(differing.isEmpty)
    #expect(evaluations > 500)
    #expect(world.story { $0 == "run.opened" }.count == 2)
    #expect(Set(world.store.record.runs.map(\.id)).count == world.store.record.runs.count)
    #expect(world.store.record.runs.count == 2)
    #expect(world.store.record.played.count >= 8, "the plot leads to dispatches")
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `killed behind every input, it decides the same as one that never was`(seed: UInt64) throws {
    // A sleeping phone wakes by a start, and gets what another one waits for.
    let plot = RunPlot(seed: seed, hasConditions: false)
    let whole = try play(plot)
    let killed = try play(plot, killing: { input, _ in Self.isNoticed(input) })
    #expect(killed.starts > 400)
    expectAlike(whole, killed)
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `killed now and then, it decides the same, with a full disk, sleep, notes and a wrong clock`(
    seed: UInt64
  ) throws {
    let plot = RunPlot(seed: 100 + seed)
    let whole = try play(plot, policy: seed % 2 == 0 ? .branched : .linear)
    var random = SplitMix(seed: seed)
    var isAsleep = false
    let killed = try play(
      plot,
      killing: { input, _ in
        if input == .condition(.suspended) { isAsleep = true }
        if input == .condition(.resumed) { isAsleep = false }
        return !isAsleep && Self.isNoticed(input) && random.percent(5)
      },
      policy: seed % 2 == 0 ? .branched : .linear)
    #expect(killed.starts > 10)
    expectAlike(whole, killed)
    // Notes may be heard later, but all are, and with the same words.
    let words = { (world: World) in
      world.lines.filter { $0.name == "voice.transcribed" }.map { "\($0.fields)" }.sorted()
    }
    #expect(words(killed) == words(whole))
    #expect(killed.files.kept.keys.sorted() == whole.files.kept.keys.sorted())
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `silence is counted from every start, and an alarm that was up stays up`(seed: UInt64) throws {
    let plot = RunPlot(seed: 200 + seed, hasConditions: false)
    var random = SplitMix(seed: seed)
    let world = try play(plot, killing: { input, _ in Self.isNoticed(input) && random.percent(seed < 4 ? 2 : 30) })
    var isRunning = false
    var isRaised = false
    var countedFrom = VirtualTime.start
    var alarms = 0
    for line in world.lines {
      let deadline = countedFrom + LivenessMonitor.silenceMax
      if isRunning, !isRaised { #expect(line.time <= deadline, "no alarm at \(deadline)") }
      switch line.name.text {
      case "node.started": countedFrom = line.time
      case "snapshot.fresh": countedFrom = line.time
      case "run.state":
        if line["to"] == .string("running"), !isRunning { countedFrom = line.time }
        isRunning = line["to"] == .string("running")
      case "liveness.disconnected":
        #expect(isRunning && !isRaised && line.time == deadline)
        isRaised = true
        alarms += 1
      case "liveness.reconnected":
        #expect(isRaised)
        isRaised = false
      default: break
      }
    }
    #expect(seed >= 4 || alarms > 0, "the plot leads to alarms")
  }
}
