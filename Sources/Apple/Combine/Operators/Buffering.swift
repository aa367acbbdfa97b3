extension Publishers {
  /// How a buffer asks for values.
  public enum PrefetchStrategy {
    /// As many as the buffer has room for.
    case keepFull
    /// Without a limit.
    case byRequest
  }

  /// What a buffer does with a value that it has no room for.
  public enum BufferingStrategy<Failure: Error> {
    case dropNewest
    case dropOldest
    case customError(() -> Failure)
  }

  /// Keeps values until they are asked for.
  public struct Buffer<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let size: Int
    public let prefetch: PrefetchStrategy
    public let whenFull: BufferingStrategy<Failure>

    public init(upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>) {
      (self.upstream, self.size, self.prefetch, self.whenFull) = (upstream, size, prefetch, whenFull)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Buffering(self, to: subscriber))
    }
  }

  /// How `collect` groups values by time.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// A group at each end of an interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// A group at each end of an interval, and at each number of values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// Publishes the values of each interval as an array.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let strategy: TimeGroupingStrategy<Context>
    public let options: Context.SchedulerOptions?

    public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
      (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(TimedGroups(self, to: subscriber))
    }
  }
}

private final class Buffering<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Buffer"
  private let size: Int
  private let prefetch: Publishers.PrefetchStrategy
  private let whenFull: Publishers.BufferingStrategy<Upstream.Failure>
  private var values: [Upstream.Output] = []
  private var demand = Subscribers.Demand.none
  private var terminal: Subscribers.Completion<Upstream.Failure>?
  private var isServing = false

  init(_ buffer: Publishers.Buffer<Upstream>, to downstream: Downstream) {
    // Not the whole: the publisher above may hold this.
    (size, prefetch, whenFull) = (buffer.size, buffer.prefetch, buffer.whenFull)
    super.init(downstream)
  }

  var parts: [Mirror.Child] {
    lock.run {
      [("values", values), ("state", standing), ("downstreamDemand", demand), ("terminal", terminal as Any)]
    }
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    switch prefetch {
    case .keepFull: subscription.request(.max(size))
    case .byRequest: subscription.request(.unlimited)
    }
    downstream.receive(subscription: self)
  }

  private enum Reception { case kept, refused, full }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let reception: Reception = lock.run {
      guard standing.isSubscribed else { return .refused }
      if case .failure = terminal { return .refused }
      if values.count < size {
        values.append(input)
        return .kept
      }
      switch whenFull {
      case .dropNewest: break
      case .dropOldest:
        if !values.isEmpty { values.removeFirst() }
        values.append(input)
      case .customError: return .full
      }
      return .kept
    }
    switch reception {
    case .refused: return .none
    case .kept: return serve()
    case .full: break
    }
    // The app's closure is called outside the lock.
    guard case .customError(let makeError) = whenFull else { return .none }
    let error = makeError()
    let subscription: (any Subscription)? = lock.run {
      guard terminal == nil else { return nil }
      terminal = .failure(error)
      return standing.subscription
    }
    subscription?.cancel()
    return .none
  }

  /// Delivers what is wanted.
  ///
  /// - Returns: How many values the buffer has room for again, where it is kept full.
  private func serve() -> Subscribers.Demand {
    var room = Subscribers.Demand.none
    while let value = next() {
      let further = downstream.receive(value)
      lock.run { demand += further }
      room += 1
    }
    let completion: Subscribers.Completion<Upstream.Failure>? = lock.run {
      guard standing.isSubscribed, values.isEmpty, let terminal else { return nil }
      standing = .over
      return terminal
    }
    if let completion { downstream.receive(completion: completion) }
    return prefetch == .keepFull ? room : .none
  }

  private func next() -> Upstream.Output? {
    lock.run {
      guard standing.isSubscribed, demand > .none, !values.isEmpty else { return nil }
      demand -= 1
      return values.removeFirst()
    }
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    let isMine = lock.run {
      guard standing.isSubscribed, terminal == nil else { return false }
      terminal = completion
      return true
    }
    if isMine { _ = serve() }
  }

  override func request(_ demand: Subscribers.Demand) {
    lock.run { if standing.isSubscribed { self.demand += demand } }
    let room = serve()
    if room > .none { lock.run { standing.subscription }?.request(room) }
  }

  override func cancel() {
    lock.run { values = [] }
    super.cancel()
  }
}

private final class TimedGroups<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
  let name = "CollectByTime"
  private let scheduler: Context
  private let interval: Context.SchedulerTimeType.Stride
  private let count: Int
  private let options: Context.SchedulerOptions?
  private var buffer: [Upstream.Output] = []
  private var demand = Subscribers.Demand.none
  private var timer: (any Cancellable)?

  init(_ collect: Publishers.CollectByTime<Upstream, Context>, to downstream: Downstream) {
    switch collect.strategy {
    case .byTime(let scheduler, let interval): (self.scheduler, self.interval, count) = (scheduler, interval, .max)
    case .byTimeOrCount(let scheduler, let interval, let count):
      (self.scheduler, self.interval, self.count) = (scheduler, interval, count)
    }
    options = collect.options
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    let new = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
      options: options
    ) { [weak self] in
      self?.flush()
    }
    lock.run { timer = new }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  /// Publishes the group, if there is one and it is wanted; an unwanted one is dropped.
  private func flush() {
    let group: [Upstream.Output]? = lock.run {
      guard standing.isSubscribed, !buffer.isEmpty else { return nil }
      defer { buffer = [] }
      guard demand > .none else { return nil }
      demand -= 1
      return buffer
    }
    guard let group else { return }
    let further = downstream.receive(group)
    lock.run { demand += further }
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    let isFull = lock.run {
      guard standing.isSubscribed else { return false }
      buffer.append(input)
      return buffer.count >= count
    }
    if isFull { scheduler.schedule(options: options) { self.flush() } }
    return .none
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    stop()
    scheduler.schedule(options: options) { [self] in
      if case .finished = completion { flush() }
      if finish() { downstream.receive(completion: completion) }
    }
  }

  private func stop() {
    let ended = lock.run {
      defer { timer = nil }
      return timer
    }
    ended?.cancel()
  }

  override func request(_ demand: Subscribers.Demand) {
    checkPositive(demand)
    lock.run { self.demand += demand }
  }

  override func cancel() {
    stop()
    super.cancel()
  }
}

extension Publisher {
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }

  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}
