import Testing

@testable import Link

@Suite struct `Gilbert-Elliott` {
  private static func chain(_ goodToBad: Double, _ badToGood: Double) -> GilbertElliott {
    GilbertElliott(goodToBad: Probability(goodToBad) ?? .never, badToGood: Probability(badToGood) ?? .never)
  }

  /// The definition: one step per slot, each with its own draw.
  private static func naive(_ chain: GilbertElliott, slots: Int, random: RandomStream) -> [Bool] {
    var states = [false]
    for slot in 1..<slots {
      let draw = random.bits(for: UInt64(slot)) >> 11
      let staysBad = (UInt64(1) << 53) - chain.badToGood.threshold
      states.append(states[slot - 1] ? draw < staysBad : draw < chain.goodToBad.threshold)
    }
    return states
  }

  @Test(arguments: [
    (0.025, 0.70), (0.073, 0.33), (0.5, 0.5), (0.3, 0.8), (0.9, 0.95), (0.01, 0.01), (0, 0), (1, 1), (0, 1), (1, 0),
    (0, 0.5), (0.5, 0), (1, 0.5), (0.5, 1), (0.001, 0), (0, 0.001),
  ])
  func `a slot's state equals that of stepping through all slots before it`(goodToBad: Double, badToGood: Double) {
    let random = RandomStream(seed: 42, name: "chain")
    let chain = Self.chain(goodToBad, badToGood)
    let states = Self.naive(chain, slots: 4_000, random: random)

    var forward = chain
    for slot in 0..<4_000 where forward.isBad(slot: Int64(slot), random: random) != states[slot] {
      Issue.record("forward, slot \(slot)")
      return
    }
    var backward = chain
    for slot in (0..<4_000).reversed() where backward.isBad(slot: Int64(slot), random: random) != states[slot] {
      Issue.record("backward, slot \(slot)")
      return
    }
    var jumping = chain
    for step in 0..<4_000 {
      let slot = step * 1_597 % 4_000
      if jumping.isBad(slot: Int64(slot), random: random) != states[slot] {
        Issue.record("jumping, slot \(slot)")
        return
      }
    }
  }

  @Test func `bad periods have the frequency and length of the parameters`() {
    let random = RandomStream(seed: 7, name: "chain")
    let states = Self.naive(Self.chain(0.073, 0.33), slots: 200_000, random: random)
    var bursts = 0
    for slot in 1..<states.count where states[slot] && !states[slot - 1] { bursts += 1 }
    let bad = states.count { $0 }
    // The stationary share is p / (p + q), a burst lasts 1 / q slots.
    #expect(abs(Double(bad) / 200_000 - 0.073 / 0.403) < 0.005)
    #expect(abs(Double(bad) / Double(bursts) - 1 / 0.33) < 0.05)
  }

  @Test func `a chain that no draw decides is computed in constant time`() {
    let random = RandomStream(seed: 1, name: "chain")
    var still = Self.chain(0, 0)
    var swinging = Self.chain(1, 1)
    let states = [
      still.isBad(slot: .max, random: random), swinging.isBad(slot: .max, random: random),
      swinging.isBad(slot: .max - 1, random: random),
    ]
    #expect(states == [false, true, false])
  }

  @Test func `the first slot is good and begins with the fault`() {
    var chain = Self.chain(1, 0)
    let random = RandomStream(seed: 1, name: "chain")
    #expect(chain.slotNumber(at: .zero) == 0)
    #expect(chain.slotNumber(at: VirtualTime.Span(nanoseconds: 29_999_999)) == 0)
    #expect(chain.slotNumber(at: .milliseconds(30)) == 1)
    #expect(chain.slotNumber(at: .milliseconds(-30)) == 0)
    let states = [chain.isBad(slot: 0, random: random), chain.isBad(slot: 1, random: random)]
    #expect(states == [false, true])
  }
}
