extension Publishers {
  /// Leaves out what comes before another publisher's first value.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let other: Other

    public init(upstream: Upstream, other: Other) { (self.upstream, self.other) = (upstream, other) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = Gate<Upstream, Other, S>(subscriber)
      subscriber.receive(subscription: inner)
      other.subscribe(Gate.Trigger(gate: inner))
      upstream.subscribe(inner)
    }
  }

  /// Finishes at another publisher's first value.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let other: Other

    public init(upstream: Upstream, other: Other) { (self.upstream, self.other) = (upstream, other) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = PrefixUntilOutputInner<Upstream, Other, S>(subscriber)
      other.subscribe(PrefixUntilOutputInner.Trigger(inner: inner))
      upstream.subscribe(inner)
    }
  }
}

private final class Gate<Upstream: Publisher, Other: Publisher, Downstream: Subscriber>: Subscriber, Subscription,
  Named
where
  Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure, Other.Failure == Upstream.Failure
{
  let name = "DropUntilOutput"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private let downstream: Downstream
  private var standing = Standing.waiting
  private var other: (any Subscription)?
  private var pending = Subscribers.Demand.none
  private var isOpen = false
  private var isOver = false

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    let wanted: Subscribers.Demand? = lock.run {
      guard case .waiting = standing, !isOver else { return nil }
      standing = .subscribed(subscription)
      return pending
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isMine = lock.run {
      precondition(
        standing.isSubscribed || standing.isOver || isOver, "a value came before a subscription")
      return isOpen && !isOver
    }
    return isMine ? turn.run { downstream.receive(input) } : .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let (isMine, ended): (Bool, (any Subscription)?) = lock.run {
      guard !isOver else { return (false, nil) }
      standing = .over
      isOver = true
      defer { other = nil }
      return (true, other)
    }
    guard isMine else { return }
    ended?.cancel()
    turn.run { downstream.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription: (any Subscription)? = lock.run {
      if case .waiting = standing { pending += demand }
      return isOver ? nil : standing.subscription
    }
    subscription?.request(demand)
  }

  func cancel() {
    let (above, ended): ((any Subscription)?, (any Subscription)?) = lock.run {
      isOver = true
      defer { other = nil }
      return (standing.end(), other)
    }
    above?.cancel()
    ended?.cancel()
  }

  /// What the other publisher sees.
  struct Trigger: Subscriber, Subscription, Named {
    let gate: Gate
    var name: String { gate.name }
    var combineIdentifier: CombineIdentifier { gate.combineIdentifier }

    func receive(subscription: any Subscription) {
      let isFirst = gate.lock.run {
        guard gate.other == nil, !gate.isOver else { return false }
        gate.other = subscription
        return true
      }
      isFirst ? subscription.request(.max(1)) : subscription.cancel()
    }

    func receive(_ input: Other.Output) -> Subscribers.Demand {
      gate.lock.run { (gate.isOpen, gate.other) = (true, nil) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Other.Failure>) {
      let (isMine, above): (Bool, (any Subscription)?) = gate.lock.run {
        guard !gate.isOpen, !gate.isOver else { return (false, nil) }
        gate.isOver = true
        gate.other = nil
        return (true, gate.standing.end())
      }
      above?.cancel()
      if isMine { gate.turn.run { gate.downstream.receive(completion: completion) } }
    }

    func request(_ demand: Subscribers.Demand) { gate.request(demand) }
    func cancel() { gate.cancel() }
  }
}

private final class PrefixUntilOutputInner<Upstream: Publisher, Other: Publisher, Downstream: Subscriber>:
  Subscriber, Subscription
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  private let lock = Lock()
  private let downstream: Downstream
  private var standing = Standing.waiting
  private var other = Standing.waiting

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = standing else { return false }
      standing = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    lock.run { standing.isSubscribed } ? downstream.receive(input) : .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let (isMine, ended): (Bool, (any Subscription)?) = lock.run {
      guard standing.isSubscribed else { return (false, nil) }
      standing = .over
      return (true, other.end())
    }
    ended?.cancel()
    if isMine { downstream.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) { lock.run { standing.subscription }?.request(demand) }

  func cancel() {
    let (above, ended) = lock.run { (standing.end(), other.end()) }
    above?.cancel()
    ended?.cancel()
  }

  /// What the other publisher sees.
  struct Trigger: Subscriber {
    let inner: PrefixUntilOutputInner
    var combineIdentifier: CombineIdentifier { inner.combineIdentifier }

    func receive(subscription: any Subscription) {
      let isFirst = inner.lock.run {
        guard case .waiting = inner.other else { return false }
        inner.other = .subscribed(subscription)
        return true
      }
      isFirst ? subscription.request(.max(1)) : subscription.cancel()
    }

    func receive(_ input: Other.Output) -> Subscribers.Demand {
      let (isMine, above): (Bool, (any Subscription)?) = inner.lock.run {
        guard inner.other.isSubscribed else { return (false, nil) }
        inner.other = .over
        guard !inner.standing.isOver else { return (false, nil) }
        return (true, inner.standing.end())
      }
      above?.cancel()
      // Even before there is a subscription: the other may have a value at once.
      if isMine { inner.downstream.receive(completion: .finished) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Other.Failure>) { inner.lock.run { inner.other = .over } }
  }
}

extension Publisher {
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }

  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
