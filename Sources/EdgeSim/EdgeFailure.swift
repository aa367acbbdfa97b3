package import CoachProtocol
package import Link

/// A period in which the edge fails in one way.
package struct EdgeFailure: Sendable, Equatable {
  /// The effect on a request.
  package enum Effect: Sendable, Equatable {
    /// Answered with status 500: the proxy itself failed.
    case error500
    /// Answered with status 502: the service behind the proxy failed.
    case error502
    /// Never answered.
    case timeout
    /// Answered with invalid JSON.
    case malformed
    /// Answered with a script that every phone refuses.
    case badScript
    /// Answered this much later.
    case late(by: VirtualTime.Span)

    /// The scenario's `do`.
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

    /// All values of `do`, in the order of the reference page.
    package static let words = ["error500", "error502", "timeout", "malformed", "badScript", "late"]
  }

  /// The failing call; nil for all.
  package var call: EdgeCall?
  /// Earlier requests are unaffected.
  package var begin: VirtualTime
  /// Requests from then on are unaffected; nil for never.
  package var end: VirtualTime?
  /// How many requests fail; nil for all of that period.
  package var times: Int?
  package var effect: Effect

  package init(
    call: EdgeCall? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, times: Int? = nil, _ effect: Effect
  ) {
    self.call = call
    self.begin = begin
    self.end = end
    self.times = times
    self.effect = effect
  }

  /// Whether it applies to a request at this instant, apart from `times`.
  func concerns(_ call: EdgeCall?, at now: VirtualTime) -> Bool {
    guard begin <= now, end.map({ now < $0 }) ?? true else { return false }
    if effect == .badScript { return call == .generateScript }
    return self.call == nil || self.call == call
  }
}
