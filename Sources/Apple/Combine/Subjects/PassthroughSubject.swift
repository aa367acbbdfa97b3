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
