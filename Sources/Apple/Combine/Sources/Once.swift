/// A subscription to a publisher of at most one value, which gives it at the first request.
final class OnceSubscription<Downstream: Subscriber>: Subscription, Named {
  let name: String
  private let lock = Lock()
  private var downstream: Downstream?
  private let value: Downstream.Input

  init(_ downstream: Downstream, value: Downstream.Input, name: String) {
    (self.downstream, self.value, self.name) = (downstream, value, name)
  }

  var parts: [Mirror.Child] { [(nil, value)] }

  private func take() -> Downstream? {
    lock.run {
      defer { downstream = nil }
      return downstream
    }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    guard let receiver = take() else { return }
    _ = receiver.receive(value)
    receiver.receive(completion: .finished)
  }

  func cancel() { _ = take() }
}

/// Publishes one value and finishes.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  public let output: Output

  public init(_ output: Output) { self.output = output }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: OnceSubscription(subscriber, value: output, name: "Just"))
  }
}

extension Just: Equatable where Output: Equatable {}

/// Publishes nothing, and finishes at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  public let completeImmediately: Bool

  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  public let error: Failure

  public init(error: Failure) { self.error = error }
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}

/// Makes a publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  public let createPublisher: () -> DeferredPublisher

  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().subscribe(subscriber)
  }
}

extension Optional {
  /// Publishes the value, or finishes without one.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    public let output: Wrapped?

    public init(_ output: Wrapped?) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      guard let output else {
        subscriber.receive(subscription: Subscriptions.empty)
        return subscriber.receive(completion: .finished)
      }
      subscriber.receive(subscription: OnceSubscription(subscriber, value: output, name: "Optional"))
    }
  }

  public var publisher: Publisher { Publisher(self) }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Result {
  /// Publishes the success, or fails.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Success

    public let result: Result<Success, Failure>

    public init(_ result: Result<Success, Failure>) { self.result = result }
    public init(_ output: Success) { self.init(.success(output)) }
    public init(_ failure: Failure) { self.init(.failure(failure)) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let value):
        subscriber.receive(subscription: OnceSubscription(subscriber, value: value, name: "Once"))
      case .failure(let error):
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
      }
    }
  }

  public var publisher: Publisher { Publisher(self) }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

// Operators on publishers of at most one value give publishers of at most one value: no subscriber is in between.

extension Just {
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result.Publisher(Result { try predicate(output) })
  }

  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher { .init(transform(output)) }

  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }

  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result.Publisher(Result { try predicate(output) })
  }

  public func count() -> Just<Int> { Just<Int>(1) }

  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher { one.dropFirst(count) }
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { one.drop(while: predicate) }
  public func first() -> Just<Output> { self }
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { one.filter(predicate) }
  public func last() -> Just<Output> { self }
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { one.filter(predicate) }
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher { one.filter(isIncluded) }
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result.Publisher(Result { try transform(output) })
  }
  public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

  public func output(at index: Int) -> Optional<Output>.Publisher { one.output(at: index) }
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    // Both ends count, as Combine does: an empty range that begins at 0 includes the value.
    let bounds = range.relative(to: 0..<Int.max)
    return .init(bounds.lowerBound == 0 ? output : nil)
  }
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher { one.prefix(maxLength) }
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { one.filter(predicate) }

  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher { .init(nextPartialResult(initialResult, output)) }
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result.Publisher(Result { try nextPartialResult(initialResult, output) })
  }
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher { .init(nextPartialResult(initialResult, output)) }
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher { tryReduce(initialResult, nextPartialResult) }

  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    Result.Publisher(
      Result {
        _ = try predicate(output, output)
        return output
      })
  }

  public func replaceError(with output: Output) -> Just<Output> { self }
  public func replaceEmpty(with output: Output) -> Just<Output> { self }
  public func retry(_ times: Int) -> Just<Output> { self }
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }

  private var one: Optional<Output>.Publisher { .init(output) }
}

extension Just where Output: Comparable {
  public func min() -> Just<Output> { self }
  public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }
  public func removeDuplicates() -> Just<Output> { self }
}

extension Optional.Publisher {
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }
  public func collect() -> Optional<[Output]>.Publisher { .init(output.map { [$0] } ?? []) }
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher { .init(output.flatMap(transform)) }
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }
  public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

  public func dropFirst(_ count: Int = 1) -> Self {
    precondition(count >= 0, "a number of values to drop must not be negative")
    return Self(count == 0 ? output : nil)
  }
  public func drop(while predicate: (Output) -> Bool) -> Self { filter { !predicate($0) } }
  public func first() -> Self { self }
  public func first(where predicate: (Output) -> Bool) -> Self { filter(predicate) }
  public func last() -> Self { self }
  public func last(where predicate: (Output) -> Bool) -> Self { filter(predicate) }
  public func filter(_ isIncluded: (Output) -> Bool) -> Self { Self(output.flatMap { isIncluded($0) ? $0 : nil }) }
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }
  public func map<T>(_ transform: (Output) -> T) -> Optional<T>.Publisher { .init(output.map(transform)) }

  public func output(at index: Int) -> Self {
    precondition(index >= 0, "a position must not be negative")
    return Self(index == 0 ? output : nil)
  }
  public func output<R: RangeExpression>(in range: R) -> Self where R.Bound == Int {
    let bounds = range.relative(to: 0..<Int.max)
    precondition(bounds.lowerBound >= 0 && bounds.upperBound >= 0, "a position must not be negative")
    return Self(bounds.contains(0) ? output : nil)
  }
  public func prefix(_ maxLength: Int) -> Self {
    precondition(maxLength >= 0, "a length must not be negative")
    return Self(maxLength > 0 ? output : nil)
  }
  public func prefix(while predicate: (Output) -> Bool) -> Self { filter(predicate) }

  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    reduce(initialResult, nextPartialResult)
  }
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }
  public func replaceError(with output: Output) -> Self { self }
  public func replaceEmpty(with output: Output) -> Just<Output> { Just(self.output ?? output) }
  public func retry(_ times: Int) -> Self { self }
}

extension Optional.Publisher where Wrapped: Comparable {
  public func min() -> Self { self }
  public func max() -> Self { self }
}

extension Optional.Publisher where Wrapped: Equatable {
  public func contains(_ output: Output) -> Optional<Bool>.Publisher { map { $0 == output } }
  public func removeDuplicates() -> Self { self }
}
