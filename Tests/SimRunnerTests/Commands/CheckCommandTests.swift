import Foundation
import Link
import Testing

@testable import Simulator
@testable import Commands

@Suite struct CheckCommandTests {
  private let folder: TemporaryFolder
  private let lines: [String]

  init() throws {
    folder = try TemporaryFolder()
    lines = try TraceFixture.shared.get().lines
  }

  private func check(_ lines: [String], _ options: String...) throws -> CommandChild {
    try CommandChild.call(["check", folder.write("trace.jsonl", lines.fileText)] + options)
  }

  @Test func `a trace that a run wrote holds`() throws {
    let child = try check(lines)
    #expect(child.status == 0, "\(child.output)\(child.errors)")
    #expect(child.errors.isEmpty)
    #expect(child.lines.count == 1)
    #expect(child.output.hasPrefix("pass: "))
    #expect(child.output.contains("\(InvariantsCommand.all.count) invariants checked, none broken"))
  }

  @Test func `the object says what the run said`() throws {
    let fixture = try TraceFixture.shared.get()
    let object = try check(lines, "--json").object()
    #expect(object["scenario"] as? String == "check-me")
    #expect(object["seed"] as? String == "7")
    #expect(object["verdict"] as? String == "pass")
    #expect(object["events"] as? Int == fixture.outcome.events)
    #expect(object["traceDigest"] as? String == fixture.outcome.traceDigest)
    #expect(object["simulatedSeconds"] as? Double == fixture.outcome.simulated.seconds)
    #expect(object["invariants"] as? Int == InvariantsCommand.all.count)
    #expect(object["truncated"] as? Bool == false)
    #expect(object["wallSeconds"] is Double)
    #expect((object["violations"] as? [Any])?.isEmpty == true)
    let counters = try #require(object["counters"] as? [String: Int])
    #expect(counters.count == fixture.outcome.counters.count)
    for counter in fixture.outcome.counters { #expect(counters[counter.name.text] == counter.count) }
  }

  @Test(
    arguments: [
      "[{ event: \"liveness.disconnected\", between: [\"80s\", \"100s\"] }]",
      "[{ never: \"liveness.disconnected\" }, { count: \"script.dispatch\", atLeast: 1 }]",
      "[{ event: \"liveness.reconnected\", within: \"1ms\", after: { event: \"link.up\" } }]",
      "[{ dispatched: [\"half\"] }]",
    ])
  func `a run and the check of its trace judge expectations alike`(expect: String) throws {
    let fixture = try TraceFixture(expect: expect)
    let trace = try folder.write("own.jsonl", fixture.text)
    let scenario = try folder.write("own.json5", fixture.scenario)
    let child = try CommandChild.call(["check", trace, "--scenario", scenario, "--json"])
    let object = try child.object()
    #expect(object["verdict"] as? String == fixture.outcome.verdict.rawValue)
    #expect(child.status == fixture.outcome.status)
    let judged = try #require(object["expectations"] as? [[String: Any]])
    #expect(judged.map { $0["passed"] as? Bool } == fixture.outcome.expectations.map { $0.result.hasPassed })
    #expect(judged.map { $0["lines"] as? [Int] } == fixture.outcome.expectations.map { $0.result.lines })
    #expect(judged.map { $0["why"] as? String } == fixture.outcome.expectations.map { $0.result.why })
  }

  @Test(arguments: ["in-process", "processes"])
  func `what the run command writes and says is what the check says`(mode: String) throws {
    let expect = "[{ never: \"liveness.disconnected\" }, { count: \"script.dispatch\", atLeast: 1 }]"
    let scenario = try folder.write("s.json5", TraceFixture.scenario(expect: expect))
    let trace = folder.path("t.jsonl")
    let run = try CommandChild.run(["run", scenario, "--mode", mode, "--trace", trace, "--json"])
    let check = try CommandChild.call(["check", trace, "--scenario", scenario, "--json"])
    #expect(run.status == 1)
    #expect(check.status == 1)
    let (ran, checked) = (try run.object(), try check.object())
    for key in ["scenario", "seed", "verdict", "traceDigest"] {
      #expect(ran[key] as? String == checked[key] as? String, "\(key)")
    }
    for key in ["events", "simulatedSeconds"] { #expect(ran[key] as? Double == checked[key] as? Double, "\(key)") }
    #expect(ran["counters"] as? [String: Int] == checked["counters"] as? [String: Int])
    let passed = (checked["expectations"] as? [[String: Any]])?.map { $0["passed"] as? Bool }
    #expect(passed == [false, true])
  }

  @Test func `a failed expectation is printed with its reason and its lines`() throws {
    let scenario = try folder.write("s.json5", TraceFixture.scenario(expect: "[{ never: \"liveness.disconnected\" }]"))
    let child = try check(lines, "--scenario", scenario)
    #expect(child.status == 1)
    let line = try lines.place(of: "\"liveness.disconnected\"") + 1
    #expect(child.output.contains("expectation 1: fail: It never happens that "))
    #expect(child.output.contains("(line \(line))"))
    #expect(child.output.contains("fail: "))
    #expect(child.output.contains("0 of 1 expectation met"))
  }

  @Test func `a frame without a fate is found`() throws {
    var lines = lines
    let sent = try lines.place(of: "\"frame.sent\"", "\"id\":30,")
    lines.remove(at: try lines.place(of: "\"frame.delivered\"", "\"id\":30,"))
    let child = try check(lines)
    #expect(child.status == 1)
    #expect(child.output.contains("trace.jsonl:\(sent + 1): violation: every-frame-one-fate at "))
    #expect(child.output.contains("1 broken (every-frame-one-fate)"))
    let object = try check(lines, "--json").object()
    #expect(object["verdict"] as? String == "fail")
    let violation = try #require((object["violations"] as? [[String: Any]])?.first)
    #expect(violation["invariant"] as? String == "every-frame-one-fate")
    #expect(violation["lines"] as? [Int] == [sent + 1])
    #expect(violation["t"] is Int)
    #expect((violation["detail"] as? String)?.contains("frame 30") == true)
  }

  @Test func `a line spoken twice is found`() throws {
    var lines = lines
    let place = try lines.place(of: "\"script.dispatch\"", "\"half\"")
    lines.insert(lines[place], at: place)
    let child = try check(lines)
    #expect(child.status == 1)
    #expect(child.output.contains("play-once"))
    #expect(child.output.contains("(lines \(place + 1), \(place + 2))"))
  }

  @Test func `what the trace says of itself is not believed`() throws {
    var lines = lines
    let end = lines.count - 1
    lines[end] = lines[end].replacing("\"verdict\":\"pass\"", with: "\"verdict\":\"fail\"")
    lines.insert(
      "{\"t\":0,\"node\":\"runner\",\"event\":\"violation\",\"invariant\":\"causality\",\"detail\":\"x\",\"lines\":[1]}",
      at: end)
    // The line is as late as the end, or causality itself would complain.
    let time = try #require(lines[end + 1].split(separator: ",").first)
    lines[end] = lines[end].replacing("{\"t\":0", with: time)
    let child = try check(lines)
    #expect(child.status == 0, "\(child.output)")
    #expect(child.errors.contains("the trace says \"fail\" of itself"))
    var believed = self.lines
    believed.remove(at: try believed.place(of: "\"frame.delivered\"", "\"id\":30,"))
    #expect(try check(believed).errors.contains("the trace says \"pass\" of itself"))
  }

  @Test func `a trace without its end is truncated and unknown`() throws {
    for kept in [1, 2, 200, lines.count - 1] {
      let child = try check(Array(lines.prefix(kept)))
      #expect(child.status == 1)
      // A header alone shows nothing that an invariant could judge.
      #expect(child.output.hasPrefix(kept <= 2 ? "not judged: " : "unknown: "), "\(kept): \(child.output)")
      #expect(child.errors.contains("truncated after line \(kept): it has no \"end\" line"))
    }
    let object = try check(Array(lines.prefix(300)), "--json").object()
    #expect(object["truncated"] as? Bool == true)
    #expect(object["verdict"] as? String == "unknown")
  }

  @Test func `a trace cut in the middle of a line is truncated`() throws {
    let text = lines.prefix(400).joined(separator: "\n")
    let path = try folder.write("cut.jsonl", String(text.dropLast(9)))
    let child = try CommandChild.call(["check", path])
    #expect(child.status == 1)
    #expect(child.errors.contains("truncated after line 399"))
  }

  @Test func `what is wrong in a truncated trace is wrong`() throws {
    var lines = lines
    let place = try lines.place(of: "\"script.dispatch\"", "\"half\"")
    lines.insert(lines[place], at: place)
    let child = try check(Array(lines.dropLast()))
    #expect(child.status == 1)
    #expect(child.output.contains("fail: "))
    #expect(child.errors.contains("truncated"))
  }

  @Test func `a line that is none is reported with its place`() throws {
    for (wrong, column) in [
      ("{\"t\":1,\"node\":\"watch\",\"event\":\"snapshot\",\"epoch\":}", 50), ("", 1), ("[]", 1),
      ("{\"t\":\"1\",\"node\":\"watch\",\"event\":\"x\"}", 6), ("{\"t\":1,\"node\":\"moon\",\"event\":\"x\"}", 15),
    ] {
      var lines = lines
      lines.insert(wrong, at: 20)
      let child = try check(lines)
      #expect(child.status == 2)
      #expect(child.errors.contains("trace.jsonl:21:\(column): error: found "), "\(child.errors)")
      #expect(child.output.isEmpty)
    }
  }

  @Test func `nothing may follow the end`() throws {
    let child = try check(lines + [lines[5]])
    #expect(child.status == 2)
    #expect(child.errors.contains("trace.jsonl:\(lines.count + 1):1: error: found a line after the end line"))
  }

  @Test(
    arguments: [
      ("\"version\":1", "\"version\":2", "version 1"), ("\"trace\":\"wristwire\"", "\"trace\":\"other\"", "wristwire"),
      ("\"seed\":\"7\"", "\"seed\":7", "string"),
    ])
  func `a header that is none is reported`(right: String, wrong: String, expected: String) throws {
    var lines = lines
    lines[0] = lines[0].replacing(right, with: wrong)
    let child = try check(lines)
    #expect(child.status == 2)
    #expect(child.errors.contains("trace.jsonl:1:"))
    #expect(child.errors.contains(expected))
  }

  @Test func `a trace is read from standard input`() throws {
    let child = try CommandChild.run(["check", "-"], input: try TraceFixture.shared.get().text)
    #expect(child.status == 0)
    #expect(child.output.hasPrefix("pass: -: "))
  }

  @Test func `a run that broke off fails for that and for nothing else`() throws {
    let time = try #require(lines[299].split(separator: ",").first)
    let failed = "\(time),\"node\":\"runner\",\"event\":\"node.failed\",\"target\":\"phone\",\"cause\":\"was silent\"}"
    let fields = "\"verdict\":\"fail\",\"frames\":9,\"outstanding\":[],\"violations\":[]"
    let end = "\(time),\"node\":\"runner\",\"event\":\"end\",\(fields)}"
    let child = try check(Array(lines.prefix(300)) + [failed, end])
    #expect(child.status == 1)
    #expect(child.output.hasPrefix("fail: "), "\(child.output)")
    #expect(child.errors.contains("the run broke off: node failed: phone: was silent"))
    #expect(!child.errors.contains("truncated"))
  }

  @Test func `another scenario's trace is noted`() throws {
    let scenario = try folder.write("s.json5", "{ scenario: \"another\" }")
    let child = try check(lines, "--scenario", scenario)
    #expect(child.status == 0)
    #expect(child.errors.contains("the trace is of scenario \"check-me\", not of \"another\""))
  }

  @Test func `bad usage ends with 2`() throws {
    let trace = try folder.write("trace.jsonl", lines.fileText)
    for words in [
      [], [trace, trace], [trace, "--nope"], [folder.path("absent.jsonl")], [folder.url.path()],
      [trace, "--scenario", folder.path("absent.json5")], [trace, "--scenario"],
    ] {
      let child = try CommandChild.call(["check"] + words)
      #expect(child.status == 2, "\(words): \(child.errors)")
      #expect(!child.errors.isEmpty)
      #expect(child.output.isEmpty)
    }
  }

  @Test func `the help says how it is used`() throws {
    let child = try CommandChild.call(["check", "--help"])
    #expect(child.status == 0)
    #expect(child.output.hasPrefix("usage: sim-runner check TRACE"))
    #expect(child.output.contains("Exit status: 0 "))
  }

  @Test func `what a trace says cannot steer a terminal`() throws {
    var lines = lines
    let place = try lines.place(of: "\"script.dispatch\"", "\"half\"")
    lines[place] = lines[place].replacing("\"half\"", with: "\"\\u001b[2J\"")
    let child = try check(lines)
    #expect(child.status == 1)
    #expect(!child.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(child.output.contains("\\u001B[2J"))
  }
}
