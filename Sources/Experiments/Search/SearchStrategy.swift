/// How a sweep chooses the faults of its seeds.
package enum SearchStrategy: String, CaseIterable, Sendable {
  /// As the scenario's nemesis draws them.
  case random
  /// Each block of seeds cuts the supports of what came about in its first run.
  case lineage

  /// The number of seeds that share what was learned; nil if seeds do not depend on each other.
  var block: UInt64? {
    switch self {
    case .random: nil
    case .lineage: LineageSearch.block
    }
  }
}
