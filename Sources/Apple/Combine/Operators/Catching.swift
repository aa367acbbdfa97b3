extension Publishers {
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure
    public let upstream: Upstream
    public let handler: (Upstream.Failure) -> NewPublisher

    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      (self.upstream, self.handler) = (upstream, handler)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let catching = Catching<Upstream, NewPublisher, S>("Catch", to: subscriber, handler: handler)
      upstream.subscribe(Catching.First(catching))
    }
  }

  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let handler: (Upstream.Failure) throws -> NewPublisher

    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      (self.upstream, self.handler) = (upstream, handler)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let catching = Catching<Upstream, NewPublisher, S>("TryCatch", to: subscriber, handler: handler)
      upstream.subscribe(Catching.First(catching))
    }
  }
}

/// Goes over to another publisher when the first fails.
private final class Catching<Upstream: Publisher, NewPublisher: Publisher, Downstream: Subscriber>: Subscription, Named
where Downstream.Input == Upstream.Output, NewPublisher.Output == Upstream.Output {
  private enum State {
    case waiting
    case first(any Subscription)
    /// The handler runs, or its publisher's subscription is to come.
    case changing
    case second(any Subscription)
    case over
  }

  let name: String
  private let lock = Lock()
  private let downstream: Downstream
  private let handler: (Upstream.Failure) throws -> NewPublisher
  private var state = State.waiting
  private var demand = Subscribers.Demand.none

  init(_ name: String, to downstream: Downstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
    (self.name, self.downstream, self.handler) = (name, downstream, handler)
  }

  var parts: [Mirror.Child] { [("downstream", downstream), ("demand", lock.run { demand })] }

  /// What the first publisher sees.
  struct First: Subscriber, Subscription, Named {
    let whole: Catching
    init(_ whole: Catching) { self.whole = whole }
    var name: String { whole.name }
    var parts: [Mirror.Child] { whole.parts }
    var combineIdentifier: CombineIdentifier { whole.combineIdentifier }
    func receive(subscription: any Subscription) { whole.receiveFirst(subscription) }
    func receive(_ input: Upstream.Output) -> Subscribers.Demand { whole.receive(input) }
    func receive(completion: Subscribers.Completion<Upstream.Failure>) { whole.receiveFirst(completion) }
    func request(_ demand: Subscribers.Demand) { whole.request(demand) }
    func cancel() { whole.cancel() }
  }

  /// What the handler's publisher sees.
  private struct Second: Subscriber, Subscription, Named {
    let whole: Catching
    var name: String { whole.name }
    var parts: [Mirror.Child] { whole.parts }
    var combineIdentifier: CombineIdentifier { whole.combineIdentifier }
    func receive(subscription: any Subscription) { whole.receiveSecond(subscription) }
    func receive(_ input: Upstream.Output) -> Subscribers.Demand { whole.downstream.receive(input) }
    func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
      let isOver = whole.lock.run {
        if case .over = whole.state { return true }
        whole.state = .over
        return false
      }
      if !isOver { whole.downstream.receive(completion: completion.as(Downstream.Failure.self)) }
    }
    func request(_ demand: Subscribers.Demand) { whole.request(demand) }
    func cancel() { whole.cancel() }
  }

  private func receiveFirst(_ subscription: any Subscription) {
    let isFirst = lock.run {
      guard case .waiting = state else { return false }
      state = .first(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  private func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    lock.run {
      precondition(demand > .none, "a value came that was not asked for")
      demand -= 1
    }
    let further = downstream.receive(input)
    lock.run { demand += further }
    return further
  }

  private func receiveFirst(_ completion: Subscribers.Completion<Upstream.Failure>) {
    guard case .failure(let error) = completion else {
      let isMine = lock.run {
        guard case .first = state else { return false }
        state = .over
        return true
      }
      if isMine { downstream.receive(completion: .finished) }
      return
    }
    let isMine = lock.run {
      switch state {
      case .first:
        state = .changing
        return true
      case .changing, .second: trap("a publisher failed twice")
      case .waiting, .over: return false
      }
    }
    guard isMine else { return }
    do { try handler(error).subscribe(Second(whole: self)) } catch {
      lock.run { state = .over }
      downstream.receive(completion: .failure(certain(error)))
    }
  }

  private func receiveSecond(_ subscription: any Subscription) {
    let wanted: Subscribers.Demand? = lock.run {
      guard case .changing = state else { return nil }
      state = .second(subscription)
      return demand
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription: (any Subscription)? = lock.run {
      switch state {
      case .first(let subscription), .second(let subscription):
        self.demand += demand
        return subscription
      case .changing:
        self.demand += demand
        return nil
      case .waiting, .over: return nil
      }
    }
    subscription?.request(demand)
  }

  func cancel() {
    let subscription: (any Subscription)? = lock.run {
      switch state {
      case .first(let subscription), .second(let subscription):
        state = .over
        return subscription
      case .waiting, .changing, .over: return nil
      }
    }
    subscription?.cancel()
  }
}

extension Publisher {
  /// Goes over to the publisher that the closure returns for a failure.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
  where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}
