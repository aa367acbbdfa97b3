/// A subscriber that hands values on one by one and leaves the subscription to its downstream.
struct Passage<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Named {
  let name: String
  let downstream: Downstream
  let combineIdentifier = CombineIdentifier()
  private let value: (Input) -> Subscribers.Demand
  private let shown: () -> [Mirror.Child]
  private let ending: ((Subscribers.Completion<Failure>) -> Void)?

  /// - Parameters:
  ///   - shown: What the debugger shows.
  ///   - ending: Takes the completion; nil to hand it on with the same failure.
  ///   - value: Takes a value; the demand that it returns is the upstream's.
  init(
    _ name: String, to downstream: Downstream, shown: @escaping () -> [Mirror.Child] = { [] },
    ending: ((Subscribers.Completion<Failure>) -> Void)? = nil, value: @escaping (Input) -> Subscribers.Demand
  ) {
    (self.name, self.downstream, self.shown) = (name, downstream, shown)
    (self.ending, self.value) = (ending, value)
  }

  var parts: [Mirror.Child] { shown() }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { value(input) }

  func receive(completion: Subscribers.Completion<Failure>) {
    if let ending { return ending(completion) }
    downstream.receive(completion: completion.as(Downstream.Failure.self))
  }
}

extension Subscribers.Completion {
  /// The same completion, where the failure is of the other type: the same type, or any error.
  func `as`<Other: Error>(_ type: Other.Type) -> Subscribers.Completion<Other> { mapError { certain($0) } }
}

/// Where a subscriber with a subscription of its own stands.
enum Standing {
  case waiting
  case subscribed(any Subscription)
  case over

  /// Whether the subscription has come and the end has not.
  var isSubscribed: Bool { subscription != nil }

  var isOver: Bool {
    if case .over = self { true } else { false }
  }

  var subscription: (any Subscription)? {
    if case .subscribed(let subscription) = self { subscription } else { nil }
  }

  /// Goes over, and returns the subscription to be cancelled.
  mutating func end() -> (any Subscription)? {
    defer { self = .over }
    return subscription
  }
}

/// A subscriber that is its downstream's subscription: the part that most operators have in common.
class Stage<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
  let downstream: Downstream
  let lock = Lock()
  /// Under the lock.
  final var standing = Standing.waiting

  init(_ downstream: Downstream) { self.downstream = downstream }

  /// Takes the first subscription, and cancels any other.
  final func accept(_ subscription: any Subscription) -> Bool {
    let isFirst = lock.run {
      guard case .waiting = standing else { return false }
      standing = .subscribed(subscription)
      return true
    }
    if !isFirst { subscription.cancel() }
    return isFirst
  }

  /// Goes over; false if it was, or if there is no subscription yet.
  final func finish() -> Bool {
    lock.run {
      guard standing.isSubscribed else { return false }
      standing = .over
      return true
    }
  }

  func receive(subscription: any Subscription) {
    if accept(subscription) { downstream.receive(subscription: self) }
  }

  func receive(_ input: Input) -> Subscribers.Demand { trap("not overridden") }

  func receive(completion: Subscribers.Completion<Failure>) {
    if finish() { downstream.receive(completion: completion.as(Downstream.Failure.self)) }
  }

  func request(_ demand: Subscribers.Demand) { lock.run { standing.subscription }?.request(demand) }

  func cancel() {
    let subscription = lock.run { standing.isSubscribed ? standing.end() : nil }
    subscription?.cancel()
  }
}

/// What an operator makes of a value.
enum Decision<Output> {
  case value(Output)
  case skip
  case end
}

/// Hands on what a closure makes of each value, which may also skip it, end the stream or throw.
final class TransformStage<Input, Failure: Error, Downstream: Subscriber>: Stage<Input, Failure, Downstream>, Named {
  /// What happens with a value and with a completion from a publisher that has given no subscription.
  enum Early { case trap, passValues, passBoth, ignore }

  let name: String
  private let early: Early
  private let shown: (TransformStage) -> [Mirror.Child]
  /// Whether values are taken after the end, as Combine's `TryMap` and `TryScan` do.
  private var isOpenEnded: Bool { early == .passValues }
  private let decide: (Input) throws -> Decision<Downstream.Input>
  private var isCancelledEarly = false

  init(
    _ name: String, to downstream: Downstream, early: Early, shown: @escaping (TransformStage) -> [Mirror.Child],
    decide: @escaping (Input) throws -> Decision<Downstream.Input>
  ) {
    (self.name, self.early, self.shown, self.decide) = (name, early, shown, decide)
    super.init(downstream)
  }

  var parts: [Mirror.Child] { shown(self) }

  override func receive(subscription: any Subscription) {
    if lock.run({ isCancelledEarly }) { return subscription.cancel() }
    super.receive(subscription: subscription)
  }

  private var current: Standing { lock.run { standing } }

  override func receive(_ input: Input) -> Subscribers.Demand {
    switch current {
    case .over where !isOpenEnded: return .none
    case .subscribed, .over: break
    case .waiting:
      switch early {
      case .trap: trap("\(name) received a value before a subscription")
      case .ignore: return .none
      case .passValues, .passBoth: break
      }
    }
    do {
      switch try decide(input) {
      case .value(let output): return downstream.receive(output)
      case .skip: return .max(1)
      case .end: end(.finished)
      }
    } catch { end(.failure(certain(error))) }
    return .none
  }

  private func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let (wasOver, subscription) = lock.run { (standing.isOver, standing.end()) }
    subscription?.cancel()
    if !wasOver || isOpenEnded { downstream.receive(completion: completion) }
  }

  override func receive(completion: Subscribers.Completion<Failure>) {
    let isHandedOn: Bool
    switch current {
    case .over: isHandedOn = false
    case .subscribed: isHandedOn = true
    case .waiting:
      if early == .trap { trap("\(name) received a completion before a subscription") }
      isHandedOn = early == .passBoth
    }
    guard isHandedOn else { return }
    lock.run { standing = .over }
    downstream.receive(completion: completion.as(Downstream.Failure.self))
  }

  override func request(_ demand: Subscribers.Demand) {
    if early == .trap, case .waiting = current { trap("\(name) was asked for values before a subscription") }
    super.request(demand)
  }

  override func cancel() {
    lock.run { if early == .trap, case .waiting = standing { isCancelledEarly = true } }
    super.cancel()
  }

  /// What the debugger shows of most of them.
  static func showDownstream(_ stage: TransformStage) -> [Mirror.Child] { [("downstream", stage.downstream)] }
  static func showNothing(_ stage: TransformStage) -> [Mirror.Child] { [] }
  static func showCoding(_ stage: TransformStage) -> [Mirror.Child] {
    let standing = stage.current
    return [
      ("downstream", stage.downstream), ("finished", standing.isOver),
      ("upstreamSubscription", standing.subscription as Any),
    ]
  }
}
