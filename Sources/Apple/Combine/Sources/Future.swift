/// Publishes one result, for all its subscribers, once it is there.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let lock = Lock()
  private var receivers: [FutureConduit<Output, Failure>] = []
  fileprivate private(set) var result: Result<Output, Failure>?

  /// Runs the closure at once.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) { attemptToFulfill(fulfil) }

  private func fulfil(_ result: Result<Output, Failure>) {
    let waiting: [FutureConduit<Output, Failure>] = lock.run {
      guard self.result == nil else { return [] }
      self.result = result
      defer { receivers = [] }
      return receivers
    }
    for receiver in waiting { receiver.fulfil(result) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let conduit = FutureConduitTo(subscriber, parent: self)
    let known = lock.run {
      if result == nil { receivers.append(conduit) }
      return result
    }
    subscriber.receive(subscription: conduit)
    // A value waits for its demand, a failure does not.
    if case .failure = known, let known { conduit.fulfil(known) }
  }

  fileprivate var known: Result<Output, Failure>? { lock.run { result } }
  fileprivate func remove(_ conduit: FutureConduit<Output, Failure>) {
    lock.run { receivers.removeAll { $0 === conduit } }
  }

  fileprivate func settled() async -> Result<Output, Failure> {
    await withCheckedContinuation { continuation in
      subscribe(ResultSubscriber { continuation.resume(returning: $0) })
    }
  }
}

extension Future where Failure == Never {
  public var value: Output {
    get async {
      switch await settled() {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  public var value: Output {
    get async throws { try await settled().get() }
  }
}

private final class ResultSubscriber<Input, Failure: Error>: Subscriber {
  private let take: (Result<Input, Failure>) -> Void
  init(_ take: @escaping (Result<Input, Failure>) -> Void) { self.take = take }

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Input) -> Subscribers.Demand {
    take(.success(input))
    return .none
  }
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { take(.failure(error)) }
  }
}

private class FutureConduit<Output, Failure: Error> {
  func fulfil(_ result: Result<Output, Failure>) {}
}

private final class FutureConduitTo<Downstream: Subscriber>: FutureConduit<Downstream.Input, Downstream.Failure>,
  Subscription, Named
{
  let name = "Future"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private var downstream: Downstream?
  private var parent: Future<Downstream.Input, Downstream.Failure>?
  private var hasAnyDemand = false

  init(_ downstream: Downstream, parent: Future<Downstream.Input, Downstream.Failure>) {
    (self.downstream, self.parent) = (downstream, parent)
  }

  var parts: [Mirror.Child] {
    lock.run {
      [
        ("parent", parent as Any), ("downstream", downstream as Any), ("hasAnyDemand", hasAnyDemand),
        ("subject", parent as Any),
      ]
    }
  }

  override func fulfil(_ result: Result<Downstream.Input, Downstream.Failure>) {
    let receiver: Downstream? = lock.run {
      if case .success = result, !hasAnyDemand { return nil }
      defer { downstream = nil }
      return downstream
    }
    guard let receiver else { return }
    turn.run {
      switch result {
      case .success(let value):
        _ = receiver.receive(value)
        receiver.receive(completion: .finished)
      case .failure(let error): receiver.receive(completion: .failure(error))
      }
    }
    release()
  }

  private func release() {
    let released = lock.run {
      defer { parent = nil }
      return parent
    }
    withExtendedLifetime(released) {}
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let future = lock.run {
      if downstream != nil { hasAnyDemand = true }
      return parent
    }
    if let known = future?.known { fulfil(known) }
  }

  func cancel() {
    let future = lock.run {
      defer { downstream = nil }
      return parent
    }
    future?.remove(self)
    release()
  }
}
