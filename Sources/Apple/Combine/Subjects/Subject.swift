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
