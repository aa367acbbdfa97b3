import CoachProtocol
import EdgeSim
import Foundation
import Link
import LinkTransport
import PhoneSim
import Testing

@testable import Simulator
@testable import Console

/// Runs with an edge, in this process and in its own.
@Suite(.serialized) struct EdgeRunTests {
  private static func scenario(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static let short =
    "scenario: \"x\", duration: \"2m\", workout: { source: { model: { distance: 300, pace: \"5:00/km\" } } }"

  private static let request = GenerateScriptRequest(
    goal: "run", distanceKm: 5, targetPaceSecPerKm: 330, personality: "calm",
    settings: CoachSettings(runType: .outdoor, mode: .training))

  private static let calls: [CallingPhone.Call] = (0..<30).map { number in
    let body = number % 3 == 0 ? request.bytes : Array("{\"odd\":\(number)}".utf8)
    let path = number % 3 == 0 ? "/generate-script" : number % 3 == 1 ? "/chat-reply" : "/weather"
    return CallingPhone.Call(at: .start + .milliseconds(1_500 * Int64(number)), path: path, body: body)
  }

  private static let faulty = """
    { \(short), seed: 9, uplink: { profile: "lte-edge" },
      edge: { failures: [
        { at: "18s", for: "6s", do: "error502" }, { call: "generateScript", times: 2, do: "timeout" },
      ] },
      faults: [
        { at: "5s", for: "10s", uplink: { disconnect: {} } },
        { at: "20s", for: "20s", uplink: { loss: { probability: 0.4 } } },
        { at: "20s", for: "20s", uplink: { duplicate: { probability: 0.4 } } },
        { at: "30s", for: "5s", direction: "edge-to-phone", uplink: { delay: { mean: "2s", jitter: "1s" } } },
      ] }
    """

  /// A run with a phone that asks, and an edge that lives where the test says.
  private static func conduct(_ scenario: Scenario, edge: any NodeHost) throws -> (RunOutcome, String) {
    final class Box { var bytes: [UInt8] = [] }
    let box = Box()
    var options = RunOptions()
    options.output = { box.bytes += $0 }
    // Nothing would confirm what a real watch queues.
    let watch = try InProcessHost(
      store: PlainStore(MemorySessionStore()), files: NoFiles(),
      build: { session, _, _ in CallingPhone([], epoch: session.epoch) })
    let phone = try InProcessHost(
      store: PlainStore(MemorySessionStore()), files: NoFiles(),
      build: { session, _, _ in CallingPhone(calls, epoch: session.epoch) })
    let outcome = ScenarioRun.conduct(
      scenario, options, [Device(.watch, watch), Device(.phone, phone), Device(.edge, edge)])
    return (outcome, String(decoding: box.bytes, as: UTF8.self))
  }

  private static func inProcess(_ scenario: Scenario) throws -> any NodeHost {
    try InProcessHost(
      store: NodeStores.edge(), files: NoFiles(),
      build: NodeBuilder.edge(try #require(scenario.edge), seed: scenario.seed))
  }

  @Test func `an app that sleeps over its deadline hears no answer, and has its own when it wakes`() throws {
    // Asked at 40 s, answered by the edge before 48 s: the app sleeps from 45 s to 60 s.
    let scenario = try Self.scenario(
      """
      { \(Self.short), edge: { failures: [{ call: "chatReply", do: "late", by: "6s" }] },
        phone: { events: [{ at: "38s", do: "record", seconds: 2, says: "How far?" }] },
        faults: [{ at: "45s", for: "15s", suspend: "phone", wake: false }] }
      """)
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    var options = RunOptions()
    options.onEvent = { event, _ in box.lines.append(event) }
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.verdict == .pass, "\(outcome.violations.map(\.detail))")
    let asked = try #require(box.lines.first { $0.name == "ai.requested" && $0["kind"]?.text == "chatReply" })
    let said = box.lines.filter { $0["id"] == asked["id"] && $0.name.text.hasPrefix("ai.") && $0.name != asked.name }
    #expect(said.map(\.name.text) == ["ai.fallback", "ai.late"])
    #expect(said.first?.time == .start + .seconds(60))
    let dropped = box.lines.filter { $0.name == "frame.dropped" && $0.place == .uplink }
    #expect(dropped.contains { $0["cause"]?.text == "suspended" })
  }

  @Test func `a phone's request is answered, and an edge in its own process gives the same bytes`() throws {
    let scenario = try Self.scenario(Self.faulty)
    let (outcome, trace) = try Self.conduct(scenario, edge: Self.inProcess(scenario))
    #expect(outcome.violations.map(\.detail) == [] && outcome.nodeFailure == nil)
    let lines = trace.split(separator: "\n")
    let answers = lines.filter { $0.contains(#""event":"test""#) }
    // Two of the thirty are never answered.
    #expect(answers.count == 28, "\(answers.count)")
    for status in [200, 400, 404, 502] {
      #expect(answers.contains { $0.hasSuffix("\"status\":\(status)}") }, "\(status)")
    }
    for event in ["frame.duplicated", "frame.dropped", "uplink.duplicate", "uplink.reachability", "link.down"] {
      #expect(lines.contains { $0.contains("\"event\":\"\(event)\"") }, "\(event)")
    }
    #expect(lines.contains { $0.contains(#""failure":"timeout""#) })

    let listener = try NodeListener()
    let folder = try TemporaryFolder()
    let process = NodeProcess(
      .edge, words: [Tool.path, "edge"], listener: listener, state: folder.url.path()
    ) { NodeSetup.text(scenario, at: $0, answered: $1) }
    defer {
      process.kill()
      process.finish()
    }
    try process.spawn(at: .start)
    let remote = try listener.accept([.edge]) { process.hasDied }[0]
    var answer = NodeAnswer()
    try process.welcome(remote, at: .start, startingAt: .start, into: &answer)
    let other = try Self.conduct(
      scenario, edge: ProcessHost(process, firstAnswer: answer, isRecording: true))
    #expect(other.1 == trace)
    #expect(other.0.traceDigest == outcome.traceDigest)
    process.end()
  }

  @Test func `all three as processes give the same trace as in one, and none is left`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.faulty.utf8).write(to: folder.appending(path: "s.json5"))
    var digests: [String?] = []
    for mode in RunOptions.Mode.allCases {
      let result = try Tool(["run", "s.json5", "--json", "--mode", mode.rawValue], in: folder).finish()
      #expect(result.status == 0, "\(result.errors)")
      digests.append(try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text)
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(Tool.processes(of: folder) == [])
    #expect(try Tool.leftovers(in: folder) == ["s.json5"])
  }

  @Test func `an edge that hangs, dies or never joins ends the run like any node`() throws {
    for (words, joinMax, cause) in [
      (["false"], 60, "exited with status 1 before it joined"), (["sleep", "600"], 0.5, "no join within 0.5 s"),
      (["/nowhere/edge"], 60, "No such file"),
    ] {
      var options = RunOptions()
      options.mode = .processes
      options.silenceMax = 60
      options.nodeLimits[.edge] = NodeLimits(join: joinMax, answer: 60)
      options.watchCommand = [Tool.path, "watch"]
      options.phoneCommand = [Tool.path, "phone"]
      options.edgeCommand = words
      let outcome = try ScenarioRun.run(try Self.scenario("{ \(Self.short), edge: {} }"), options)
      #expect(outcome.status == 3)
      let failure = outcome.nodeFailure ?? ""
      #expect(failure.hasPrefix("the edge failed"), "\(failure)")
      #expect(failure.contains(cause), "\(failure)")
    }
  }

  @Test(arguments: [
    ("", false, "none"), ("uplink: { profile: \"none\" }", false, "none"),
    ("uplink: { profile: \"lte\" }", true, "lte"),
    ("uplink: { profile: \"lte\", exists: false }", false, "off"), ("edge: {}", true, "lte"),
    ("edge: {}, uplink: { profile: \"none\" }", true, "none"), ("uplink: {}", true, "ideal"),
  ])
  func `a run has an edge if its scenario has an uplink, or says so`(keys: String, hasEdge: Bool, uplink: String) throws
  {
    let scenario = try Self.scenario("{ \(Self.short), \(keys) }")
    #expect((scenario.edge != nil) == hasEdge)
    #expect(scenario.uplink.exists == !["none", "off"].contains(uplink))
    if let profile = ProfileCatalog.profile(named: uplink) { #expect(scenario.uplink == profile) }
    var lines = 0
    var options = RunOptions()
    options.onEvent = { event, _ in
      if event.place == .edge || event.place == .uplink || event["target"] == .string("edge") { lines += 1 }
    }
    #expect(try ScenarioRun.run(scenario, options).status == 0)
    #expect((lines > 0) == hasEdge)
  }

  @Test(arguments: FallbackScript.personalities + ["somebody else"])
  func `a script of the edge passes the phone's validator, without a warning`(personality: String) throws {
    for (kilometres, pace) in [
      (5, 330), (4, 300), (10, 240), (21.0975, 360), (42.195, 280), (3.3, nil), (0, nil), (1, 400),
    ]
      as [(Double, Double?)]
    {
      let plan = Plan(
        distance: kilometres > 0 ? kilometres * 1_000 : nil, time: pace.map { $0 * kilometres })
      for seed in 0..<5 as Range<UInt64> {
        var request = Self.request
        (request.distanceKm, request.targetPaceSecPerKm, request.personality) = (kilometres, pace, personality)
        let script = try Self.script(request, seed: seed)
        let bytes = JSONWriter.compact(
          JSONNode(
            .object([
              JSONMember("id", .string(script.scriptId)),
              JSONMember("messages", .array(script.messages.map(Self.node))),
            ])))
        let report = ScriptValidator.validate(bytes, file: "edge", plan: plan)
        #expect(report.isEmpty, "\(kilometres) km at \(pace ?? 0): \(report)")
      }
    }
  }

  @Test func `a bad script does not pass it`() throws {
    let script = try Self.script(Self.request, seed: 1, failing: [EdgeFailure(.badScript)])
    let bytes = JSONWriter.compact(
      JSONNode(.object([JSONMember("messages", .array(script.messages.map(Self.node)))])))
    #expect(ScriptValidator.validate(bytes, file: "edge").hasErrors)
  }

  /// What the edge answers to a request.
  private static func script(
    _ request: GenerateScriptRequest, seed: UInt64, failing: [EdgeFailure] = []
  ) throws -> GenerateScriptResponse {
    var edge = EdgeNode(EdgeSetup(failures: failing), seed: seed)
    var phone = CallingPhone(
      [.init(at: .start, path: EdgeCall.generateScript.path, body: request.bytes)], epoch: Epoch(1))
    var turn = Turn(isRecording: false)
    phone.receive(.uplink(isUp: true), in: &turn)
    phone.receive(nil, in: &turn)
    guard case .frame(let frame)? = turn.items.last else { throw Failure.input("no request") }
    edge.receive(.frame(frame), in: &turn)
    turn.now = try #require(edge.nextDeadline)
    edge.receive(nil, in: &turn)
    guard case .frame(let reply)? = turn.items.last else { throw Failure.input("no answer") }
    let body = try #require(try JSONParser.parse(reply.payload, dialect: .json)["body"])
    return try GenerateScriptResponse.reading(body)
  }

  private static func node(_ line: GenerateScriptResponse.Line) -> JSONNode {
    var members = [
      JSONMember("id", .string(line.id)), JSONMember("triggerSpec", line.triggerSpec),
      JSONMember("text", .string(line.text)),
    ]
    if let priority = line.priority { members.append(JSONMember("priority", .integer(Int64(priority)))) }
    return JSONNode(.object(members))
  }
}
