/// A publisher that its owner feeds.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
  /// Gives the subject a subscription, which is asked for values once a subscriber of the subject wants any.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  public func send() { send(()) }
}

/// Hands a publisher's values to a subject.
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription, Named {
  let name = "Subject"
  private let lock = Lock()
  /// Weak: who subscribes a subject does not keep it.
  private weak var subject: Target?
  private var subscription: (any Subscription)?

  init(_ subject: Target) { self.subject = subject }

  var parts: [Mirror.Child] {
    lock.run {
      [("downstreamSubject", subject as Any), ("upstreamSubscription", subscription as Any)]
    }
  }

  func receive(subscription: any Subscription) {
    let target: Target? = lock.run {
      guard self.subscription == nil, let subject else { return nil }
      self.subscription = subscription
      return subject
    }
    target?.send(subscription: self)
  }

  func receive(_ input: Target.Output) -> Subscribers.Demand {
    lock.run { subscription == nil ? nil : subject }?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Target.Failure>) {
    let target: Target? = lock.run {
      guard subscription != nil else { return nil }
      subscription = nil
      defer { subject = nil }
      return subject
    }
    target?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { lock.run { subscription }?.request(demand) }

  func cancel() {
    let ended = lock.run {
      defer { (subscription, subject) = (nil, nil) }
      return subscription
    }
    ended?.cancel()
  }
}

/// Hands each value to those who have subscribed by then and have asked for one.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let broadcast = Broadcast<Output, Failure>()

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.add(subscriber, name: "PassthroughSubject", owner: self)
  }

  public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
  public func send(_ input: Output) { broadcast.send(input) }
  public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }
}

/// A subject with a current value, which is the first that a subscriber gets.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let broadcast: Broadcast<Output, Failure>

  public init(_ value: Output) { broadcast = Broadcast(current: value) }

  /// Setting it sends it.
  public var value: Output {
    get { present(broadcast.value) }
    set { broadcast.send(newValue, storing: .always) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.add(subscriber, name: "CurrentValueSubject", owner: self)
  }

  public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
  public func send(_ input: Output) { broadcast.send(input, storing: .before) }
  public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }
}

/// What the subjects have in common: their subscribers in the order of their subscriptions, those above them, the end.
final class Broadcast<Output, Failure: Error> {
  private let lock = Lock()
  private var conduits: [Conduit<Output, Failure>] = []
  private var upstream: [any Subscription] = []
  private var completion: Subscribers.Completion<Failure>?
  private var isWanted = false
  /// The value that a new subscriber begins with; nil for a subject without one.
  private var current: Output?

  init(current: Output? = nil) {
    // A subject with a value wants the next at once.
    (self.current, isWanted) = (current, current != nil)
  }

  deinit { for subscription in upstream { subscription.cancel() } }

  var value: Output? { lock.run { current } }

  /// - Parameter owner: The subject, which lives as long as a subscription to it.
  func add<S: Subscriber>(_ subscriber: S, name: String, owner: AnyObject)
  where S.Input == Output, S.Failure == Failure {
    let conduit = ConduitTo(subscriber, name: name, owner: owner, broadcast: self)
    let ending = lock.run {
      if completion == nil { conduits.append(conduit) }
      return completion
    }
    guard let ending else { return subscriber.receive(subscription: conduit) }
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: ending)
  }

  /// - Parameter storing: When the value becomes the current one: before the subscribers hear of it, or after.
  func send(_ value: Output, storing: Storing = .never) {
    let receivers: [Conduit<Output, Failure>] = lock.run {
      if storing == .always || storing == .before && completion == nil { current = value }
      return completion == nil ? conduits : []
    }
    for receiver in receivers { receiver.offer(value) }
    if storing == .after { lock.run { if completion == nil { current = value } } }
  }

  enum Storing {
    case never, before, after
    /// Before, and even after the end, which no subscriber hears of.
    case always
  }

  func send(completion ending: Subscribers.Completion<Failure>) {
    let receivers: [Conduit<Output, Failure>] = lock.run {
      guard completion == nil else { return [] }
      completion = ending
      defer { conduits = [] }
      return conduits
    }
    for receiver in receivers { receiver.finish(ending) }
  }

  func send(subscription: any Subscription) {
    let wanted = lock.run {
      upstream.append(subscription)
      return isWanted
    }
    if wanted { subscription.request(.unlimited) }
  }

  fileprivate func want() {
    let waiting: [any Subscription] = lock.run {
      guard !isWanted else { return [] }
      isWanted = true
      return upstream
    }
    for subscription in waiting { subscription.request(.unlimited) }
  }

  fileprivate func remove(_ conduit: Conduit<Output, Failure>) {
    lock.run { conduits.removeAll { $0 === conduit } }
  }
}

/// A subscription to a subject.
class Conduit<Output, Failure: Error> {
  func offer(_ value: Output) {}
  func finish(_ completion: Subscribers.Completion<Failure>) {}
}

private final class ConduitTo<Downstream: Subscriber>: Conduit<Downstream.Input, Downstream.Failure>, Subscription,
  Named
{
  let name: String
  private let lock = Lock()
  /// One thread at a time calls the subscriber.
  private let turn = RecursiveLock()
  private var downstream: Downstream?
  private var owner: AnyObject?
  private var demand = Subscribers.Demand.none
  private weak var broadcast: Broadcast<Downstream.Input, Downstream.Failure>?
  /// Whether the subscriber has had the current value, where there is one.
  private var isCurrent = false

  init(
    _ downstream: Downstream, name: String, owner: AnyObject, broadcast: Broadcast<Downstream.Input, Downstream.Failure>
  ) {
    (self.downstream, self.name, self.owner, self.broadcast) = (downstream, name, owner, broadcast)
  }

  var parts: [Mirror.Child] {
    lock.run {
      [
        ("parent", owner as Any), ("downstream", downstream as Any), ("demand", demand), ("subject", owner as Any),
      ]
    }
  }

  override func offer(_ value: Downstream.Input) {
    let receiver: Downstream? = lock.run {
      guard demand > .none else {
        isCurrent = false
        return nil
      }
      guard let downstream else { return nil }
      demand -= 1
      isCurrent = true
      return downstream
    }
    if let receiver { deliver(value, to: receiver) }
  }

  private func deliver(_ value: Downstream.Input, to receiver: Downstream) {
    let further = turn.run { receiver.receive(value) }
    if further > .none { lock.run { demand += further } }
  }

  override func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let receiver = lock.run {
      defer { downstream = nil }
      return downstream
    }
    if let receiver { turn.run { receiver.receive(completion: completion) } }
    release()
  }

  private func release() {
    let released = lock.run {
      defer { owner = nil }
      return owner
    }
    withExtendedLifetime(released) {}
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let (receiver, value): (Downstream?, Downstream.Input?) = lock.run {
      guard let downstream else { return (nil, nil) }
      self.demand += demand
      guard !isCurrent, let value = broadcast?.value else { return (downstream, nil) }
      isCurrent = true
      self.demand -= 1
      return (downstream, value)
    }
    guard let receiver else { return }
    broadcast?.want()
    if let value { deliver(value, to: receiver) }
  }

  func cancel() {
    let released: Downstream? = lock.run {
      defer { downstream = nil }
      return downstream
    }
    guard released != nil else { return }
    broadcast?.remove(self)
    release()
  }
}
