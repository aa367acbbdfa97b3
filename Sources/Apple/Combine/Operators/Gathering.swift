/// Subscribes to several publishers of different outputs, and makes one value of theirs.
///
/// The publishers' values are kept as `Any`: what `make` makes of one of each is typed again.
final class Gathering<Failure: Error, Downstream: Subscriber>: Subscription, Named
where Downstream.Failure == Failure {
  enum Kind {
    /// The values in pairs: the first of each, the second of each.
    case zip
    /// The latest of each, at each value.
    case combineLatest
  }

  let name: String
  private let kind: Kind
  private let lock = Lock()
  private let turn = RecursiveLock()
  private let downstream: Downstream
  private let make: ([Any]) -> Downstream.Input
  private var subscriptions: [Standing]
  private var buffers: [[Any]]
  private var demand = Subscribers.Demand.none
  private var isOver = false
  /// The publisher whose value is being delivered, and what has been asked for meanwhile.
  private var delivering: (index: Int, demand: Subscribers.Demand)?

  init(_ name: String, _ kind: Kind, count: Int, to downstream: Downstream, make: @escaping ([Any]) -> Downstream.Input)
  {
    (self.name, self.kind, self.downstream, self.make) = (name, kind, downstream, make)
    subscriptions = Array(repeating: .waiting, count: count)
    buffers = Array(repeating: [], count: count)
  }

  /// What one of the publishers sees.
  struct Side<Input>: Subscriber {
    let whole: Gathering
    let index: Int
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) { whole.receive(subscription, of: index) }
    func receive(_ input: Input) -> Subscribers.Demand { whole.receive(input, of: index) }
    func receive(completion: Subscribers.Completion<Failure>) { whole.receive(completion, of: index) }
  }

  func subscribe<P: Publisher>(to publisher: P, _ index: Int) where P.Failure == Failure {
    publisher.subscribe(Side<P.Output>(whole: self, index: index))
  }

  private func receive(_ subscription: any Subscription, of index: Int) {
    let wanted: Subscribers.Demand? = lock.run {
      guard !isOver, case .waiting = subscriptions[index] else { return nil }
      subscriptions[index] = .subscribed(subscription)
      return demand
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  private func receive(_ input: Any, of index: Int) -> Subscribers.Demand {
    let values: [Any]? = lock.run {
      guard !isOver else { return nil }
      switch kind {
      case .zip: buffers[index].append(input)
      case .combineLatest: buffers[index] = [input]
      }
      guard buffers.allSatisfy({ !$0.isEmpty }), delivering == nil || kind == .combineLatest else { return nil }
      // A value that is not wanted is kept as the latest.
      if kind == .combineLatest {
        guard demand > .none else { return nil }
        demand -= 1
      }
      defer { if kind == .zip { for index in buffers.indices { buffers[index].removeFirst() } } }
      if kind == .zip { delivering = (index, .none) }
      return buffers.map { $0[0] }
    }
    guard let values else { return .none }
    let further = turn.run { downstream.receive(make(values)) }
    let (own, others) = settle(further, index)
    if further > .none { for other in others { other.request(further) } }
    finishIfDone()
    return own
  }

  /// - Returns: What the publisher of the value is asked for by the return, and the others' subscriptions.
  private func settle(
    _ further: Subscribers.Demand, _ index: Int
  ) -> (Subscribers.Demand, [any Subscription]) {
    lock.run {
      demand += further
      let meanwhile = delivering?.demand ?? .none
      if kind == .zip { delivering = nil }
      let others = subscriptions.enumerated().filter { $0.offset != index }.compactMap(\.element.subscription)
      return (further + meanwhile, isOver ? [] : others)
    }
  }

  private func receive(_ completion: Subscribers.Completion<Failure>, of index: Int) {
    // The one that failed is cancelled with the others, as Combine does.
    if case .failure = completion { return end(with: completion) }
    lock.run { subscriptions[index] = .over }
    finishIfDone()
  }

  private func finishIfDone() {
    let isDone = lock.run {
      if isOver || delivering != nil { return false }
      switch kind {
      case .zip: return zip(subscriptions, buffers).contains { $0.isOver && $1.isEmpty }
      case .combineLatest: return subscriptions.allSatisfy(\.isOver)
      }
    }
    if isDone { end(with: .finished) }
  }

  private func end(with completion: Subscribers.Completion<Failure>?) {
    let (isMine, ended): (Bool, [any Subscription]) = lock.run {
      guard !isOver else { return (false, []) }
      isOver = true
      let ended = subscriptions.compactMap(\.subscription)
      for index in subscriptions.indices { (subscriptions[index], buffers[index]) = (.over, []) }
      return (true, ended)
    }
    for subscription in ended { subscription.cancel() }
    if isMine, let completion { turn.run { downstream.receive(completion: completion) } }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    let asked: [any Subscription] = lock.run {
      guard !isOver else { return [] }
      self.demand += demand
      let own = delivering?.index
      if own != nil { delivering?.demand += demand }
      return subscriptions.enumerated().filter { $0.offset != own }.compactMap(\.element.subscription)
    }
    for subscription in asked { subscription.request(demand) }
  }

  func cancel() { end(with: nil) }
}

/// Hands on the values of several publishers of one output.
final class Merging<Downstream: Subscriber>: Subscription, Named {
  let name = "Merge"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private let downstream: Downstream
  private var subscriptions: [Standing]
  /// The latest value of each that was not wanted when it came.
  private var kept: [Downstream.Input?]
  private var demand = Subscribers.Demand.none
  private var isOver = false

  init(count: Int, to downstream: Downstream) {
    self.downstream = downstream
    subscriptions = Array(repeating: .waiting, count: count)
    kept = Array(repeating: nil, count: count)
  }

  private struct Side: Subscriber {
    let whole: Merging
    let index: Int
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) { whole.receive(subscription, of: index) }
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { whole.receive(input, of: index) }
    func receive(completion: Subscribers.Completion<Downstream.Failure>) { whole.receive(completion, of: index) }
  }

  func subscribe<P: Publisher>(to publisher: P, _ index: Int)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    publisher.subscribe(Side(whole: self, index: index))
  }

  private func receive(_ subscription: any Subscription, of index: Int) {
    let wanted: Subscribers.Demand? = lock.run {
      guard !isOver, case .waiting = subscriptions[index] else { return nil }
      subscriptions[index] = .subscribed(subscription)
      return demand
    }
    guard let wanted else { return subscription.cancel() }
    if wanted > .none { subscription.request(wanted) }
  }

  private func receive(_ input: Downstream.Input, of index: Int) -> Subscribers.Demand {
    let isWanted = lock.run {
      guard !isOver else { return false }
      guard demand > .none else {
        kept[index] = input
        return false
      }
      demand -= 1
      return true
    }
    if isWanted { deliver(input) }
    return .none
  }

  private func deliver(_ value: Downstream.Input) {
    let further = turn.run { downstream.receive(value) }
    if further > .none { ask(further) }
  }

  /// Asks every publisher, after the values that are kept.
  private func ask(_ further: Subscribers.Demand) {
    lock.run { demand += further }
    while let value = nextKept() { deliver(value) }
    for subscription in lock.run({ subscriptions.compactMap(\.subscription) }) { subscription.request(further) }
    finishIfDone()
  }

  private func nextKept() -> Downstream.Input? {
    lock.run {
      guard !isOver, demand > .none, let index = kept.firstIndex(where: { $0 != nil }) else { return nil }
      demand -= 1
      defer { kept[index] = nil }
      return kept[index]
    }
  }

  private func receive(_ completion: Subscribers.Completion<Downstream.Failure>, of index: Int) {
    lock.run { subscriptions[index] = .over }
    guard case .failure = completion else { return finishIfDone() }
    end(with: completion)
  }

  private func finishIfDone() {
    let isDone = lock.run { !isOver && subscriptions.allSatisfy(\.isOver) && kept.allSatisfy { $0 == nil } }
    if isDone { end(with: .finished) }
  }

  private func end(with completion: Subscribers.Completion<Downstream.Failure>?) {
    let (isMine, ended): (Bool, [any Subscription]) = lock.run {
      guard !isOver else { return (false, []) }
      isOver = true
      let ended = subscriptions.compactMap(\.subscription)
      for index in subscriptions.indices { (subscriptions[index], kept[index]) = (.over, nil) }
      return (true, ended)
    }
    for subscription in ended { subscription.cancel() }
    if isMine, let completion { turn.run { downstream.receive(completion: completion) } }
  }

  func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    if !lock.run({ isOver }) { ask(demand) }
  }

  func cancel() { end(with: nil) }
}
