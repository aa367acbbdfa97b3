import Testing

@testable import Experiments
@testable import Simulator

/// What a shipped scenario expects also holds for other seeds.
///
/// CI sweeps all scenarios; these seeds once failed.
@Suite struct OtherSeedsTests {
  @Test(
    arguments: [
      // The watch became reachable only after the phone's crash.
      ("phone-start", 1_900_000_000),
      // The answer arrived before the crash.
      ("phone-start", 1_900_000_013),
      // The first frame after a nap took longer than the one before it.
      ("radio-naps", 1_900_000_004),
      // Never ten lost snapshots in a row.
      ("crowd-start", 200), ("crowd-start", 293),
      // A wait of half a minute, and its jitter.
      ("trust-retry", 1_700_000_080),
      // The second phone showed the sums of the shots that had arrived.
      ("late-shots", 21), ("late-shots", 33),
    ] as [(String, UInt64)])
  func `a shipped scenario holds with a seed that is not its own`(name: String, seed: UInt64) throws {
    var scenario = try Scenario.load(Tool.scenario(name))
    #expect(scenario.seed != seed)
    scenario.seed = seed
    let line = try SeedRun(scenario).run(seed, isDigesting: false).line
    #expect(line.hasPassed, "\(line.text)")
  }

  @Test func `every situation of the competition day occurs`() throws {
    let scenario = try Scenario.load(Tool.scenario("competition-day"))
    let situations = try SeedRun(scenario).run(scenario.seed, isDigesting: false).line.situations
    #expect(situations.count == 3 && situations.allSatisfy(\.isReached), "\(situations)")
  }
}
