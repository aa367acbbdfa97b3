extension Publisher where Failure == Never {
  /// The values as an asynchronous sequence, each asked for when it is waited for.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values as an asynchronous sequence that throws the failure.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output

  private let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inner: AsyncInner<P>

    public mutating func next() async -> P.Output? { try? await inner.next() }
  }

  public func makeAsyncIterator() -> Iterator {
    let inner = AsyncInner<P>()
    publisher.subscribe(AsyncSubscriber(inner: inner))
    return Iterator(inner: inner)
  }
}

public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output

  private let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inner: AsyncInner<P>

    public mutating func next() async throws -> P.Output? { try await inner.next() }
  }

  public func makeAsyncIterator() -> Iterator {
    let inner = AsyncInner<P>()
    publisher.subscribe(AsyncSubscriber(inner: inner))
    return Iterator(inner: inner)
  }
}

/// What the publisher holds: the iterator's part is cancelled when the iterator is gone.
private struct AsyncSubscriber<P: Publisher>: Subscriber, Cancellable {
  let inner: AsyncInner<P>
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { inner.receive(subscription: subscription) }
  func receive(_ input: P.Output) -> Subscribers.Demand { inner.receive(input) }
  func receive(completion: Subscribers.Completion<P.Failure>) { inner.receive(completion: completion) }
  func cancel() { inner.cancel() }
}

private final class AsyncInner<P: Publisher>: @unchecked Sendable {
  private typealias Waiting = CheckedContinuation<P.Output?, any Error>

  private let lock = Lock()
  private var standing = Standing.waiting
  private var waiting: [CheckedContinuation<P.Output?, any Error>] = []
  private var pendingDemand = Subscribers.Demand.none
  private var failure: P.Failure?

  func receive(subscription: any Subscription) {
    let wanted: Subscribers.Demand? = lock.run {
      guard case .waiting = standing else { return nil }
      standing = .subscribed(subscription)
      return pendingDemand
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  func receive(_ input: P.Output) -> Subscribers.Demand {
    let (first, unfounded): (Waiting?, [Waiting]) = lock.run {
      switch standing {
      case .over: return (nil, [])
      case .waiting:
        // A value without a subscription ends the waits.
        defer { waiting = [] }
        return (nil, waiting)
      case .subscribed:
        precondition(!waiting.isEmpty, "a value came that was not asked for")
        return (waiting.removeFirst(), [])
      }
    }
    nonisolated(unsafe) let value = input
    first?.resume(returning: value)
    for continuation in unfounded { continuation.resume(returning: nil) }
    return .none
  }

  func receive(completion: Subscribers.Completion<P.Failure>) {
    let all: [CheckedContinuation<P.Output?, any Error>] = lock.run {
      guard !standing.isOver else { return [] }
      standing = .over
      // The failure is thrown once, to the first who waits or comes.
      if case .failure(let error) = completion { failure = error }
      defer { waiting = [] }
      return waiting
    }
    for continuation in all { end(continuation) }
  }

  private func end(_ continuation: CheckedContinuation<P.Output?, any Error>) {
    let error = lock.run {
      defer { failure = nil }
      return failure
    }
    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: nil) }
  }

  func cancel() {
    let (subscription, all) = lock.run {
      defer { waiting = [] }
      return (standing.end(), waiting)
    }
    subscription?.cancel()
    for continuation in all { continuation.resume(returning: nil) }
  }

  func next() async throws -> P.Output? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(ask)
    } onCancel: {
      cancel()
    }
  }

  private func ask(_ continuation: CheckedContinuation<P.Output?, any Error>) {
    let (isOver, subscription): (Bool, (any Subscription)?) = lock.run {
      guard !standing.isOver else { return (true, nil) }
      waiting.append(continuation)
      if !standing.isSubscribed { pendingDemand += 1 }
      return (false, standing.subscription)
    }
    if isOver { return end(continuation) }
    subscription?.request(.max(1))
  }
}
