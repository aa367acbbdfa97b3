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
