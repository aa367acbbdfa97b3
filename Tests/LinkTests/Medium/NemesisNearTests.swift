import Testing

@testable import Link

/// Faults that are drawn near what users do.
@Suite struct `faults near moments` {
  private static let end = VirtualTime(nanoseconds: 600_000_000_000)
  private static let nemesis = Nemesis(meanInterval: .seconds(10), meanDuration: .seconds(8), isSwarming: false)
  private static let moments = [60, 75, 300, 560].map { VirtualTime.start + .seconds($0) }

  private func plan(_ seed: UInt64, _ moments: [VirtualTime] = Self.moments) -> [PlannedFault] {
    Self.nemesis.faults(near: moments, seed: seed, before: Self.end)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `each is near one of them, and over in time`(_ seed: UInt64) {
    let faults = plan(seed)
    #expect(!faults.isEmpty && faults.count <= 8)
    for fault in faults {
      #expect(fault.id.hasPrefix(Nemesis.nearPrefix))
      #expect(fault.begin >= .start && (fault.end ?? fault.begin) <= Self.end)
      // Six mean lengths, and the margin.
      #expect(Self.moments.contains { fault.begin <= $0 + .seconds(1) && $0 <= fault.begin + .seconds(48) })
    }
    #expect(Set(faults.map(\.id)).count == faults.count)
  }

  @Test func `some cover two of them`() {
    let both = (0..<50 as Range<UInt64>).flatMap { plan($0) }.filter {
      $0.begin <= Self.moments[0] && ($0.end ?? .start) >= Self.moments[1]
    }
    #expect(both.count > 10)
  }

  @Test func `they depend on the seed, and leave the others as they are`() {
    #expect(plan(3).map(\.json) == plan(3, Self.moments.reversed()).map(\.json))
    #expect(plan(3).map(\.json) != plan(4).map(\.json))
    #expect(plan(3, []).isEmpty)
    #expect(plan(3, [Self.end]).isEmpty)
  }
}
