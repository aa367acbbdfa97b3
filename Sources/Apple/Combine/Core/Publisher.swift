/// A sequence of values over time, ended by a completion or by nothing.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Attaches a subscriber. Callers use `subscribe(_:)`.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber, which is then given a subscription.
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    // An erased subscriber is taken out of its box, so that its own type reaches the publisher.
    if let erased = subscriber as? AnySubscriber<Output, Failure>, let box = erased.box {
      return box.subscribe(to: self)
    }
    receive(subscriber: subscriber)
  }

  /// Attaches a subject, which hands the values on to its own subscribers.
  ///
  /// - Returns: Ends the subscription, at its release at the latest.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// A publisher that publishes nothing before `connect()`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// - Returns: Disconnects, at its release at the latest.
  func connect() -> any Cancellable
}

/// The namespace of the publishers that operators return.
public enum Publishers {}
/// The namespace of the ready-made subscribers.
public enum Subscribers {}
/// The namespace of the ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that neither gives nor ends anything.
  public static var empty: any Subscription { EmptySubscription.shared }
}

final class EmptySubscription: Subscription, Named {
  static let shared = EmptySubscription()
  let name = "Empty"
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

public protocol TopLevelEncoder<Output> {
  associatedtype Output
  func encode<T: Encodable>(_ value: T) throws -> Output
}

public protocol TopLevelDecoder<Input> {
  associatedtype Input
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
