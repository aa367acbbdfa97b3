/// Ends something when it is cancelled or released, whichever is first.
public final class AnyCancellable: Cancellable, Hashable {
  private let lock = Lock()
  private var ending: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { ending = cancel }

  public init<C: Cancellable>(_ canceller: C) { ending = canceller.cancel }

  deinit { ending?() }

  public func cancel() {
    let end = lock.run {
      defer { ending = nil }
      return ending
    }
    end?()
  }

  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable {
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

extension Cancellable {
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}

/// A publisher whose own type is hidden.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  let box: PublisherBox<Output, Failure>

  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    box = (publisher as? Self)?.box ?? PublisherBoxOf(publisher)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    box.receive(subscriber: subscriber)
  }

  public var description: String { "AnyPublisher" }
  public var playgroundDescription: Any { description }
}

class PublisherBox<Output, Failure: Error>: Publisher {
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure { trap("not overridden") }
}

private final class PublisherBoxOf<Base: Publisher>: PublisherBox<Base.Output, Base.Failure> {
  let base: Base
  init(_ base: Base) { self.base = base }

  override func receive<S: Subscriber>(subscriber: S) where S.Input == Base.Output, S.Failure == Base.Failure {
    base.receive(subscriber: subscriber)
  }
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A subscriber whose own type is hidden, or one made of closures.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// nil if it is made of closures.
  let box: SubscriberBox<Input, Failure>?
  private let closures: Closures<Input, Failure>
  public let combineIdentifier: CombineIdentifier
  private let text: () -> String
  private let mirror: () -> Mirror
  private let shown: () -> Any

  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    if let erased = subscriber as? Self {
      self = erased
      return
    }
    let box = SubscriberBoxOf(subscriber)
    self.box = box
    closures = Closures(
      subscription: subscriber.receive(subscription:), value: subscriber.receive(_:),
      completion: subscriber.receive(completion:))
    combineIdentifier = subscriber.combineIdentifier
    text = { (subscriber as? any CustomStringConvertible)?.description ?? String(describing: type(of: subscriber)) }
    mirror = { (subscriber as? any CustomReflectable)?.customMirror ?? Mirror(reflecting: subscriber) }
    shown = {
      (subscriber as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
        ?? (subscriber as? any CustomStringConvertible)?.description ?? String(describing: type(of: subscriber))
    }
  }

  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }

  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    box = nil
    closures = Closures(
      subscription: receiveSubscription ?? { _ in }, value: receiveValue ?? { _ in .none },
      completion: receiveCompletion ?? { _ in })
    combineIdentifier = CombineIdentifier()
    let name = "Anonymous AnySubscriber"
    (text, mirror, shown) = ({ name }, { Mirror(reflecting: name) }, { name })
  }

  public func receive(subscription: any Subscription) { closures.subscription(subscription) }
  public func receive(_ value: Input) -> Subscribers.Demand { closures.value(value) }
  public func receive(completion: Subscribers.Completion<Failure>) { closures.completion(completion) }

  public var description: String { text() }
  public var customMirror: Mirror { mirror() }
  public var playgroundDescription: Any { shown() }
}

private struct Closures<Input, Failure: Error> {
  let subscription: (any Subscription) -> Void
  let value: (Input) -> Subscribers.Demand
  let completion: (Subscribers.Completion<Failure>) -> Void
}

class SubscriberBox<Input, Failure: Error> {
  func subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure { trap("not overridden") }
}

private final class SubscriberBoxOf<Base: Subscriber>: SubscriberBox<Base.Input, Base.Failure> {
  let base: Base
  init(_ base: Base) { self.base = base }

  override func subscribe<P: Publisher>(to publisher: P) where P.Output == Base.Input, P.Failure == Base.Failure {
    publisher.receive(subscriber: base)
  }
}
