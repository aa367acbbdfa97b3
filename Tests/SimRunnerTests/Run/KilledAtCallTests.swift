import Foundation
import Link
import LinkTransport
import Testing

@testable import Simulator

/// Nodes that end with SIGKILL right after one of their system calls that change files, again and again in one run.
///
/// A library that is preloaded into them counts the calls, so a kill reaches each window of a grant, however short: between
/// a file and its commit, within a commit, within a start, and also the first start. `WRISTWIRE_KILLED_RUNS=100` tries more
/// than every test run.
@Suite(.serialized) struct KilledAtCallTests {
  /// How many runs of each scenario and node.
  private static let runs = UInt64(ProcessInfo.processInfo.environment["WRISTWIRE_KILLED_RUNS"] ?? "") ?? 1

  /// One run's kills.
  private struct Plan {
    /// The node that is killed.
    var role: NodeRole
    /// A call with a kill after it, and how many calls later the next one is.
    var call = (first: UInt64.max / 2, stride: UInt64(1))
    /// A change of a name with a kill, how many changes later the next one is, and how many calls after it the kill is.
    var name = (first: UInt64.max / 2, stride: UInt64(1), delay: UInt64(0))
  }

  private final class Deaths { var times: [VirtualTime] = [] }

  /// A start makes up to this many calls, so that a run gets on between two kills.
  private static let strideMin: UInt64 = 120

  /// Then the run goes on without more, so that it ends.
  private static let killsMax: UInt64 = 150

  /// What a run left.
  private struct Result {
    var outcome: RunOutcome
    var calls: UInt64
    /// How many of the calls changed the name of a file.
    var names: UInt64
    var kills: UInt64
    /// When nodes died.
    var deaths: [VirtualTime]
  }

  private static func run(_ name: String, seed: UInt64, _ plan: Plan) throws -> Result {
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
    let deaths = Deaths()
    options.onEvent = { event, _ in
      if case .nodeKilled(let killed) = event.body, killed.cause == "signal" { deaths.times.append(event.time) }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    let left = try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    return Result(outcome: outcome, calls: left[0], names: left[1], kills: left[2], deaths: deaths.times)
  }

  /// Returns when its nodes died.
  @discardableResult
  private static func expectWhole(
    _ name: String, seed: UInt64, _ plan: Plan, killsMin: UInt64
  ) throws -> [VirtualTime] {
    let result = try run(name, seed: seed, plan)
    let said = "\(name), seed \(seed), \(plan), \(result.kills) kills"
    #expect(result.outcome.nodeFailure == nil, "\(said)")
    #expect(result.outcome.programEnd == nil, "\(said)")
    #expect(result.outcome.violations.map { "\($0.invariant): \($0.detail)" } == [], "\(said)")
    #expect(result.kills >= killsMin, "\(said)")
    return result.deaths
  }

  /// Many kills in one run, wherever they come.
  @Test(arguments: ["trust", "voice-note", "traffic", "two-phones"], [NodeRole.watch, .phone])
  func `there is no call after which a kill loses anything`(name: String, role: NodeRole) throws {
    for number in 0..<Self.runs {
      let random = RandomStream(seed: number, name: "kills.\(name).\(role.text)")
      let stride = Self.strideMin + random.number(below: 80, for: 1)
      let nameStride = 3 + random.number(below: 3, for: 2)
      let plan = Plan(
        role: role, call: (1 + random.number(below: stride, for: 3), stride),
        name: (1 + random.number(below: nameStride, for: 4), nameStride, random.number(below: 6, for: 5)))
      try Self.expectWhole(name, seed: 1_000 + number, plan, killsMin: 5)
    }
  }

  /// One kill a run: after a change of a name, or in the commit that follows.
  @Test(arguments: [NodeRole.watch, .phone])
  func `no file is lost by a kill after the change of a name`(role: NodeRole) throws {
    let names = try Self.run("trust", seed: 1, Plan(role: role)).names
    #expect(names > 5)
    for name in 1...names {
      for number in 0...Self.runs {
        let plan = Plan(role: role, name: (name, 1 << 40, number * 3 % 13))
        try Self.expectWhole("trust", seed: 1, plan, killsMin: 0)
      }
    }
  }

  /// The user's last press of a button goes with the app that it is meant for, and is pressed again.
  @Test func `a run ends although its watch dies of the end`() throws {
    let calls = try Self.run("exact/declined", seed: 1, Plan(role: .watch)).calls
    var hits = 0
    // The last fourteen calls and more close the store.
    for back in stride(from: UInt64(14), to: 40, by: 2) {
      let plan = Plan(role: .watch, call: (calls - back, 1 << 40))
      let kills = try Self.expectWhole("exact/declined", seed: 1, plan, killsMin: 1)
      if kills == [.start + .seconds(180)] { hits += 1 }
    }
    #expect(hits >= 2)
  }
}
