/// How much is measured, and where.
struct BenchSetting {
  enum Length: String {
    /// Hardly anything: for tests of the benchmark itself.
    case tiny
    /// About 20 s.
    case quick
    /// One to two minutes.
    case full
  }

  var length = Length.full
  /// Whether everything shares one processor; otherwise the scheduler places the processes.
  var isPinned = true
  /// The folder of programs that measure peers; nil to skip them.
  var peers: String?

  init() {}

  /// How often each variant is measured.
  var rounds: Int { pick(tiny: 1, quick: 5, full: isPinned ? 15 : 7) }

  /// Picks a number by length.
  func pick<Number>(tiny: Number, quick: Number, full: Number) -> Number {
    switch length {
    case .tiny: tiny
    case .quick: quick
    case .full: full
    }
  }
}
