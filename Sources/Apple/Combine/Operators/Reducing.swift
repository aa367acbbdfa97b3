extension Publishers {
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("AllSatisfy", to: subscriber, initial: true) {
          [predicate] result, value in
          result = predicate(value)
          return result == false
        })
    }
  }

  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryAllSatisfy", to: subscriber, initial: true) {
          [predicate] result, value in
          result = try predicate(value)
          return result == false
        })
    }
  }

  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let output: Upstream.Output

    public init(upstream: Upstream, output: Upstream.Output) {
      (self.upstream, self.output) = (upstream, output)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("Contains", to: subscriber, initial: false) {
          [output] result, value in
          result = value == output
          return result == true
        })
    }
  }

  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("ContainsWhere", to: subscriber, initial: false) {
          [predicate] result, value in
          result = predicate(value)
          return result == true
        })
    }
  }

  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryContainsWhere", to: subscriber, initial: false) {
          [predicate] result, value in
          result = try predicate(value)
          return result == true
        })
    }
  }

  public struct Comparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("Comparison", to: subscriber, initial: nil) {
          [areInIncreasingOrder] result, value in
          if result.map({ areInIncreasingOrder($0, value) }) ?? true { result = value }
          return false
        })
    }
  }

  public struct TryComparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryComparison", to: subscriber, initial: nil) {
          [areInIncreasingOrder] result, value in
          if try result.map({ try areInIncreasingOrder($0, value) }) ?? true { result = value }
          return false
        })
    }
  }
}

extension Publishers {
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Failure, S>("Reduce", to: subscriber, initial: initial) {
          [nextPartialResult] result, value in
          result = result.map { nextPartialResult($0, value) }
          return false
        })
    }
  }

  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error
    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryReduce", to: subscriber, initial: initial) {
          [nextPartialResult] result, value in
          result = try result.map { try nextPartialResult($0, value) }
          return false
        })
    }
  }
}

extension Publisher {
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }

  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }

  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publisher where Output: Equatable {
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher where Output: Comparable {
  public func min() -> Publishers.Comparison<Self> { min(by: <) }
  public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

/// Takes all values, or as many as it needs, and gives one result.
final class Reduction<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription, Named {
  let name: String
  private let lock = Lock()
  private let downstream: Downstream
  private let initial: Downstream.Input?
  private let shown: ((Downstream.Input?) -> [Mirror.Child])?
  private let next: (inout Downstream.Input?, Input) throws -> Bool
  private var result: Downstream.Input?
  private var standing = Standing.waiting
  private var isWanted = false
  private var isCancelled = false
  /// Whether the result is final and waits for a demand.
  private var isComplete = false

  /// - Parameters:
  ///   - initial: The result of no value, if any.
  ///   - next: Takes a value; returns whether the result is final.
  init(
    _ name: String, to downstream: Downstream, initial: Downstream.Input?,
    shown: ((Downstream.Input?) -> [Mirror.Child])? = nil,
    next: @escaping (inout Downstream.Input?, Input) throws -> Bool
  ) {
    (self.name, self.downstream, self.initial, self.shown, self.next) = (name, downstream, initial, shown, next)
    result = initial
  }

  var parts: [Mirror.Child] {
    let (result, standing): (Downstream.Input?, Standing) = lock.run { (self.result, self.standing) }
    if let shown { return shown(result) }
    return [
      ("downstream", downstream), ("result", result as Any), ("initial", initial as Any), ("status", standing),
    ]
  }

  func receive(subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = standing else { return false }
      standing = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard lock.run({ standing.isSubscribed }) else { return .none }
    // Values come one after another: nothing else writes it.
    var value = lock.run { result }
    do {
      let isFinal = try next(&value, input)
      lock.run { result = value }
      guard isFinal else { return .none }
      let subscription = lock.run { standing.end() }
      subscription?.cancel()
      complete()
    } catch {
      let subscription = lock.run { standing.end() }
      subscription?.cancel()
      downstream.receive(completion: .failure(certain(error)))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let isMine = lock.run {
      guard standing.isSubscribed else { return false }
      standing = .over
      return true
    }
    guard isMine else { return }
    switch completion {
    case .finished: complete()
    case .failure: downstream.receive(completion: completion.as(Downstream.Failure.self))
    }
  }

  private func complete() {
    let (isReady, value) = lock.run {
      isComplete = true
      return (isWanted, result)
    }
    if isReady { deliver(value) }
  }

  private func deliver(_ value: Downstream.Input?) {
    let isFirst = lock.run {
      defer { isComplete = false }
      return isComplete && !isCancelled
    }
    guard isFirst else { return }
    if let value { _ = downstream.receive(value) }
    if !lock.run({ isCancelled }) { downstream.receive(completion: .finished) }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let (isReady, value) = lock.run {
      defer { isWanted = true }
      return (!isWanted && isComplete, result)
    }
    if isReady { deliver(value) }
  }

  func cancel() {
    let subscription: (any Subscription)? = lock.run {
      if case .waiting = standing { return nil }
      isCancelled = true
      return standing.end()
    }
    subscription?.cancel()
  }
}
