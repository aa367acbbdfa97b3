extension Publishers {
  /// Publishes all of one publisher, then all of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    public typealias Output = Prefix.Output
    public typealias Failure = Prefix.Failure
    public let prefix: Prefix
    public let suffix: Suffix

    public init(prefix: Prefix, suffix: Suffix) { (self.prefix, self.suffix) = (prefix, suffix) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let whole = Concatenation<Suffix, S>(suffix, to: subscriber)
      prefix.subscribe(Concatenation.Part(whole: whole, isSecond: false))
    }
  }
}

private final class Concatenation<Suffix: Publisher, Downstream: Subscriber>: Subscription, Named
where Downstream.Input == Suffix.Output, Downstream.Failure == Suffix.Failure {
  let name = "Concatenate"
  private let lock = Lock()
  private let downstream: Downstream
  private var suffix: Suffix?
  private var isSecond = false
  private var standing = Standing.waiting
  private var demand = Subscribers.Demand.none

  init(_ suffix: Suffix, to downstream: Downstream) { (self.suffix, self.downstream) = (suffix, downstream) }

  /// What one of the two publishers sees.
  struct Part: Subscriber, Subscription, Named {
    let whole: Concatenation
    let isSecond: Bool
    var name: String { whole.name }
    var combineIdentifier: CombineIdentifier { whole.combineIdentifier }
    func receive(subscription: any Subscription) { whole.receive(subscription, isSecond: isSecond) }
    func receive(_ input: Suffix.Output) -> Subscribers.Demand { whole.receive(input, isSecond: isSecond) }
    func receive(completion: Subscribers.Completion<Suffix.Failure>) {
      whole.receive(completion, isSecond: isSecond)
    }
    func request(_ demand: Subscribers.Demand) { whole.request(demand) }
    func cancel() { whole.cancel() }
  }

  private func receive(_ subscription: any Subscription, isSecond: Bool) {
    let wanted: Subscribers.Demand? = lock.run {
      guard case .waiting = standing, isSecond == self.isSecond else { return nil }
      standing = .subscribed(subscription)
      return demand
    }
    guard let wanted else { return subscription.cancel() }
    if !isSecond { return downstream.receive(subscription: self) }
    if wanted > .none { subscription.request(wanted) }
  }

  private func receive(_ input: Suffix.Output, isSecond: Bool) -> Subscribers.Demand {
    let isMine = lock.run {
      guard standing.isSubscribed, isSecond == self.isSecond, demand > .none else { return false }
      demand -= 1
      return true
    }
    guard isMine else { return .none }
    let further = downstream.receive(input)
    lock.run { demand += further }
    return further
  }

  private func receive(_ completion: Subscribers.Completion<Suffix.Failure>, isSecond: Bool) {
    let isMine = lock.run {
      guard standing.isSubscribed, isSecond == self.isSecond else { return false }
      standing = .over
      return true
    }
    guard isMine else { return }
    guard case .finished = completion, !isSecond else {
      lock.run { suffix = nil }
      return downstream.receive(completion: completion)
    }
    let next = lock.run {
      standing = .waiting
      self.isSecond = true
      defer { suffix = nil }
      return suffix
    }
    next?.subscribe(Part(whole: self, isSecond: true))
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription: (any Subscription)? = lock.run {
      if standing.isOver { return nil }
      self.demand += demand
      return standing.subscription
    }
    subscription?.request(demand)
  }

  func cancel() {
    let (subscription, released): ((any Subscription)?, Suffix?) = lock.run {
      defer { suffix = nil }
      return (standing.end(), suffix)
    }
    subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}

extension Publisher {
  public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  public func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
    append(Publishers.Sequence(sequence: elements))
  }

  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  public func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
    prepend(Publishers.Sequence(sequence: elements))
  }

  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}
