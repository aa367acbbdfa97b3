extension Publishers {
  /// Publishes what the publishers that a closure makes of the values publish, all at once or so many at a time.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let maxPublishers: Subscribers.Demand
    public let transform: (Upstream.Output) -> NewPublisher

    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      (self.upstream, self.maxPublishers, self.transform) = (upstream, maxPublishers, transform)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let flattening = Flattening<Upstream, NewPublisher, S>(self, to: subscriber)
      subscriber.receive(subscription: flattening)
      upstream.subscribe(flattening)
    }
  }

  /// Publishes what the latest of the publishers that a publisher gives publishes.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == NewPublisher, Upstream.Failure == NewPublisher.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = NewPublisher.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let switching = Switching<Upstream, S>(subscriber)
      subscriber.receive(subscription: switching)
      upstream.subscribe(switching)
    }
  }
}

private final class Flattening<Upstream: Publisher, Child: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription, Named
where Downstream.Input == Child.Output, Downstream.Failure == Upstream.Failure, Child.Failure == Upstream.Failure {
  let name = "FlatMap"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private let downstream: Downstream
  private let maxPublishers: Subscribers.Demand
  private let transform: (Upstream.Output) -> Child
  private var standing = Standing.waiting
  private var isOver = false
  private var demand = Subscribers.Demand.none
  private var buffer: [(child: Int, value: Child.Output)] = []
  private var children: [Int: any Subscription] = [:]
  private var pending = 0
  private var nextChild = 0
  private var isDraining = false

  init(_ flatMap: Publishers.FlatMap<Child, Upstream>, to downstream: Downstream) {
    (self.downstream, maxPublishers, transform) = (downstream, flatMap.maxPublishers, flatMap.transform)
  }

  // MARK: The publisher of values

  func receive(subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = standing, !isOver else { return false }
      standing = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    subscription.request(maxPublishers)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isMine = lock.run { standing.isSubscribed && !isOver }
    guard isMine else { return .none }
    let child = transform(input)
    let number = lock.run {
      defer { nextChild += 1 }
      pending += 1
      return nextChild
    }
    child.subscribe(ChildSubscriber(whole: self, number: number))
    return .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    lock.run { standing = .over }
    switch completion {
    case .finished: finishIfDone()
    case .failure: fail(completion)
    }
  }

  private func finishIfDone() {
    let isDone = lock.run {
      guard standing.isOver, !isOver, children.isEmpty, pending == 0, buffer.isEmpty else { return false }
      isOver = true
      return true
    }
    if isDone { turn.run { downstream.receive(completion: .finished) } }
  }

  private func fail(_ completion: Subscribers.Completion<Upstream.Failure>) {
    let (isMine, ended): (Bool, [any Subscription]) = lock.run {
      guard !isOver else { return (false, []) }
      isOver = true
      defer { (children, buffer) = ([:], []) }
      return (true, children.sorted { $0.key < $1.key }.map(\.value))
    }
    for subscription in ended { subscription.cancel() }
    if isMine { turn.run { downstream.receive(completion: completion) } }
  }

  // MARK: A publisher made of a value

  private struct ChildSubscriber: Subscriber, Named {
    var name: String { whole.name }
    let whole: Flattening
    let number: Int
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) { whole.receive(subscription, of: number) }
    func receive(_ input: Child.Output) -> Subscribers.Demand { whole.receive(input, of: number) }
    func receive(completion: Subscribers.Completion<Child.Failure>) { whole.receive(completion, of: number) }
  }

  private func receive(_ subscription: any Subscription, of child: Int) {
    let wanted: Subscribers.Demand? = lock.run {
      guard !isOver, children[child] == nil else { return nil }
      children[child] = subscription
      pending -= 1
      return demand == .unlimited ? .unlimited : .max(1)
    }
    guard let wanted else { return subscription.cancel() }
    subscription.request(wanted)
  }

  private func receive(_ input: Child.Output, of child: Int) -> Subscribers.Demand {
    let isDelivered = lock.run {
      guard !isOver else { return false }
      guard demand > .none, buffer.isEmpty || demand == .unlimited else {
        buffer.append((child, input))
        return false
      }
      demand -= 1
      return true
    }
    guard isDelivered else { return .none }
    let further = turn.run { downstream.receive(input) }
    return lock.run {
      let was = demand
      demand += further
      return was == .unlimited ? .none : .max(1)
    }
  }

  private func receive(_ completion: Subscribers.Completion<Child.Failure>, of child: Int) {
    if case .failure = completion {
      lock.run { children[child] = nil }
      return fail(completion)
    }
    let (above, isDone): ((any Subscription)?, Bool) = lock.run {
      if children.removeValue(forKey: child) == nil, pending > 0 { pending -= 1 }
      return (maxPublishers == .unlimited ? nil : standing.subscription, standing.isOver)
    }
    if isDone { return finishIfDone() }
    above?.request(.max(1))
  }

  // MARK: The subscriber

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let (isMine, unlimited): (Bool, [any Subscription]) = lock.run {
      guard !isOver else { return (false, []) }
      let becomesUnlimited = demand == .unlimited && self.demand != .unlimited
      self.demand += demand
      defer { isDraining = true }
      return (!isDraining, becomesUnlimited ? children.sorted { $0.key < $1.key }.map(\.value) : [])
    }
    if isMine { drain() }
    for child in unlimited { child.request(.unlimited) }
    finishIfDone()
  }

  private func drain() {
    while true {
      let next: (value: Child.Output, child: (any Subscription)?)? = lock.run {
        guard !isOver, demand > .none, !buffer.isEmpty else {
          isDraining = false
          return nil
        }
        let first = buffer.removeFirst()
        demand -= 1
        return (first.value, demand == .unlimited ? nil : children[first.child])
      }
      guard let next else { return }
      let further = turn.run { downstream.receive(next.value) }
      lock.run { demand += further }
      next.child?.request(.max(1))
    }
  }

  func cancel() {
    let ended: [any Subscription] = lock.run {
      guard !isOver else { return [] }
      isOver = true
      defer { (children, buffer) = ([:], []) }
      let above = standing.end()
      return children.sorted { $0.key < $1.key }.map(\.value) + (above.map { [$0] } ?? [])
    }
    for subscription in ended { subscription.cancel() }
  }
}

private final class Switching<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription, Named
where
  Upstream.Output: Publisher, Downstream.Input == Upstream.Output.Output, Downstream.Failure == Upstream.Failure,
  Upstream.Output.Failure == Upstream.Failure
{
  let name = "SwitchToLatest"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private let downstream: Downstream
  private var standing = Standing.waiting
  private var isOver = false
  private var demand = Subscribers.Demand.none
  private var latest = 0
  private var child: (any Subscription)?
  /// Whether the latest publisher has not ended.
  private var hasChild = false

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = standing, !isOver else { return false }
      standing = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    subscription.request(.unlimited)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let (number, previous): (Int?, (any Subscription)?) = lock.run {
      guard standing.isSubscribed, !isOver else { return (nil, nil) }
      latest += 1
      hasChild = true
      defer { child = nil }
      return (latest, child)
    }
    previous?.cancel()
    if let number { input.subscribe(ChildSubscriber(whole: self, number: number)) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let (isMine, ended): (Bool, (any Subscription)?) = lock.run {
      standing = .over
      if case .finished = completion, hasChild { return (false, nil) }
      defer { (isOver, child) = (true, nil) }
      return (!isOver, child)
    }
    ended?.cancel()
    if isMine { turn.run { downstream.receive(completion: completion) } }
  }

  private struct ChildSubscriber: Subscriber, Named {
    var name: String { whole.name }
    let whole: Switching
    let number: Int
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) { whole.receive(subscription, of: number) }
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { whole.receive(input, of: number) }
    func receive(completion: Subscribers.Completion<Downstream.Failure>) { whole.receive(completion, of: number) }
  }

  private func receive(_ subscription: any Subscription, of number: Int) {
    let wanted: Subscribers.Demand? = lock.run {
      guard !isOver, number == latest, child == nil else { return nil }
      child = subscription
      return demand
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  private func receive(_ input: Downstream.Input, of number: Int) -> Subscribers.Demand {
    let isMine = lock.run {
      guard !isOver, number == latest else { return false }
      precondition(demand > .none, "a value came that was not asked for")
      demand -= 1
      return true
    }
    guard isMine else { return .none }
    let further = turn.run { downstream.receive(input) }
    lock.run { demand += further }
    return further
  }

  private func receive(_ completion: Subscribers.Completion<Downstream.Failure>, of number: Int) {
    let (isMine, above): (Bool, (any Subscription)?) = lock.run {
      guard !isOver, number == latest else { return (false, nil) }
      (child, hasChild) = (nil, false)
      if case .failure = completion {
        isOver = true
        return (true, standing.end())
      }
      isOver = standing.isOver
      return (isOver, nil)
    }
    above?.cancel()
    if isMine { turn.run { downstream.receive(completion: completion) } }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let current: (any Subscription)? = lock.run {
      self.demand += demand
      return child
    }
    current?.request(demand)
  }

  func cancel() {
    let ended: [(any Subscription)?] = lock.run {
      isOver = true
      defer { child = nil }
      return [child, standing.end()]
    }
    for subscription in ended { subscription?.cancel() }
  }
}

extension Publisher {
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>> {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}
