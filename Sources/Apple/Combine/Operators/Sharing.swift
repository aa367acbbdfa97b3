extension Publishers {
  /// Gives all subscribers the same values, through a subject, once it is connected.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, @unchecked Sendable
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let createSubject: () -> SubjectType

    private let lock = Lock()
    private var made: SubjectType?

    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      (self.upstream, self.createSubject) = (upstream, createSubject)
    }

    private var subject: SubjectType {
      if let made = lock.run({ made }) { return made }
      let new = createSubject()
      return lock.run {
        let first = made ?? new
        made = first
        return first
      }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subject.subscribe(MulticastStage<Upstream, S>(subscriber))
    }

    public func connect() -> any Cancellable { upstream.subscribe(subject) }
  }

  /// Connects at the first subscription, and disconnects after the last.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher, @unchecked Sendable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    private let lock = Lock()
    private var count = 0
    private var connection: (any Cancellable)?

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let isConnected = lock.run {
        if connection != nil { count += 1 }
        return connection != nil
      }
      upstream.subscribe(AutoconnectSubscriber(parent: self, downstream: subscriber))
      if isConnected { return }
      let new = upstream.connect()
      lock.run { (connection, count) = (new, 1) }
    }

    fileprivate func leave() {
      let ended: (any Cancellable)? = lock.run {
        count -= 1
        guard count == 0 else { return nil }
        defer { connection = nil }
        return connection
      }
      ended?.cancel()
    }
  }

  /// Gives all subscribers the same values, from the first subscription on.
  public final class Share<Upstream: Publisher>: Publisher, Equatable, @unchecked Sendable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    public init(upstream: Upstream) {
      self.upstream = upstream
      inner = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.subscribe(subscriber)
    }

    public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
  }

  /// Makes a publisher wait for a connection.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
    public typealias Output = Upstream.Output
    public typealias Failure = Never
    private let inner: Multicast<Upstream, PassthroughSubject<Output, Never>>

    public init(upstream: Upstream) { inner = upstream.multicast(subject: PassthroughSubject()) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      inner.subscribe(subscriber)
    }

    public func connect() -> any Cancellable { inner.connect() }
  }
}

private final class MulticastStage<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Multicast"
  private let lock = Lock()
  private var downstream: Downstream?
  private var standing = Standing.waiting

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    let (isFirst, receiver): (Bool, Downstream?) = lock.run {
      guard case .waiting = standing else { return (false, nil) }
      standing = .subscribed(subscription)
      return (true, downstream)
    }
    guard isFirst else { return subscription.cancel() }
    receiver?.receive(subscription: self)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let (receiver, subscription): (Downstream?, (any Subscription)?) = lock.run { (downstream, standing.subscription) }
    guard let receiver, let subscription else { return .none }
    let further = receiver.receive(input)
    if further > .none { subscription.request(further) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let receiver: Downstream? = lock.run {
      guard standing.isSubscribed else { return nil }
      standing = .over
      defer { downstream = nil }
      return downstream
    }
    receiver?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { lock.run { standing.subscription }?.request(demand) }

  func cancel() {
    let (subscription, released): ((any Subscription)?, Downstream?) = lock.run {
      guard standing.isSubscribed else { return (nil, nil) }
      defer { downstream = nil }
      return (standing.end(), downstream)
    }
    subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}

private struct AutoconnectSubscriber<Upstream: ConnectablePublisher, Downstream: Subscriber>: Subscriber, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Autoconnect"
  let parent: Publishers.Autoconnect<Upstream>
  let downstream: Downstream
  let combineIdentifier = CombineIdentifier()

  var parts: [Mirror.Child] { [("parent", parent), ("downstream", downstream)] }

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: CountedSubscription(subscription, onCancel: parent.leave))
  }
  func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }
  func receive(completion: Subscribers.Completion<Upstream.Failure>) { downstream.receive(completion: completion) }
}

/// Stands for a subscription, and tells of its first cancellation.
private final class CountedSubscription: Subscription, CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  private let base: any Subscription
  private let lock = Lock()
  private var onCancel: (() -> Void)?

  init(_ base: any Subscription, onCancel: @escaping () -> Void) { (self.base, self.onCancel) = (base, onCancel) }

  var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  var description: String { String(describing: base) }
  var playgroundDescription: Any { description }
  func request(_ demand: Subscribers.Demand) { base.request(demand) }

  func cancel() {
    let tell = lock.run {
      defer { onCancel = nil }
      return onCancel
    }
    base.cancel()
    tell?()
  }
}

extension Publisher {
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }

  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publisher where Failure == Never {
  public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}

extension ConnectablePublisher {
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}
