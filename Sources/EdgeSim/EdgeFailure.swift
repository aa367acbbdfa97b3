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

extension EdgeFailure {
  /// How one of a scenario's `edge.failures` is read, written and described.
  package static let schema = ObjectSchema<Self>(
    "edge.failures[]", "A way in which the edge fails for a while.", Self(.timeout),
    [
      Field("call", \.call, .word, "which call fails", .otherwise("all of them")),
      Field("at", \.begin, .instant, "earlier requests are not affected"),
      Field("for", \.length, .duration(), "for how long", .otherwise("to the end")),
      Field("times", \.times, .integer(1...1_000_000), "or how many requests fail", .otherwise("all in that period")),
    ],
    forms: [
      form(.error500, "is answered with status 500: the proxy itself failed"),
      form(.error502, "is answered with status 502: the service behind the proxy failed"),
      form(.timeout, "is never answered"),
      form(.malformed, "is answered with JSON that is broken"),
      form(.badScript, "of generateScript is answered with a script that every phone refuses"),
      [
        .constant(
          "do", "late", "is answered later", in: { $0.lateness != nil }, choose: { $0.effect = .late(by: .zero) }),
        Field("by", \.lateness, .duration(max: .hours(24)), "how much later the answer comes", .required),
      ],
    ]
  ) { failure, reader in
    if failure.length != nil, failure.times != nil {
      reader.error("for and times exclude one another")
      return false
    }
    if failure.effect == .badScript, let call = failure.call, call != .generateScript {
      reader.error("badScript fails generateScript alone, found \(call.rawValue)")
      return false
    }
    return true
  }

  private static func form(_ effect: Effect, _ about: String) -> [Field<Self>] {
    [.constant("do", effect.word, about, in: { $0.effect == effect }, choose: { $0.effect = effect })]
  }

  private var length: VirtualTime.Span? {
    get { end.map { $0 - begin } }
    set { end = newValue.map { begin + $0 } }
  }

  private var lateness: VirtualTime.Span? {
    get { if case .late(let by) = effect { by } else { nil } }
    set { if let newValue { effect = .late(by: newValue) } }
  }
}
