package import CoachProtocol
package import Link

/// A way in which the edge fails for a while.
package struct EdgeFailure: Sendable, Equatable {
  /// What becomes of a request.
  package enum Effect: Sendable, Equatable {
    /// Answered with status 500: the proxy itself failed.
    case error500
    /// Answered with status 502: what stands behind the proxy failed.
    case error502
    /// Never answered.
    case timeout
    /// Answered with a text that is no JSON.
    case malformed
    /// Answered with a script that no phone may take.
    case badScript
    /// Answered so much later than usual.
    case late(by: VirtualTime.Span)

    /// The word of a scenario's `do`.
    package var word: String {
      switch self {
      case .error500: "error500"
      case .error502: "error502"
      case .timeout: "timeout"
      case .malformed: "malformed"
      case .badScript: "badScript"
      case .late: "late"
      }
    }

    /// Every word, in the order of the reference page.
    package static let words = ["error500", "error502", "timeout", "malformed", "badScript", "late"]
  }

  /// Which call fails; nil for all.
  package var call: EdgeCall?
  /// Requests that come earlier are met as usual.
  package var begin: VirtualTime
  /// Requests that come then or later are met as usual; nil for never.
  package var end: VirtualTime?
  /// How many requests fail; nil for all of that time.
  package var times: Int?
  /// What becomes of them.
  package var effect: Effect

  /// Creates a failure.
  package init(
    call: EdgeCall? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, times: Int? = nil, _ effect: Effect
  ) {
    self.call = call
    self.begin = begin
    self.end = end
    self.times = times
    self.effect = effect
  }

  /// Whether a request that comes now is concerned, as far as `times` does not say otherwise.
  func concerns(_ call: EdgeCall?, at now: VirtualTime) -> Bool {
    guard begin <= now, end.map({ now < $0 }) ?? true else { return false }
    if effect == .badScript { return call == .generateScript }
    return self.call == nil || self.call == call
  }
}
