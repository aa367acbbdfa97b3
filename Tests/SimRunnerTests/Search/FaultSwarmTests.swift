import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator

/// The subsets of `--strategy swarm`.
@Suite struct FaultSwarmTests {
  private static let nemesis = Nemesis()

  @Test func `half of the seeds draw from a few kinds, the others from all`() throws {
    let swarms = (UInt64(0)..<1_000).map { FaultSwarm(seed: $0, of: Self.nemesis) }
    let narrow = swarms.compactMap { $0 }
    #expect((400...600).contains(narrow.count))
    #expect(Set(narrow.map(\.kinds.count)) == Set(1...FaultSwarm.kindsMax))
    #expect(Set(narrow.flatMap(\.kinds)) == Set(Self.nemesis.kinds))
    #expect(narrow.contains { $0.channels == nil } && narrow.contains { $0.channels?.count == 1 })
    #expect(narrow.allSatisfy { $0.channels?.isEmpty != true })
    #expect(Set(narrow.map { $0.direction?.text ?? "" }).count == 3)
  }

  @Test func `a seed's faults are of its subset only`() {
    let end = VirtualTime.start + .seconds(3_600)
    var limited = 0
    for seed in UInt64(0)..<300 {
      guard let swarm = FaultSwarm(seed: seed, of: Self.nemesis) else { continue }
      let faults = swarm.narrowing(Self.nemesis).faults(seed: seed, before: end)
      #expect(!faults.isEmpty)
      #expect(Set(faults.map(\.kind)).isSubset(of: Set(swarm.kinds)))
      for fault in faults {
        if case .frame(let body) = fault.body, type(of: body).isSelective {
          if let direction = swarm.direction { #expect(fault.direction == direction) }
          guard let channels = swarm.channels, type(of: body).hasChannels else { continue }
          #expect(Set(fault.channels ?? []).isSubset(of: Set(channels)) && fault.channels?.isEmpty == false)
          limited += 1
        }
      }
    }
    #expect(limited > 100)
  }

  @Test func `the other seeds are those of a random sweep`() throws {
    let text = "{ scenario: \"s\", duration: \"10m\", nemesis: { meanInterval: \"20s\" } }"
    let scenario = Scenario.read(Array(text.utf8), file: "s", folder: ".").0
    let nemesis = try #require(scenario.nemesis)
    var same = 0
    for seed in UInt64(0)..<60 {
      let random = try SeedPlanner(scenario, .random).settled(seed).faults.map(\.json)
      let swarm = try SeedPlanner(scenario, .swarm).settled(seed).faults.map(\.json)
      let isWhole = FaultSwarm(seed: seed, of: nemesis) == nil
      #expect((random == swarm) == isWhole, "seed \(seed)")
      if isWhole { same += 1 }
    }
    #expect(same > 10 && same < 50)
  }
}
