extension Publishers {
  /// Publishes a value when no other has come for a time.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let dueTime: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      (self.upstream, self.dueTime, self.scheduler, self.options) = (upstream, dueTime, scheduler, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Debouncing(self, to: subscriber))
    }
  }

  /// Publishes at most one value in a time: the first or the last.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let latest: Bool

    public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
      (self.upstream, self.interval, self.scheduler, self.latest) = (upstream, interval, scheduler, latest)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Throttling(self, to: subscriber))
    }
  }

  /// Ends when no value has come for a time.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?
    public let customError: (() -> Failure)?

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      (self.upstream, self.interval, self.scheduler) = (upstream, interval, scheduler)
      (self.options, self.customError) = (options, customError)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(TimeLimit(self, to: subscriber))
    }
  }
}

private final class Debouncing<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Debounce"
  private let scheduler: Context
  private let dueTime: Context.SchedulerTimeType.Stride
  private let options: Context.SchedulerOptions?
  private var demand = Subscribers.Demand.none
  private var current: Upstream.Output?
  private var generation = 0
  private var timer: (any Cancellable)?

  init(_ debounce: Publishers.Debounce<Upstream, Context>, to downstream: Downstream) {
    // Not the whole: the publisher above may hold this.
    (scheduler, dueTime, options) = (debounce.scheduler, debounce.dueTime, debounce.options)
    super.init(downstream)
  }

  var parts: [Mirror.Child] {
    lock.run { [("downstream", downstream), ("downstreamDemand", demand), ("currentValue", current as Any)] }
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let (number, previous): (Int?, (any Cancellable)?) = lock.run {
      guard standing.isSubscribed else { return (nil, nil) }
      generation += 1
      current = input
      defer { timer = nil }
      return (generation, timer)
    }
    guard let number else { return .none }
    previous?.cancel()
    let next = scheduler.schedule(
      after: scheduler.now.advanced(by: dueTime), interval: dueTime,
      tolerance: scheduler.minimumTolerance, options: options
    ) {
      self.fire(number)
    }
    let isLate = lock.run {
      guard standing.isSubscribed, generation == number, current != nil else { return true }
      timer = next
      return false
    }
    if isLate { next.cancel() }
    return .none
  }

  private func fire(_ number: Int) {
    let (value, ended, isWanted): (Upstream.Output?, (any Cancellable)?, Bool) = lock.run {
      guard standing.isSubscribed, generation == number, let value = current else { return (nil, nil, false) }
      defer { (timer, current) = (nil, nil) }
      let isWanted = demand > .none
      demand -= isWanted ? 1 : 0
      return (value, timer, isWanted)
    }
    ended?.cancel()
    // A value that is not wanted at its time is dropped.
    guard let value, isWanted else { return }
    let further = downstream.receive(value)
    lock.run { demand += further }
  }

  private func stop() -> (any Cancellable)? {
    lock.run {
      defer { (timer, current) = (nil, nil) }
      return timer
    }
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    guard finish() else { return }
    stop()?.cancel()
    scheduler.schedule { [downstream] in downstream.receive(completion: completion) }
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    lock.run { if standing.isSubscribed { self.demand += demand } }
  }

  override func cancel() {
    super.cancel()
    stop()?.cancel()
  }
}

private final class Throttling<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>: Subscriber,
  Subscription, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Throttle"
  private let scheduler: Context
  private let interval: Context.SchedulerTimeType.Stride
  private let latest: Bool
  private let lock = Lock()
  private var downstream: Downstream?
  private var standing = Standing.waiting
  private var demand = Subscribers.Demand.none
  private var pending: Upstream.Output?
  private var ending: Subscribers.Completion<Upstream.Failure>?
  /// Whether a delivery is scheduled.
  private var isScheduled = false
  private var last: Context.SchedulerTimeType?

  init(_ throttle: Publishers.Throttle<Upstream, Context>, to downstream: Downstream) {
    (scheduler, interval, latest) = (throttle.scheduler, throttle.interval, throttle.latest)
    self.downstream = downstream
    _ = scheduler.now
  }

  func receive(subscription: any Subscription) {
    let (isFirst, receiver): (Bool, Downstream?) = lock.run {
      guard case .waiting = standing else { return (false, nil) }
      standing = .subscribed(subscription)
      return (true, downstream)
    }
    guard isFirst else { return subscription.cancel() }
    _ = scheduler.now
    subscription.request(.unlimited)
    receiver?.receive(subscription: self)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    guard lock.run({ standing.isSubscribed && ending == nil }) else { return .none }
    let now = scheduler.now
    let wait: Wait = lock.run {
      if demand == .none { return .no }
      if pending == nil || latest { pending = input }
      guard !isScheduled else { return .no }
      isScheduled = true
      guard let last else { return .now }
      let due = last.advanced(by: interval)
      return due > now ? .until(due) : .now
    }
    switch wait {
    case .no: break
    case .now: scheduler.schedule { self.deliver() }
    case .until(let due):
      scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: nil) { self.deliver() }
    }
    return .none
  }

  private enum Wait {
    case no, now
    case until(Context.SchedulerTimeType)
  }

  private func deliver() {
    let (value, receiver, completion): (Upstream.Output?, Downstream?, Subscribers.Completion<Upstream.Failure>?) =
      lock.run {
        isScheduled = false
        defer { pending = nil }
        if pending != nil { demand -= 1 }
        if ending != nil { standing = .over }
        return (pending, downstream, ending)
      }
    guard let receiver else { return }
    if completion == nil {
      let now = scheduler.now
      lock.run { last = now }
    }
    if let value {
      let further = receiver.receive(value)
      lock.run { demand += further }
    }
    guard let completion else { return }
    let isMine = lock.run {
      defer { downstream = nil }
      return downstream != nil
    }
    if isMine { receiver.receive(completion: completion) }
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let isMine: (Bool, schedule: Bool) = lock.run {
      guard standing.isSubscribed, ending == nil else { return (false, false) }
      ending = completion
      return (true, !isScheduled)
    }
    guard isMine.0 else { return }
    _ = scheduler.now
    if isMine.schedule { scheduler.schedule { self.deliver() } }
  }

  func request(_ demand: Subscribers.Demand) {
    lock.run { if !standing.isOver { self.demand += demand } }
  }

  func cancel() {
    let (subscription, released): ((any Subscription)?, Downstream?) = lock.run {
      defer { (downstream, pending) = (nil, nil) }
      return (standing.end(), downstream)
    }
    subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}

private final class TimeLimit<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Timeout"
  private let interval: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let customError: (() -> Upstream.Failure)?
  private let turn = RecursiveLock()
  private var timer: (any Cancellable)?
  private var generation = 0
  private var hasTimedOut = false

  init(_ timeout: Publishers.Timeout<Upstream, Context>, to downstream: Downstream) {
    (interval, scheduler) = (timeout.interval, timeout.scheduler)
    (options, customError) = (timeout.options, timeout.customError)
    super.init(downstream)
  }

  private func restart() {
    let (number, previous) = lock.run {
      generation += 1
      defer { timer = nil }
      return (generation, timer)
    }
    previous?.cancel()
    let next = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval,
      tolerance: scheduler.minimumTolerance, options: options
    ) {
      self.fire(number)
    }
    lock.run { if generation == number { timer = next } }
  }

  private func fire(_ number: Int) {
    let (isMine, subscription, ended): (Bool, (any Subscription)?, (any Cancellable)?) = lock.run {
      guard !standing.isOver, !hasTimedOut, generation == number else { return (false, nil, nil) }
      hasTimedOut = true
      defer { timer = nil }
      return (true, standing.end(), timer)
    }
    guard isMine else { return }
    ended?.cancel()
    subscription?.cancel()
    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
    turn.run { downstream.receive(completion: completion) }
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    restart()
    downstream.receive(subscription: self)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    guard lock.run({ standing.isSubscribed }) else { return .none }
    restart()
    scheduler.schedule(options: options) { [self] in
      guard let subscription = lock.run({ standing.subscription }) else { return }
      let further = turn.run { downstream.receive(input) }
      if further > .none { subscription.request(further) }
    }
    return .none
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    guard lock.run({ standing.isSubscribed }) else { return }
    stop()?.cancel()
    scheduler.schedule(options: options) { [self] in
      if finish() { turn.run { downstream.receive(completion: completion) } }
    }
  }

  override func request(_ demand: Subscribers.Demand) {
    guard let subscription = lock.run({ standing.subscription }) else { return }
    restart()
    subscription.request(demand)
  }

  private func stop() -> (any Cancellable)? {
    lock.run {
      generation += 1
      defer { timer = nil }
      return timer
    }
  }

  override func cancel() {
    super.cancel()
    stop()?.cancel()
  }
}

extension Publisher {
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }

  /// - Parameter latest: Whether the last value of the time is published; otherwise the first.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }

  /// - Parameter customError: Makes the failure; nil to finish.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}
