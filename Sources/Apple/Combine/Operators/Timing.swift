extension Publishers {
  /// Delivers values and the completion through a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        NamedHop<Upstream, S>("ReceiveOn", to: subscriber) { [scheduler, options] in
          scheduler.schedule(options: options, $0)
        })
    }
  }

  /// Delivers values and the completion later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let tolerance: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      (self.upstream, self.interval, self.tolerance) = (upstream, interval, tolerance)
      (self.scheduler, self.options) = (scheduler, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Hop<Upstream, S>(to: subscriber) { [scheduler, interval, tolerance, options] in
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, $0)
        })
    }
  }

  /// Subscribes, asks and cancels through a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = ScheduledSubscription<Upstream, S>(subscriber) { [scheduler, options] in
        scheduler.schedule(options: options, $0)
      }
      scheduler.schedule(options: options) { [upstream] in upstream.subscribe(inner) }
    }
  }

  /// Publishes the time between values.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context

    public init(upstream: Upstream, scheduler: Context) { (self.upstream, self.scheduler) = (upstream, scheduler) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(IntervalMeasure<Upstream, Context, S>(subscriber, scheduler: scheduler))
    }
  }
}

/// Hands everything but the subscription on through a scheduler, in its order.
private class Hop<Upstream: Publisher, Downstream: Subscriber>: Stage<Upstream.Output, Upstream.Failure, Downstream>
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  private let schedule: (@escaping () -> Void) -> Void
  private let turn = RecursiveLock()
  private var isEnding = false

  init(to downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
    self.schedule = schedule
    super.init(downstream)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    if lock.run({ standing.isSubscribed && !isEnding }) { schedule { self.deliver(input) } }
    return .none
  }

  private func deliver(_ input: Upstream.Output) {
    // What is scheduled when the subscription is cancelled is dropped.
    guard let subscription = lock.run({ standing.subscription }) else { return }
    let further = turn.run { downstream.receive(input) }
    if further > .none, lock.run({ standing.isSubscribed }) { subscription.request(further) }
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let isMine = lock.run {
      guard standing.isSubscribed, !isEnding else { return false }
      isEnding = true
      return true
    }
    guard isMine else { return }
    schedule {
      // Even after a cancellation, as Combine does.
      self.lock.run { self.standing = .over }
      self.turn.run { self.downstream.receive(completion: completion) }
    }
  }
}

private final class NamedHop<Upstream: Publisher, Downstream: Subscriber>: Hop<Upstream, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name: String

  init(_ name: String, to downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
    self.name = name
    super.init(to: downstream, schedule: schedule)
  }
}

private final class ScheduledSubscription<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "SubscribeOn"
  private let schedule: (@escaping () -> Void) -> Void

  init(_ downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
    self.schedule = schedule
    super.init(downstream)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    lock.run { standing.isSubscribed } ? downstream.receive(input) : .none
  }

  override func request(_ demand: Subscribers.Demand) {
    guard let subscription = lock.run({ standing.subscription }) else { return }
    schedule { subscription.request(demand) }
  }

  override func cancel() {
    guard let subscription = lock.run({ standing.isSubscribed ? standing.end() : nil }) else { return }
    schedule { subscription.cancel() }
  }
}

private final class IntervalMeasure<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Context.SchedulerTimeType.Stride, Downstream.Failure == Upstream.Failure {
  let name = "MeasureInterval"
  private let scheduler: Context
  private var last: Context.SchedulerTimeType?

  init(_ downstream: Downstream, scheduler: Context) {
    self.scheduler = scheduler
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    last = scheduler.now
    downstream.receive(subscription: self)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    guard lock.run({ standing.isSubscribed }), let previous = last else { return .none }
    let now = scheduler.now
    last = now
    let further = downstream.receive(previous.distance(to: now))
    if further > .none { lock.run { standing.subscription }?.request(further) }
    return .none
  }
}

extension Publisher {
  /// Delivers values and the completion through a scheduler, even to where they already are.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }

  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }

  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
