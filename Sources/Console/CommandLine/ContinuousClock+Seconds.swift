extension ContinuousClock.Instant {
  /// Seconds from this instant to now.
  package var secondsSince: Double {
    let (seconds, attoseconds) = duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
