extension Publishers {
  /// Leaves out the first values.
  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let count: Int

    public init(upstream: Upstream, count: Int) { (self.upstream, self.count) = (upstream, count) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      precondition(count >= 0, "a number of values to drop must not be negative")
      let inner = Dropping<Upstream, S>(subscriber, count: count)
      subscriber.receive(subscription: inner)
      upstream.subscribe(inner)
    }
  }

  /// Publishes the values whose positions are in a range, and finishes after the last.
  public struct Output<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let range: CountableRange<Int>

    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0 && range.upperBound >= 0, "a position must not be negative")
      (self.upstream, self.range) = (upstream, range)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Positions<Upstream, S>(subscriber, range: range))
    }
  }

  /// Publishes the values in arrays of one size, the last of which may be smaller.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let count: Int

    public init(upstream: Upstream, count: Int) { (self.upstream, self.count) = (upstream, count) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(CountedGroups<Upstream, S>(subscriber, count: count))
    }
  }
}

private final class Dropping<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Drop"
  private var left: Int
  private var pending = Subscribers.Demand.none

  init(_ downstream: Downstream, count: Int) {
    left = count
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    let wanted = lock.run { pending + left }
    if wanted > .none { subscription.request(wanted) }
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isDropped = lock.run {
      defer { left = max(0, left - 1) }
      return left > 0
    }
    return isDropped ? .none : downstream.receive(input)
  }

  // The end is handed on as often as it comes, as Combine does.
  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    lock.run { standing = .over }
    downstream.receive(completion: completion)
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let (subscription, wanted): ((any Subscription)?, Subscribers.Demand) = lock.run {
      guard let subscription = standing.subscription else {
        pending += demand
        return (nil, .none)
      }
      return (subscription, demand)
    }
    subscription?.request(wanted)
  }
}

private final class Positions<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Output"
  private let range: CountableRange<Int>
  private var position = 0

  init(_ downstream: Downstream, range: CountableRange<Int>) {
    self.range = range
    super.init(downstream)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let own = lock.run {
      defer { if position < range.upperBound { position += 1 } }
      return position
    }
    if own < range.lowerBound { return .max(1) }
    guard own < range.upperBound else {
      end()
      return .none
    }
    let further = downstream.receive(input)
    guard own + 1 == range.upperBound else { return further }
    end()
    return further
  }

  private func end() {
    let subscription = lock.run { standing.isSubscribed ? standing.end() : nil }
    guard let subscription else { return }
    subscription.cancel()
    downstream.receive(completion: .finished)
  }
}

private final class CountedGroups<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
  let name = "CollectByCount"
  private let count: Int
  private var buffer: [Upstream.Output] = []

  init(_ downstream: Downstream, count: Int) {
    self.count = count
    super.init(downstream)
  }

  var parts: [Mirror.Child] {
    lock.run {
      [
        ("downstream", downstream), ("upstreamSubscription", standing.subscription as Any), ("buffer", buffer),
        ("count", count),
      ]
    }
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let group: [Upstream.Output]? = lock.run {
      guard standing.isSubscribed else { return nil }
      buffer.append(input)
      guard buffer.count == count else { return nil }
      defer { buffer = [] }
      return buffer
    }
    return group.map { downstream.receive($0) * count } ?? .none
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let rest = lock.run {
      standing = .over
      defer { buffer = [] }
      return buffer
    }
    if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
    downstream.receive(completion: completion)
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    super.request(demand * count)
  }

  override func cancel() {
    lock.run { buffer = [] }
    super.cancel()
  }
}

extension Publisher {
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { Publishers.Drop(upstream: self, count: count) }

  /// The first values, and the end after them.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: ..<maxLength) }

  public func output(at index: Int) -> Publishers.Output<Self> { output(in: index...index) }

  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }

  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
extension Publishers.Output: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}
