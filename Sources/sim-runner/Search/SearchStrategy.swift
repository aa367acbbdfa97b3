/// How a sweep chooses the faults of its seeds.
enum SearchStrategy: String, CaseIterable, Sendable {
  /// As the scenario's nemesis draws them.
  case random
  /// Half of the seeds draw from a few kinds, channels and directions only.
  case swarm
  /// Half of the seeds change plans of earlier seeds that led somewhere new.
  case guided
}
