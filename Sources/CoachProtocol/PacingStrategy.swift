/// How a pace is spread over a distance: the coach's plan and the athlete's body have the same idea of it.
package enum PacingStrategy: String, Sendable, CaseIterable {
  case even, negative, positive
  /// Known to the athlete only.
  case custom

  /// What a pace is multiplied by: with `negative` the first half is 2 % slower than the whole and the second 2 % faster,
  /// with `positive` the other way round.
  package func share(inFirstHalf isFirst: Bool) -> Double {
    switch self {
    case .even, .custom: 1
    case .negative: isFirst ? 1.02 : 0.98
    case .positive: isFirst ? 0.98 : 1.02
    }
  }
}
