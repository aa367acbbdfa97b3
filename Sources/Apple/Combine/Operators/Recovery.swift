extension Publishers {
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never
    public let upstream: Upstream
    public let output: Output

    public init(upstream: Upstream, output: Output) { (self.upstream, self.output) = (upstream, output) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.subscribe(ErrorReplacement<Upstream, S>(subscriber, output: output))
    }
  }

  public struct Retry<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    /// nil for no limit.
    public let retries: Int?

    public init(upstream: Upstream, retries: Int?) { (self.upstream, self.retries) = (upstream, retries) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Retrying(self, to: subscriber))
    }
  }

  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let output: Output

    public init(upstream: Upstream, output: Output) { (self.upstream, self.output) = (upstream, output) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(EmptyReplacement<Upstream, S>(subscriber, output: output))
    }
  }
}

/// Gives a value in place of a failure, once it is asked for.
private final class ErrorReplacement<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
  let name = "ReplaceError"
  private let output: Upstream.Output
  private var demand = Subscribers.Demand.none
  private var hasFailed = false

  init(_ downstream: Downstream, output: Upstream.Output) {
    self.output = output
    super.init(downstream)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isMine = lock.run {
      guard standing.isSubscribed else { return false }
      demand -= 1
      return true
    }
    guard isMine else { return .none }
    let further = downstream.receive(input)
    lock.run { demand += further }
    return further
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    guard finish() else { return }
    guard case .failure = completion else { return downstream.receive(completion: .finished) }
    let isWanted = lock.run {
      hasFailed = demand == .none
      return !hasFailed
    }
    if isWanted { replace() }
  }

  private func replace() {
    _ = downstream.receive(output)
    downstream.receive(completion: .finished)
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let isDue = lock.run {
      defer { hasFailed = false }
      self.demand += demand
      return hasFailed
    }
    if isDue { return replace() }
    super.request(demand)
  }

  override func cancel() {
    lock.run { hasFailed = false }
    super.cancel()
  }
}

/// Gives a value if a publisher finishes without one.
private final class EmptyReplacement<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "ReplaceEmpty"
  private let output: Upstream.Output
  private var hadValue = false
  private var isWanted = false
  private var isDue = false

  init(_ downstream: Downstream, output: Upstream.Output) {
    self.output = output
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isMine = lock.run {
      hadValue = hadValue || standing.isSubscribed
      return standing.isSubscribed
    }
    return isMine ? downstream.receive(input) : .none
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    guard finish() else { return }
    if case .finished = completion, !lock.run({ hadValue }) {
      let isReady = lock.run {
        isDue = !isWanted
        return isWanted
      }
      if isReady { replace() }
    } else {
      downstream.receive(completion: completion)
    }
  }

  private func replace() {
    _ = downstream.receive(output)
    downstream.receive(completion: .finished)
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let isReady = lock.run {
      defer { (isWanted, isDue) = (true, false) }
      return isDue
    }
    isReady ? replace() : super.request(demand)
  }

  override func cancel() {
    lock.run { isDue = false }
    super.cancel()
  }
}

/// Subscribes again after a failure.
private final class Retrying<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Retry"
  private let lock = Lock()
  private var retry: Publishers.Retry<Upstream>?
  private var downstream: Downstream?
  private var remaining: Int
  private var standing = Standing.waiting
  private var demand = Subscribers.Demand.none
  private var isIntroduced = false
  /// Set while subscribing: a failure within it is counted, and tried again afterwards.
  private var isSubscribing = false
  private var isDue = false

  init(_ retry: Publishers.Retry<Upstream>, to downstream: Downstream) {
    (self.retry, self.downstream, remaining) = (retry, downstream, retry.retries ?? -1)
  }

  func receive(subscription: any Subscription) {
    let (receiver, wanted): (Downstream?, Subscribers.Demand?) = lock.run {
      guard case .waiting = standing else { return (nil, nil) }
      standing = .subscribed(subscription)
      defer { isIntroduced = true }
      return (isIntroduced ? nil : downstream, demand)
    }
    guard let wanted else { return subscription.cancel() }
    if let receiver { return receiver.receive(subscription: self) }
    if wanted > .none { subscription.request(wanted) }
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let receiver: Downstream? = lock.run {
      if standing.isOver { return nil }
      precondition(demand > .none, "a value came that was not asked for")
      demand -= 1
      return downstream
    }
    guard let receiver else { return .none }
    let further = receiver.receive(input)
    guard further > .none else { return .none }
    let subscription = lock.run {
      demand += further
      return standing.subscription
    }
    subscription?.request(further)
    return .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    if case .failure = completion, lock.run({ remaining != 0 }) { return again() }
    let receiver: Downstream? = lock.run {
      if standing.isOver { return nil }
      standing = .over
      defer { (downstream, retry) = (nil, nil) }
      return downstream
    }
    receiver?.receive(completion: completion)
  }

  private func again() {
    let isMine = lock.run {
      guard standing.isSubscribed else { return false }
      if remaining > 0 { remaining -= 1 }
      standing = .waiting
      isDue = true
      defer { isSubscribing = true }
      return !isSubscribing
    }
    guard isMine else { return }
    while let publisher = nextTry() { publisher.upstream.subscribe(self) }
  }

  private func nextTry() -> Publishers.Retry<Upstream>? {
    lock.run {
      defer { isDue = false }
      guard isDue, !standing.isOver else {
        isSubscribing = false
        return nil
      }
      return retry
    }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let subscription: (any Subscription)? = lock.run {
      if standing.isOver { return nil }
      self.demand += demand
      return standing.subscription
    }
    subscription?.request(demand)
  }

  func cancel() {
    let (subscription, released): ((any Subscription)?, Any) = lock.run {
      defer { (downstream, retry) = (nil, nil) }
      return (standing.end(), (downstream, retry))
    }
    subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}

extension Publisher {
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }

  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }

  /// Subscribes again after each failure, at most so many times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Output: Equatable {}
extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Output: Equatable {}
extension Publishers.Retry: Equatable where Upstream: Equatable {}
