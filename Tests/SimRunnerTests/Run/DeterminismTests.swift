import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// One scenario and seed, one trace: from run to run, from driver to driver, at every pace.
@Suite struct DeterminismTests {
  @Test(arguments: ["tunnel-at-2k", "pause-over-a-cut", "mute-and-call"], [UInt64(42), 18_446_744_073_709_551_557])
  func `fresh processes and both drivers give equal bytes`(name: String, seed: UInt64) throws {
    var scenario = try Scenario.load(Tool.scenario(name))
    scenario.seed = seed
    let digest = try #require(try ScenarioRun.run(scenario, RunOptions()).traceDigest)
    for mode in RunOptions.Mode.allCases {
      let result = try Tool.run(
        ["run", Tool.scenario(name), "--json", "--seed", String(seed), "--mode", mode.rawValue])
      let object = try JSONParser.parse(result.output, dialect: .json)
      #expect(object["traceDigest"]?.text == digest, "\(mode.rawValue)")
    }
  }

  @Test func `another seed gives another trace`() throws {
    var scenario = try Scenario.load(Tool.scenario("tunnel-at-2k"))
    let first = try ScenarioRun.run(scenario, RunOptions()).traceDigest
    scenario.seed += 1
    #expect(try ScenarioRun.run(scenario, RunOptions()).traceDigest != first)
  }

  @Test func `a slowed run gives the same trace`() throws {
    let name = "long-gap"
    let digests = try ["virtual", "1000x"].map { time in
      let result = try Tool.run(["run", Tool.scenario(name), "--json", "--time", time])
      return try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }
}
