import Simulator
import Console
import Link

/// The kinds and channels that a seed of `--strategy swarm` draws faults from (Groce et al., "Swarm Testing", ISSTA 2012).
///
/// A nemesis with `swarm` draws about half of the kinds. This one draws few, so that what they need to build up is not
/// disturbed by the rest: a stuck alarm needs two faults one after the other, and no kill between them.
struct FaultSwarm: Equatable, Sendable {
  /// The names of the kinds; at least one, in the order of the nemesis.
  var kinds: [String]
  /// The channels that faults with channels affect; nil for all.
  var channels: [Channel]?
  /// The direction that faults with a direction affect; nil for both.
  var direction: Direction?

  /// No seed draws from more kinds.
  static let kindsMax = 6

  /// The subset of a seed; nil for a seed that draws from all, as without a strategy.
  ///
  /// It depends on the seed and the nemesis's kinds only, in a stream of its own: the faults' own draws stay as they are.
  init?(seed: UInt64, of nemesis: Nemesis) {
    let random = RandomStream(seed: seed, name: "swarm")
    guard random.number(below: 2, for: 0) == 0 else { return nil }
    let names = nemesis.kinds
    let count = 1 + Int(random.number(below: UInt64(min(Self.kindsMax, names.count)), for: 1))
    let choice = RandomStream(seed: seed, name: "swarm.kind.")
    let ranks = names.map { choice.appending($0).bits(for: 0) }
    let chosen = names.indices.sorted { ranks[$0] < ranks[$1] }.prefix(count).sorted()
    kinds = chosen.map { names[$0] }
    // Half of them limit the channels, to any set but none and all.
    if random.number(below: 2, for: 2) == 0 {
      let all = UInt64(1) << UInt64(Channel.ofLink.count)
      let mask = random.number(below: all - 2, for: 3) + 1
      channels = Channel.ofLink.enumerated().filter { mask >> UInt64($0.offset) & 1 == 1 }.map(\.element)
    }
    let side = random.number(below: 4, for: 4)
    if side < 2 { direction = Direction.ofLink[Int(side)] }
  }

  /// The nemesis that draws from this subset.
  func narrowing(_ nemesis: Nemesis) -> Nemesis {
    var nemesis = nemesis
    nemesis.kinds = kinds
    nemesis.isSwarming = false
    nemesis.channels = channels
    nemesis.direction = direction
    return nemesis
  }
}

/// How many seeds of a sweep had which kinds and channels in their subset, and how many of those failed.
struct SwarmTally: Equatable {
  /// Seeds, and those that failed.
  struct Count: Equatable {
    var seeds = 0
    var failed = 0

    mutating func add(_ hasFailed: Bool) {
      seeds += 1
      if hasFailed { failed += 1 }
    }
  }

  /// Seeds that drew from all kinds and channels.
  private(set) var whole = Count()
  /// Seeds with a subset.
  private(set) var narrow = Count()
  /// Seeds with a subset that has the kind, by its index in ``FaultCoverage/kinds``.
  private(set) var kinds = FaultCoverage.kinds.map { _ in Count() }
  /// Seeds with a subset that has the channel, in the order of ``Channel/ofLink``.
  private(set) var channels = Channel.ofLink.map { _ in Count() }
  /// Seeds with a subset that has the direction, in the order of ``Direction/ofLink``.
  private(set) var directions = Direction.ofLink.map { _ in Count() }

  /// Adds a seed.
  ///
  /// - Parameter swarm: Its subset; nil for none.
  mutating func add(_ swarm: FaultSwarm?, hasFailed: Bool) {
    guard let swarm else { return whole.add(hasFailed) }
    narrow.add(hasFailed)
    for (index, name) in FaultCoverage.kinds.enumerated() where swarm.kinds.contains(name) {
      kinds[index].add(hasFailed)
    }
    for (index, channel) in Channel.ofLink.enumerated() where swarm.channels?.contains(channel) ?? true {
      channels[index].add(hasFailed)
    }
    for (index, direction) in Direction.ofLink.enumerated() where (swarm.direction ?? direction) == direction {
      directions[index].add(hasFailed)
    }
  }

  /// What is counted, with its counts; subsets that no seed had are left out.
  var rows: [(name: String, count: Count)] {
    var rows = [("every kind and channel", whole), ("a subset", narrow)]
    rows += zip(FaultCoverage.kinds, kinds).map { ("subset with \($0)", $1) }
    rows += zip(Channel.ofLink, channels).map { ("subset with the channel \($0.text)", $1) }
    rows += zip(Direction.ofLink, directions).map { ("subset with \($0.text)", $1) }
    return rows.filter { $0.1.seeds > 0 }.map { (name: $0.0, count: $0.1) }
  }

  /// The rows as a table.
  var table: String {
    let rows = [["", "seeds", "failed"]] + rows.map { [$0.name, String($0.count.seeds), String($0.count.failed)] }
    return PlainText.columns(rows, indent: 2).joined(separator: "\n")
  }
}
