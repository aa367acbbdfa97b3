import Foundation
import Link
import LinkTransport
import Testing

@testable import Simulator

/// Nodes that end with SIGKILL right after one of their system calls that change files, again and again in one run.
///
/// A library that is preloaded into them counts the calls, so a kill reaches each window of a grant, however short: between
/// a file and its commit, within a commit, within a start, and also the first start.
@Suite(.serialized) struct KilledAtCallTests {
  /// How many runs of each scenario and node; more with a variable.
  private static let runs = UInt64(ProcessInfo.processInfo.environment["WRISTWIRE_KILLED_RUNS"] ?? "") ?? 2

  /// One run's kills.
  private struct Plan {
    /// The node that is killed.
    var role: NodeRole
    /// A call with a kill after it, and how many calls later the next one is.
    var call = (first: UInt64.max / 2, stride: UInt64(1))
    /// A change of a name with a kill, how many changes later the next one is, and how many calls after it the kill is.
    var name = (first: UInt64.max / 2, stride: UInt64(1), delay: UInt64(0))
  }

  /// A start makes up to this many calls, so that a run gets on between two kills.
  private static let strideMin: UInt64 = 120

  /// Then the run goes on without more, so that it ends.
  private static let killsMax: UInt64 = 400

  private static func run(_ name: String, seed: UInt64, _ plan: Plan) throws -> (outcome: RunOutcome, kills: UInt64) {
    let folder = try TemporaryDirectory()
    let file = "\(folder.path)/plan"
    // The fields of Tests/KillAtCall/include/KillAtCall.h. It is not imported: it would count this process's calls, too.
    let fields: [UInt64] = [
      0, 0, 0, killsMax, plan.call.first, plan.call.stride, plan.name.first, plan.name.stride, plan.name.delay, 0,
    ]
    try fields.withUnsafeBytes { Data($0) }.write(to: URL(filePath: file))
    let library = URL(filePath: Tool.path).deletingLastPathComponent().appending(path: "libKillAtCall.so").path()
    func words(of role: NodeRole) -> [String] {
      let own = [Tool.path, role.text]
      return role == plan.role ? ["/usr/bin/env", "LD_PRELOAD=\(library)", "KILL_AT_CALL=\(file)"] + own : own
    }
    var scenario = try Scenario.load(Tool.scenario(name))
    // The kills come at any moment.
    scenario.expectations = []
    scenario.seed = seed
    var options = RunOptions()
    options.mode = .processes
    options.isDigested = false
    options.silenceMax = 60
    options.watchCommand = words(of: .watch)
    options.phoneCommand = words(of: .phone)
    options.torturer = Torturer(RandomStream(seed: seed, name: "torture"), killsMax: 0, toleratesKills: true)
    let outcome = try ScenarioRun.run(scenario, options)
    let kills = try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { $0.load(fromByteOffset: 16, as: UInt64.self) }
    return (outcome, kills)
  }

  private static func expectWhole(_ name: String, seed: UInt64, _ plan: Plan, killsMin: UInt64) throws {
    let (outcome, kills) = try run(name, seed: seed, plan)
    let said = "\(name), seed \(seed), \(plan), \(kills) kills"
    #expect(outcome.nodeFailure == nil, "\(said)")
    #expect(outcome.programEnd == nil, "\(said)")
    #expect(outcome.violations.map { "\($0.invariant): \($0.detail)" } == [], "\(said)")
    #expect(kills >= killsMin, "\(said)")
  }

  static let scenarios = ["trust", "voice-note", "traffic", "two-phones"]

  @Test(arguments: scenarios, [NodeRole.watch, .phone])
  func `no call is one after which a kill loses anything`(name: String, role: NodeRole) throws {
    for number in 0..<Self.runs {
      let random = RandomStream(seed: number, name: "kills.\(name).\(role.text)")
      let stride = Self.strideMin + random.number(below: 80, for: 1)
      let plan = Plan(role: role, call: (1 + random.number(below: stride, for: 2), stride))
      try Self.expectWhole(name, seed: 1_000 + number, plan, killsMin: 5)
    }
  }

  @Test(arguments: scenarios, [NodeRole.watch, .phone])
  func `a kill between the change of a name and its commit loses nothing`(name: String, role: NodeRole) throws {
    for number in 0..<Self.runs {
      let random = RandomStream(seed: number, name: "names.\(name).\(role.text)")
      let stride = 9 + random.number(below: 6, for: 1)
      let plan = Plan(
        role: role, name: (1 + random.number(below: stride, for: 2), stride, random.number(below: 12, for: 3)))
      try Self.expectWhole(name, seed: 2_000 + number, plan, killsMin: 1)
    }
  }
}
