extension Subscribers {
  /// Hands everything to closures, without a limit.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Named, @unchecked Sendable {
    let name = "Sink"
    private let lock = Lock()
    private var standing = Standing.waiting
    private var takeValue: ((Input) -> Void)?
    private var takeCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    public var receiveValue: (Input) -> Void { lock.run { takeValue } ?? { _ in } }
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void { lock.run { takeCompletion } ?? { _ in } }

    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      (takeCompletion, takeValue) = (receiveCompletion, receiveValue)
    }

    public func receive(subscription: any Subscription) {
      let isFirst = lock.run {
        guard case .waiting = standing else { return false }
        standing = .subscribed(subscription)
        return true
      }
      guard isFirst else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.run { takeValue }?(value)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      // The closures are released here, outside the lock: what they hold may call this again.
      let (take, value) = lock.run {
        defer { (standing, takeValue, takeCompletion) = (.over, nil, nil) }
        return (takeCompletion, takeValue)
      }
      take?(completion)
      withExtendedLifetime(value) {}
    }

    public func cancel() {
      let (subscription, closures) = lock.run {
        guard standing.isSubscribed else { return (nil as (any Subscription)?, nil as Any?) }
        defer { (takeValue, takeCompletion) = (nil, nil) }
        return (standing.end(), (takeValue, takeCompletion))
      }
      subscription?.cancel()
      withExtendedLifetime(closures) {}
    }
  }

  /// Sets a property to each value, and holds its object until the end.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Named {
    public typealias Failure = Never

    private let lock = Lock()
    private var standing = Standing.waiting
    public private(set) var object: Root?
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      (self.object, self.keyPath) = (object, keyPath)
    }

    var name: String { "Assign \(Root.self)." }

    var parts: [Mirror.Child] {
      lock.run { [("object", object as Any), ("keyPath", keyPath), ("status", standing)] }
    }

    public func receive(subscription: any Subscription) {
      let isFirst = lock.run {
        guard case .waiting = standing else { return false }
        standing = .subscribed(subscription)
        return true
      }
      guard isFirst else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.run { standing.isSubscribed ? object : nil }?[keyPath: keyPath] = value
      return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) { end(cancelling: false) }
    public func cancel() { end(cancelling: true) }

    private func end(cancelling: Bool) {
      let (subscription, released) = lock.run {
        guard standing.isSubscribed else { return (nil as (any Subscription)?, nil as Root?) }
        defer { object = nil }
        return (standing.end(), object)
      }
      if cancelling { subscription?.cancel() }
      withExtendedLifetime(released) {}
    }
  }
}

extension Publisher {
  /// - Returns: Ends the subscription, at its release at the latest.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// - Returns: Ends the subscription, at its release at the latest.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Sets a property to each value, and holds the object until the end.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }

  /// Sets a published property to each value, as long as its object lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(published.subject))
  }
}

/// Hands values to a published property without holding it.
private final class PublishedSubscriber<Value>: Subscriber, Subscription {
  private let lock = Lock()
  private weak var subject: PublishedSubject<Value>?
  private var standing = Standing.waiting

  init(_ subject: PublishedSubject<Value>) { self.subject = subject }

  func receive(subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = standing else { return false }
      standing = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    subject?.send(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { lock.run { standing = .over } }

  /// Asked for everything already.
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {
    let subscription = lock.run { standing.end() }
    subscription?.cancel()
  }
}
