/// How a sweep chooses the faults of its seeds.
package enum SearchStrategy: String, CaseIterable, Sendable {
  /// As the scenario's nemesis draws them.
  case random
  /// Half of the seeds draw from a few kinds, channels and directions only.
  case swarm
  /// Half of the seeds change plans of earlier seeds that led somewhere new.
  case guided
  /// Each block of seeds cuts the supports of what came about in its first run.
  case lineage

  /// The number of seeds that share what was learned; nil if seeds do not depend on each other.
  var block: UInt64? {
    switch self {
    case .random, .swarm: nil
    case .guided: GuidedCorpus.block
    case .lineage: LineageSearch.block
    }
  }
}
