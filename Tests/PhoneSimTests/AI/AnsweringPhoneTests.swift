@testable import CoachCheckers
import CoachProtocol
import Link
import LinkTestSupport
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

/// A phone with an edge: what it asks, what it says, what survives.
@Suite struct `A phone that asks the edge` {
  typealias World = PhoneWorld<MemoryPhoneStore>

  static func setup(mode: RunMode = .training) throws -> PhoneNode.Setup {
    var setup = PhoneNode.Setup(
      seed: 3, startedAt: 1_776_000_000_000_000_000, plan: Plan(distance: 1_200, time: 400),
      script: FallbackScript.make(personality: "calm", plan: Plan(distance: 1_200, time: 400)),
      scriptSource: .fallback, mode: mode, personality: "calm")
    setup.hasEdge = true
    setup.memory = [JSONMember("hr.max", .integer(188))]
    return setup
  }

  private static let workout = Identifier(high: 0xA1, low: 1)
  private static let began: Int64 = 1_776_000_000_000_000_000

  private static func time(_ second: Int) -> WatchTime { WatchTime(nanoseconds: began + Int64(second) * 1_000_000_000) }

  /// A run of so many seconds at 4 m/s, with notes at some of them.
  static func run<Store>(
    _ world: inout PhoneWorld<Store>, seconds: Int, notes: [Int: String] = [:], ends: Bool = true,
    cut: Range<Int> = 0..<0
  ) throws where Store.Record == PhoneRecord, Store.Change == PhoneChange {
    try world.link(isUp: true)
    try world.uplink(isUp: true)
    try world.queue(.workoutStarted(WorkoutStarted(workoutId: workout, startedAt: time(0), sentAt: time(0))))
    for second in 1...seconds {
      if second == cut.lowerBound, !cut.isEmpty { try world.link(isUp: false) }
      if second == cut.upperBound, !cut.isEmpty { try world.link(isUp: true) }
      let snapshot = LiveMetrics(
        workoutId: workout, sentAt: time(second), elapsed: Double(second), distance: Double(second) * 4,
        currentPaceSecPerKm: 250, avgPaceSecPerKm: 250, currentHR: 150, state: .running)
      try world.send(.liveMetrics(snapshot))
      if let says = notes[second] {
        let note = VoiceNoteMetadata(
          noteId: Identifier(high: 0xF0, low: UInt64(second)), runId: workout, recordedAt: time(second), seconds: 0.5,
          says: says, transcription: .done)
        try world.sendFile(
          FileMetadata.voiceNote(note).encoded,
          bytes: VoiceNoteMetadata.audio(of: note.noteId, seconds: 0.5).byteCount)
      }
      try world.advance(.seconds(1))
    }
    guard ends else { return }
    let uuid = Identifier(high: 0xBB, low: 1)
    try world.queue(
      .workoutEnded(WorkoutEnded(workoutId: workout, healthKitWorkoutUUID: uuid, sentAt: time(seconds + 1))))
    try world.advance(.seconds(100))
  }

  private func texts(_ world: World, _ names: String...) -> [String] {
    world.lines.filter { names.contains($0.name.text) }.map { line in
      let fields = line.fields.filter { ["kind", "source", "trigger", "why"].contains($0.key) }
        .compactMap { $0.value.text }
      return ([String((line.time - .start).seconds), line.name.text] + fields).joined(separator: " ")
    }
  }

  @Test func `it asks for a script, answers the athlete and sums up`() throws {
    var world = try World(Self.setup(), store: MemoryPhoneStore())
    world.edge = FakeEdge()
    try Self.run(&world, seconds: 300, notes: [100: "How far?"])
    #expect(
      texts(world, "ai.requested", "ai.reply", "script.loaded", "ai.failed", "ai.fallback") == [
        "0.0 ai.requested generateScript", "1.5 ai.reply generateScript", "1.5 script.loaded edge",
        "100.0 ai.requested chatReply", "101.5 ai.reply chatReply", "300.0 ai.requested postRunSummary",
        "301.5 ai.reply postRunSummary",
      ])
    let record = world.store.record
    #expect(record.ai.requests == [] && record.waitingReplies == [])
    #expect(record.runs.map(\.summaryText) == ["Well run."])
    #expect(record.replies.map(\.text) == ["Not far any more."])
    #expect(record.replies[0].playedAt != nil && record.replies[0].respondedAt == .start + .milliseconds(101_500))
    #expect(record.voiceNotes.map(\.aiReplyId) == [record.replies[0].id.text])
    #expect(record.played.contains { $0.messageId == record.replies[0].id.text })
    #expect(record.memory.first { $0.fact.key == "hr.max" }?.fact.value == .integer(188))
    #expect(record.memory.contains { $0.fact.source == .aiInferred && $0.fact.confidence == 0.6 })
    #expect(world.lines.count { $0.name.text == "memory.refused" } == 1)
    #expect(world.lines.count { $0.name.text == "script.dispatch" && $0["trigger"]?.text == "ai_reply" } == 1)
  }

  @Test func `no answer by 8 s is a stock line at exactly 8 s, and the late answer is kept and not said`() throws {
    var world = try World(Self.setup(), store: MemoryPhoneStore())
    var edge = FakeEdge()
    edge.answer = { request, _ in
      (200, FakeEdge.content(request.path), .milliseconds(request.path == "/chat-reply" ? 11_000 : 500))
    }
    world.edge = edge
    try Self.run(&world, seconds: 300, notes: [100: "How far?"])
    #expect(
      texts(world, "ai.fallback", "ai.late") == ["108.0 ai.fallback chatReply", "111.0 ai.late chatReply"])
    let record = world.store.record
    #expect(record.replies.map(\.model) == [AIReply.stockModel, AIReply.edgeModel])
    #expect(record.replies.map { $0.playedAt != nil } == [true, false])
    #expect(record.replies[0].respondedAt == nil && record.voiceNotes[0].aiReplyId == record.replies[0].id.text)
    #expect(!record.played.contains { $0.messageId == record.replies[1].id.text })
  }

  @Test func `three failures load the personality's own script, and a fourth answer replaces it`() throws {
    var world = try World(Self.setup(), store: MemoryPhoneStore())
    var edge = FakeEdge()
    edge.answer = { request, count in
      count <= 3 ? (502, .body(Array("{}".utf8)), .milliseconds(100)) : (200, FakeEdge.content(request.path), .zero)
    }
    world.edge = edge
    try Self.run(&world, seconds: 60, ends: false)
    let loaded = world.lines.filter { $0.name.text == "script.loaded" }.map { $0["source"]?.text }
    #expect(loaded == ["fallback", "edge"])
    #expect(world.store.record.script?.source == .edge && world.store.record.ai.requests == [])
  }

  @Test func `a reply is spoken in a tunnel on a whole second, and the window holds`() throws {
    var world = try World(Self.setup(), store: MemoryPhoneStore())
    var edge = FakeEdge()
    edge.answer = { request, _ in (200, FakeEdge.content(request.path), .milliseconds(5_300)) }
    world.edge = edge
    // The note comes with the last snapshot before the tunnel; its answer when the watch is known to be silent.
    try Self.run(&world, seconds: 160, notes: [118: "How far?"], ends: false, cut: 119..<158)
    let said = try #require(
      world.lines.first { $0.name.text == "script.dispatch" && $0["trigger"]?.text == "ai_reply" })
    let silent = try #require(world.lines.first { $0.name.text == "liveness.disconnected" })
    #expect(said.time >= silent.time && said.time.nanoseconds % 1_000_000_000 == 0)
  }

  @Test func `a race asks for nothing until it is over`() throws {
    var world = try World(Self.setup(mode: .race), store: MemoryPhoneStore())
    world.edge = FakeEdge()
    try Self.run(&world, seconds: 300, notes: [100: "How far?"])
    #expect(
      texts(world, "ai.requested", "ai.fallback", "script.loaded") == [
        "0.0 script.loaded fallback", "300.0 ai.requested postRunSummary",
      ])
    #expect(world.store.record.played.count >= 2)
  }

  @Test func `without an edge nothing is asked, kept or known`() throws {
    var setup = try Self.setup()
    setup.hasEdge = false
    var world = try World(setup, store: MemoryPhoneStore())
    world.edge = FakeEdge()
    try Self.run(&world, seconds: 120, notes: [50: "How far?"])
    #expect(!world.lines.contains { $0.name.text.hasPrefix("ai.") || $0.name.text.hasPrefix("memory.") })
    #expect(world.store.record.memory == [] && world.store.record.script == nil)
  }

  // MARK: Crashes

  @Test(arguments: [CrashPoint.replyCommitted, .memoryCommitted, .dispatchCommitted])
  func `a crash at any point changes neither what is spoken nor what is known`(point: CrashPoint) throws {
    var quiet = try World(Self.setup(), store: MemoryPhoneStore())
    quiet.edge = FakeEdge()
    try Self.run(&quiet, seconds: 300, notes: [100: "How far?"])
    var world = try World(Self.setup(), store: MemoryPhoneStore())
    world.edge = FakeEdge()
    world.armed = point
    try Self.run(&world, seconds: 300, notes: [100: "How far?"])
    #expect(world.starts == 2)
    func said(_ world: World) -> [String] {
      world.lines.filter { $0.name.text == "script.dispatch" }.compactMap { $0["message"]?.text }
    }
    #expect(said(world) == said(quiet))
    #expect(world.store.record.memory == quiet.store.record.memory)
    #expect(world.store.record.runs == quiet.store.record.runs)
    #expect(world.store.record.replies.map(\.text) == quiet.store.record.replies.map(\.text))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `killed wherever, it answers each question once, on disk as in memory`(seed: UInt64) throws {
    func play<Store>(_ store: Store) throws -> PhoneWorld<Store>
    where Store: NodeStore, Store.Record == PhoneRecord, Store.Change == PhoneChange {
      var random = SplitMix(seed: seed)
      var world = try PhoneWorld(Self.setup(), store: store)
      var edge = FakeEdge()
      edge.answer = { request, count in
        let key = RandomStream(seed: seed, name: "edge").number(below: 10, for: UInt64(count))
        switch key {
        case 0: return nil
        case 1: return (502, .body(Array("{}".utf8)), .milliseconds(300))
        case 2: return (200, .text("oops"), .milliseconds(300))
        case 3: return (200, FakeEdge.content(request.path), .milliseconds(9_500))
        default: return (200, FakeEdge.content(request.path), .milliseconds(Int64(key) * 700))
        }
      }
      world.edge = edge
      world.kills = { input, _ in RestartTests.isNoticed(input) && random.percent(4) }
      try Self.run(&world, seconds: 280, notes: [40: "a", 80: "b", 120: "c", 160: "d", 200: "e"])
      try world.advance(.seconds(400))
      return world
    }
    let memory = try play(MemoryPhoneStore())
    let folder = try TemporaryDirectory()
    var disk = try play(DeviceStore<PhoneTables>(folder: folder.path))
    #expect(memory.starts > 8)
    #expect(disk.story { _ in true } == memory.story { _ in true })
    let found = try disk.begin()
    #expect(found == memory.store.record)
    let record = memory.store.record
    #expect(record.voiceNotes.count == 5 && record.voiceNotes.allSatisfy { $0.aiReplyId != nil })
    #expect(record.ai.requests == [], "the queue drained")
    #expect(record.runs.first?.summaryText != nil)
    let invariants = ["ai-answers", "reply-spoken-once", "memory-user-wins", "dispatch-window", "play-once"]
    var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(1_000))
    header.memory = try JSONParser.parse("{\"hr.max\":188}", dialect: .json)
    var judge = Judge(header: header, checkers: CoachCheckerCatalog.all.filter { invariants.contains($0.invariant) })
    for (line, event) in memory.lines.enumerated() { judge.observe(event, line: line + 2) }
    judge.observe(TraceEvent("end", at: memory.now, on: .runner), line: memory.lines.count + 2)
    #expect(judge.finish().violations.map(\.detail) == [])
  }
}
