import CoachProtocol
import Link
import Testing

@testable import EdgeSim

@Suite struct `A scenario's edge` {
  private static func read(_ text: String) throws -> (setup: EdgeSetup?, report: String) {
    let collector = DiagnosticsCollector(file: "s")
    let node = try JSONParser.parse("{ edge: \(text) }", dialect: .json5)
    let setup = JSONObjectReader(node, into: collector)?.object("edge") { EdgeSetup.schema.read($0) }
    return (setup, collector.diagnostics.description)
  }

  @Test func `nothing said is 800 ms, give or take 200, without failures`() throws {
    let (setup, report) = try Self.read("{}")
    #expect(setup == EdgeSetup() && report.isEmpty)
    #expect(EdgeSetup().latency == .milliseconds(800) && EdgeSetup().jitter == .milliseconds(200))
  }

  @Test func `every kind of failure is read`() throws {
    let (setup, report) = try Self.read(
      """
      { latency: "1s", jitter: 0.5, failures: [
        { do: "error500" }, { call: "chatReply", at: "5m", for: "2m", do: "timeout" },
        { call: "generateScript", at: "1m", times: 3, do: "badScript" }, { do: "late", by: "10s" },
        { do: "malformed" }, { call: "postRunSummary", do: "error502" },
      ] }
      """)
    #expect(report == "")
    #expect(
      setup
        == EdgeSetup(
          latency: .seconds(1), jitter: .milliseconds(500),
          failures: [
            EdgeFailure(.error500), EdgeFailure(call: .chatReply, begin: .seconds(300), end: .seconds(420), .timeout),
            EdgeFailure(call: .generateScript, begin: .seconds(60), times: 3, .badScript),
            EdgeFailure(.late(by: .seconds(10))), EdgeFailure(.malformed),
            EdgeFailure(call: .postRunSummary, .error502),
          ]))
  }

  @Test(arguments: [
    ("{ latncy: 1 }", #"unknown key "latncy"; did you mean "latency"?"#),
    ("{ latency: \"-1s\" }", "expected a duration of at least 0"),
    ("{ latency: \"25h\" }", "expected a duration of at most 24h"),
    ("{ failures: {} }", "expected an array"),
    ("{ failures: [{}] }", #"the key "do" is missing"#),
    ("{ failures: [{ do: \"eror500\" }] }", #"did you mean "error500"?"#),
    ("{ failures: [{ do: \"late\" }] }", #"the key "by" is missing"#),
    ("{ failures: [{ do: \"timeout\", by: \"1s\" }] }", #"unknown key "by""#),
    ("{ failures: [{ do: \"timeout\", for: \"1s\", times: 2 }] }", "for and times exclude one another"),
    ("{ failures: [{ do: \"timeout\", times: 0 }] }", "expected a whole number from 1"),
    ("{ failures: [{ do: \"badScript\", call: \"chatReply\" }] }", "badScript fails generateScript alone"),
    ("{ failures: [{ do: \"timeout\", call: \"chat\" }] }", #"found "chat", expected "generateScript""#),
  ])
  func `errors are reported`(text: String, message: String) throws {
    let (_, report) = try Self.read(text)
    #expect(report.contains(message), "\(report)")
  }
}
