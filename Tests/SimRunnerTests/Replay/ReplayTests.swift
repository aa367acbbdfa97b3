import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Console

/// A trace fed back: whole, to the phone alone, from the watch alone.
@Suite struct ReplayTests {
  @Test func `a whole run is repeated byte for byte`() throws {
    let trace = try RecordedTrace("t", TraceFixture.shared.get().text)
    let outcome = try WholeReplay.run(trace, workout: nil)
    #expect(outcome.isIdentical == true)
    #expect(outcome.difference.isEmpty)
    #expect(outcome.difference.steps.count > 20)
  }

  @Test func `the phone does the same again, and every payload is proven`() throws {
    let trace = try RecordedTrace("t", TraceFixture.shared.get().text)
    let outcome = try PhoneReplay.run(trace, workout: nil)
    let frames = try #require(outcome.frames)
    #expect(outcome.difference.isEmpty, "\(DifferenceText(difference: outcome.difference, names: ("", "")).lines())")
    #expect(frames.all > 100 && frames.proven == frames.all)
    #expect(outcome.difference.steps.contains { $0.before?.text.contains("script.dispatch") == true })
  }

  @Test(arguments: [
    "voice-note", "phone-crash", "inbox-crash", "wrong-clock", "coach/crash-before-reply-plays", "phone-start",
    "coach/history", "coach/race-day",
  ])
  func `kills, clocks, files, answers and the health store are fed back`(name: String) throws {
    let trace = try Self.trace(of: Scenario.load(Tool.scenario(name)))
    let outcome = try PhoneReplay.run(trace, workout: nil)
    #expect(outcome.difference.isEmpty, "\(DifferenceText(difference: outcome.difference, names: ("", "")).lines())")
    #expect(outcome.frames?.unknown == 0 && outcome.frames?.translated == 0)
    #expect(try WholeReplay.run(trace, workout: nil).isIdentical == true)
  }

  /// The header has every section that a run depends on.
  @Test(arguments: [
    "ingestion/corrected-afterwards", "ingestion/kills-full-disk-and-clock", "field/utc-days", "three-runs",
    "competition-day", "day", "field/fetched-since", "field/chat-once", "two-phones",
  ])
  func `a run with several workouts, ingestion or daily totals is repeated from its trace`(name: String) throws {
    let trace = try Self.trace(of: Scenario.load(Tool.scenario(name)))
    #expect(try WholeReplay.run(trace, workout: nil).isIdentical == true)
  }

  @Test func `what was ordered while the run went on is ordered again`() throws {
    let (scenario, _) = Scenario.read(
      Array(TraceFixture.scenario(expect: "[]").utf8), file: "fixture.json5", folder: "/")
    let orders = Orders()
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.output = { bytes += $0 }
    options.live = orders
    _ = try ScenarioRun.run(scenario, options)
    let trace = try RecordedTrace("t", bytes)
    #expect(trace.events.count { $0.name.text == "control" } == 3)
    #expect(trace.events.contains { $0.name == "node.killed" })
    #expect(try WholeReplay.run(trace, workout: nil).isIdentical == true)
    let phone = try PhoneReplay.run(trace, workout: nil)
    #expect(phone.difference.isEmpty, "\(DifferenceText(difference: phone.difference, names: ("", "")).lines())")
  }

  /// Cuts the link at 20 s, restores it at 35 s, and kills the phone for 3 s at 50 s.
  private final class Orders: LiveControls {
    private var left = [
      (20, "link down"), (35, "link up"), (50, "kill phone --restart-after 3s"),
    ]

    func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
      guard let (second, text) = left.first, .start + .seconds(Int64(second)) <= next else { return .advance }
      left.removeFirst()
      guard let words = try? CommandWords.split(text, option: "x"),
        case .order(let action)? = try? ControlCommand(words, hasEdge: false)
      else { return .stop(at: now) }
      let order = LiveOrder(origin: .ctl, command: CommandWords.join(words), action: action)
      return .order(order, at: max(.start + .seconds(Int64(second)), now + VirtualTime.Span(nanoseconds: 1)))
    }

    func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {}
  }

  @Test func `a header that says nothing of the watch is enough for the phone, and not for the whole run`() throws {
    var lines = try TraceFixture.shared.get().lines
    let workout = try #require(lines[0].range(of: ",\"workout\":"))
    lines[0] = lines[0][..<workout.lowerBound] + "}"
    let trace = try RecordedTrace("t", Array(lines.fileText.utf8))
    #expect(try PhoneReplay.run(trace, workout: nil).difference.isEmpty)
    #expect(throws: Failure.self) { try WholeReplay.run(trace, workout: nil) }
  }

  @Test func `a phone that decides otherwise is found out at its first decision`() throws {
    var lines = try TraceFixture.shared.get().lines
    let place = try lines.place(of: "script.dispatch", "half")
    lines[place] = lines[place].replacingOccurrences(of: "\"half\"", with: "\"hundred\"")
    let outcome = try PhoneReplay.run(RecordedTrace("t", Array(lines.fileText.utf8)), workout: nil)
    let first = try #require(outcome.difference.firstDifference)
    #expect(outcome.difference.steps[first].before?.line == place + 1)
  }

  @Test func `deliveries are believed, not drawn again`() throws {
    // Snapshots that came are taken away: silence sets in, though today's medium would not lose them.
    var lines = try TraceFixture.shared.get().lines
    let from = try lines.place(of: "\"t\":200")
    for index in from..<(from + 200) where lines[index].contains("frame.delivered") {
      lines[index] = lines[index].replacingOccurrences(
        of: "\"copy\":0", with: "\"copy\":0,\"cause\":\"loss\""
      ).replacingOccurrences(
        of: "frame.delivered", with: "frame.dropped")
    }
    let outcome = try PhoneReplay.run(RecordedTrace("t", Array(lines.fileText.utf8)), workout: nil)
    #expect(outcome.difference.steps.contains { $0.after?.text.contains("liveness.disconnected") == true })
  }

  @Test func `payloads that another program wrote are fed back by their meaning`() throws {
    var lines = try TraceFixture.shared.get().lines
    for index in lines.indices
    where lines[index].contains("\"node\":\"watch\",\"event\":\"frame.sent\"")
      && lines[index].contains("\"kind\":\"data\"")
    {
      let digest = try #require(lines[index].range(of: "\"digest\":\""))
      lines[index].replaceSubrange(digest.upperBound..<lines[index].index(digest.upperBound, offsetBy: 4), with: "beef")
    }
    let outcome = try PhoneReplay.run(RecordedTrace("t", Array(lines.fileText.utf8)), workout: nil)
    // The header's scenario still has the same frames, but none with these digests.
    #expect(outcome.frames.map { $0.translated > 100 && $0.unknown == 0 } == true)
    #expect(outcome.difference.isEmpty, "\(DifferenceText(difference: outcome.difference, names: ("", "")).lines())")
    #expect(outcome.notes.contains { $0.contains("encoded again") })
  }

  @Test(arguments: [0.1, 0.5, 0.9])
  func `a truncated trace is fed back up to its end`(share: Double) throws {
    let bytes = try TraceFixture.shared.get().text
    let cut = Array(bytes[..<Int(Double(bytes.count) * share)])
    let trace = try RecordedTrace("t", cut)
    #expect(trace.isTruncated)
    for outcome in [try PhoneReplay.run(trace, workout: nil), try WholeReplay.run(trace, workout: nil)] {
      #expect(outcome.difference.isEmpty, "\(DifferenceText(difference: outcome.difference, names: ("", "")).lines())")
      #expect(outcome.notes.contains { $0.contains("truncated") })
    }
  }

  @Test func `the recorded watch runs the same way beside a new phone, under other faults`() throws {
    let fixture = try TraceFixture.shared.get()
    let folder = try TemporaryFolder()
    let path = try folder.write("t.jsonl", String(decoding: fixture.text, as: UTF8.self))
    let trace = try RecordedTrace(path)
    let (same, _) = try WatchReplay.scenario(trace, faults: nil)
    let other = try folder.write(
      "other.json5", "{ scenario: \"other\", faults: [{ at: \"1m\", for: \"1m\", disconnect: {} }] }")
    let (faulty, _) = try WatchReplay.scenario(trace, faults: Scenario.load(other))
    for scenario in [same, faulty] {
      let again = try Self.trace(of: scenario)
      #expect(try Self.saved(again) == Self.saved(trace))
      #expect(again.events.last?.text("verdict") == "pass")
    }
    #expect(try Self.trace(of: faulty).events.contains { $0.name == "liveness.disconnected" })
  }

  /// Distance and time of the workout as the watch saved it.
  private static func saved(_ trace: RecordedTrace) throws -> [TraceValue?] {
    let line = try #require(trace.events.first { $0.name == "health.saved" })
    return [line["distance"], line["duration"], line["splits"]]
  }

  static func trace(of scenario: Scenario) throws -> RecordedTrace {
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return try RecordedTrace("t", bytes)
  }
}

/// What is wrong with a trace's file.
@Suite struct ReplayInputTests {
  @Test func `the command says same and different by its exit status`() throws {
    let fixture = try TraceFixture.shared.get()
    let folder = try TemporaryFolder()
    let path = try folder.write("t.jsonl", String(decoding: fixture.text, as: UTF8.self))
    for more in [[], ["--phone-only"]] {
      let same = try CommandChild.call(["replay", path] + more)
      #expect(same.status == 0 && same.output.hasPrefix("same"), "\(same.output)")
    }
    var lines = fixture.lines
    let place = try lines.place(of: "liveness.disconnected")
    lines[place] = lines[place].replacingOccurrences(of: "silence", with: "whim")
    let other = try folder.write("u.jsonl", lines.fileText)
    let different = try CommandChild.call(["replay", other, "--phone-only"])
    #expect(different.status == 1)
    #expect(different.output.contains("- ") && different.output.contains("whim"))
    let json = try CommandChild.call(["replay", other, "--phone-only", "--json"])
    let object = try JSONParser.parse(json.output, dialect: .json)
    #expect(object["verdict"]?.text == "different")
  }

  @Test func `what cannot be fed back is reported with its place`() throws {
    let fixture = try TraceFixture.shared.get()
    let folder = try TemporaryFolder()
    let newer = fixture.lines[0].replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
    let cases: [(name: String, text: String, says: String)] = [
      ("newer", newer + "\n", ":1:32: error: found number 2, expected version 1"),
      ("empty", "", ":1:1: error:"),
      ("other", "{\"a\":1}\n", ":1:1: error:"),
      (
        "late",
        fixture.lines[0]
          + "\n{\"t\":5,\"node\":\"link\",\"event\":\"x\"}\n{\"t\":4,\"node\":\"link\",\"event\":\"x\"}\n",
        ":3:1: error:"
      ),
      (
        "frame", fixture.lines[0] + "\n{\"t\":5,\"node\":\"watch\",\"event\":\"frame.sent\",\"id\":1}\n", ":2:1: error:"
      ),
      (
        "link", fixture.lines[0].replacingOccurrences(of: "\"latency\":", with: "\"latency\":-") + "\n",
        "link.latency"
      ),
    ]
    for (name, text, says) in cases {
      let path = try folder.write("\(name).jsonl", text)
      let result = try CommandChild.call(["replay", path, "--phone-only"])
      #expect(result.status == 2, "\(name): \(result.status) \(result.errors)")
      #expect(result.errors.contains(says), "\(name): \(result.errors)")
    }
    #expect(try CommandChild.call(["replay", folder.path("none")]).status == 2)
    #expect(try CommandChild.call(["replay", "x", "--phone-only", "--watch-only"]).status == 2)
    #expect(try CommandChild.call(["replay", "x", "--faults", "y"]).status == 2)
  }

  @Test func `what a kill at a random moment made of a run is fed back up to that moment`() throws {
    // As torture writes it: the kill's instant is that of the grant, and where in the grant is not known.
    let whole = try ReplayTests.trace(of: Scenario.load(Tool.scenario("phone-crash")))
    let plain = #""event":"node.killed","target":"phone","cause":"kill""#
    let text = String(decoding: whole.bytes, as: UTF8.self)
      .replacingOccurrences(of: plain, with: plain.replacingOccurrences(of: "\"kill\"", with: "\"signal\""))
    let trace = try RecordedTrace("t", Array(text.utf8))
    let kill = try #require(trace.events.first { $0.text("cause") == "signal" }).time
    for outcome in [try WholeReplay.run(trace, workout: nil), try PhoneReplay.run(trace, workout: nil)] {
      #expect(outcome.difference.isEmpty)
      #expect(outcome.notes.contains { $0.contains("the phone was killed there at a random moment") })
      let times = outcome.difference.steps.compactMap { $0.before?.time }
      #expect(times.count > 20 && times.allSatisfy { $0 < kill })
    }
  }

  @Test func `a node with its own timers is refused where its run would have to repeat exactly`() throws {
    let folder = try TemporaryFolder()
    var lines = try TraceFixture.shared.get().lines
    let header = lines[0].dropLast()
    lines[0] = header + #","freeRunning":["phone"]}"#
    let free = try folder.write("free.jsonl", lines.fileText)
    for option in [[], ["--phone-only"]] {
      let result = try CommandChild.run(["replay", free] + option)
      #expect(result.status == 2)
      #expect(result.errors.contains("free.jsonl:1:\(header.utf8.count + 16): error: found a phone with timers"))
    }
    #expect(try CommandChild.run(["replay", free, "--watch-only"]).status == 0)
    lines[0] = header + #","proxy":{"model":"m"}}"#
    let proxy = try CommandChild.run(["replay", try folder.write("proxy.jsonl", lines.fileText)])
    #expect(proxy.status == 0)
    #expect(proxy.errors.contains("not repeatable (proxy)"))
  }

  @Test func `another file than the one the run came from is noticed`() throws {
    let folder = try TemporaryFolder()
    let lap = try String(contentsOf: CommandChild.packageRoot.appending(path: "traces/lap.gpx"), encoding: .utf8)
    _ = try folder.write("lap.gpx", lap)
    let scenario = try folder.write(
      "s.json5", "{ scenario: 's', seed: 1, duration: '3m', workout: { source: { import: 'lap.gpx' } } }")
    let path = folder.path("t.jsonl")
    #expect(try CommandChild.call(["run", scenario, "--mode", "in-process", "--trace", path]).status == 0)
    let digest = Digest.text(Digest.sha256(Array(lap.utf8)))
    #expect(try RecordedTrace(path).header.extras.contains { $0.node.value == .string(digest) })
    let same = try CommandChild.call(["replay", path])
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.output)\(same.errors)")
    // A blank more is no other run, and another file.
    let other = try folder.write("other.gpx", lap + " ")
    let replayed = try CommandChild.call(["replay", path, "--workout", other])
    #expect(replayed.errors.contains("is not the file that the run came from: found SHA-256"), "\(replayed.errors)")
    #expect(replayed.errors.contains("expected \(digest.prefix(16))..."), "\(replayed.errors)")
  }

  @Test func `no damage to a trace does more than fail`() throws {
    let bytes = try TraceFixture.shared.get().text
    let short = Array(bytes[..<(bytes[60_000...].firstIndex(of: 10) ?? 60_000)])
    let random = RandomStream(seed: 5, name: "damage")
    for round in 0..<60 {
      var damaged = short
      for step in 0..<UInt64(1 + round % 8) {
        let bits = random.bits(for: UInt64(round), draw: step)
        let place = Int(bits % UInt64(damaged.count))
        // Digits for digits mostly, so that lines stay lines and mean something else.
        let isDigit = (48...57).contains(damaged[place])
        damaged[place] =
          isDigit ? 48 + UInt8(bits >> 40 & 7) : round % 3 == 0 ? UInt8(bits >> 40 & 0x7F) : damaged[place]
      }
      guard let trace = try? RecordedTrace("t", damaged) else { continue }
      _ = try? PhoneReplay.run(trace, workout: nil)
      _ = try? TracedMotion(trace)
    }
  }
}
