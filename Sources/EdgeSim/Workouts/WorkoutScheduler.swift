import Link

/// Decides when the server fetches workouts, and from which day on.
///
/// Only the store says what was fetched: the newest stored day is fetched again, since it may have another workout by then,
/// and a store without workouts gets all of them. So a wiped server is filled like a new one.
struct WorkoutScheduler: Sendable {
  /// The result of a fetch.
  enum Outcome: Sendable {
    case fetched(since: String?, [ServiceWorkout])
    case failed(String, retryAt: VirtualTime)
  }

  private static let timeout = VirtualTime.Span.seconds(30)
  private static let retryFirst: Int64 = 60_000_000_000
  /// Doublings of the retry's delay: at most 32 minutes.
  private static let doublingsMax = 5

  private let setup: WorkoutSetup
  private let service: WorkoutService
  private var fetchAt: VirtualTime
  private var pending: (since: String?, answerAt: VirtualTime, failure: ServiceFailure?)?
  private var failures = 0
  /// The newest day that was ever fetched; only by a planted bug.
  private(set) var newestFetched: String?

  init(_ setup: WorkoutSetup, seed: UInt64, startedAt: Int64, at now: VirtualTime, newestFetched: String? = nil) {
    self.setup = setup
    service = WorkoutService(seed: seed, startedAt: startedAt, historyDays: setup.historyDays)
    fetchAt = now
    self.newestFetched = newestFetched
  }

  var nextDeadline: VirtualTime { pending?.answerAt ?? fetchAt }

  /// Sends a request or receives an answer; nil if neither was due or the answer is still missing.
  ///
  /// - Parameters:
  ///   - newest: The newest day with workouts in the store; nil without any.
  ///   - remembers: Planted: the newest day that was ever fetched counts, whatever the store holds.
  mutating func fire(newest: String?, remembers: Bool, at now: VirtualTime) -> Outcome? {
    guard let (since, answerAt, failure) = pending else {
      guard fetchAt <= now else { return nil }
      let failure = setup.failure(at: now)
      var wait = setup.latency
      if failure?.effect == .late { wait = wait + (failure?.lateness ?? .zero) }
      if failure?.effect == .unavailable { wait = Self.timeout }
      pending = (remembers ? newestFetched ?? newest : newest, now + wait, failure)
      return nil
    }
    guard answerAt <= now else { return nil }
    pending = nil
    switch failure?.effect {
    case .unavailable: return fail("no answer within 30 s", at: now)
    case .error500: return fail("status 500", at: now)
    case .rateLimited: return fail("status 429", at: now)
    case .malformed: return fail("the answer is not JSON", at: now)
    case .twice, .late, nil: break
    }
    failures = 0
    fetchAt = now + setup.every
    var workouts = service.workouts(since: since, at: now)
    if failure?.effect == .twice { workouts += workouts }
    newestFetched = max(newestFetched ?? "", workouts.last?.date ?? "")
    return .fetched(since: since, workouts)
  }

  private mutating func fail(_ why: String, at now: VirtualTime) -> Outcome {
    let delay = VirtualTime.Span(nanoseconds: Self.retryFirst << Int64(min(failures, Self.doublingsMax)))
    failures += 1
    fetchAt = now + min(delay, setup.every)
    return .failed(why, retryAt: fetchAt)
  }
}
