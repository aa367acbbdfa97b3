#if canImport(Glibc)
  import Glibc
#endif

extension Publishers {
  /// Writes a line for each event.
  public struct Print<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let prefix: String
    public let upstream: Upstream
    public let stream: (any TextOutputStream)?

    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      (self.upstream, self.prefix, self.stream) = (upstream, prefix, stream)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Printing(self, to: subscriber))
    }
  }

  /// Calls closures for events.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public var receiveSubscription: ((any Subscription) -> Void)?
    public var receiveOutput: ((Output) -> Void)?
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    public var receiveCancel: (() -> Void)?
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      (self.receiveSubscription, self.receiveOutput) = (receiveSubscription, receiveOutput)
      (self.receiveCompletion, self.receiveCancel) = (receiveCompletion, receiveCancel)
      self.receiveRequest = receiveRequest
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(EventHandling(self, to: subscriber))
    }
  }

  /// Raises a signal for the debugger.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let receiveSubscription: ((any Subscription) -> Bool)?
    public let receiveOutput: ((Output) -> Bool)?
    public let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      (self.upstream, self.receiveSubscription) = (upstream, receiveSubscription)
      (self.receiveOutput, self.receiveCompletion) = (receiveOutput, receiveCompletion)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        BreakpointSubscriber<Upstream, S>(
          onSubscription: receiveSubscription, onOutput: receiveOutput, onCompletion: receiveCompletion,
          downstream: subscriber))
    }
  }

  /// Ends the process at a failure.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never
    public let upstream: Upstream
    public let prefix: String
    public let file: StaticString
    public let line: UInt

    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      (self.upstream, self.prefix, self.file, self.line) = (upstream, prefix, file, line)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.subscribe(
        Passage<Output, Upstream.Failure, S>(
          "AssertNoFailure", to: subscriber,
          shown: { [file, line, prefix] in [("file", file), ("line", line), ("prefix", prefix)] },
          ending: { [file, line, prefix] in
            guard case .failure(let error) = $0 else { return subscriber.receive(completion: .finished) }
            let start = prefix.isEmpty ? "" : prefix + ": "
            fatalError("\(start)\(error)", file: file, line: line)
          }, value: subscriber.receive(_:)))
    }
  }
}

private final class Printing<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Print"
  private let prefix: String
  private var stream: (any TextOutputStream)?
  private let writing = RecursiveLock()

  init(_ printed: Publishers.Print<Upstream>, to downstream: Downstream) {
    prefix = printed.prefix.isEmpty ? "" : printed.prefix + ": "
    stream = printed.stream
    super.init(downstream)
  }

  private func write(_ text: String) {
    writing.run {
      guard stream != nil else { return Swift.print(prefix + text) }
      for part in ["", prefix + text, "\n"] { stream?.write(part) }
    }
  }

  private func write(_ demand: Subscribers.Demand, _ suffix: String = "") {
    write("request " + (demand.max.map { "max: (\($0))" } ?? "unlimited") + suffix)
  }

  override func receive(subscription: any Subscription) {
    write("receive subscription: (\(subscription))")
    super.receive(subscription: subscription)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    write("receive value: (\(input))")
    let further = downstream.receive(input)
    if further > .none { write(further, " (synchronous)") }
    return further
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    switch completion {
    case .finished: write("receive finished")
    case .failure(let error): write("receive error: (\(error))")
    }
    lock.run { standing = .over }
    downstream.receive(completion: completion)
  }

  override func request(_ demand: Subscribers.Demand) {
    write(demand)
    super.request(demand)
  }

  override func cancel() {
    write("receive cancel")
    super.cancel()
  }
}

private final class EventHandling<Upstream: Publisher, Downstream: Subscriber>:
  Stage<Upstream.Output, Upstream.Failure, Downstream>, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "HandleEvents"
  /// nil after the end: the closures are released.
  private var events: Handlers?

  /// Not the whole: the publisher above may hold this.
  private struct Handlers {
    let receiveSubscription: ((any Subscription) -> Void)?
    let receiveOutput: ((Upstream.Output) -> Void)?
    let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
    let receiveCancel: (() -> Void)?
    let receiveRequest: ((Subscribers.Demand) -> Void)?
  }

  init(_ events: Publishers.HandleEvents<Upstream>, to downstream: Downstream) {
    self.events = Handlers(
      receiveSubscription: events.receiveSubscription, receiveOutput: events.receiveOutput,
      receiveCompletion: events.receiveCompletion, receiveCancel: events.receiveCancel,
      receiveRequest: events.receiveRequest)
    super.init(downstream)
  }

  private var handlers: Handlers? { lock.run { events } }

  private func release() -> Handlers? {
    lock.run {
      defer { events = nil }
      return events
    }
  }

  override func receive(subscription: any Subscription) {
    handlers?.receiveSubscription?(subscription)
    super.receive(subscription: subscription)
  }

  override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    handlers?.receiveOutput?(input)
    let further = downstream.receive(input)
    if further > .none { handlers?.receiveRequest?(further) }
    return further
  }

  override func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    release()?.receiveCompletion?(completion)
    lock.run { standing = .over }
    downstream.receive(completion: completion)
  }

  override func request(_ demand: Subscribers.Demand) {
    handlers?.receiveRequest?(demand)
    super.request(demand)
  }

  override func cancel() {
    (lock.run { standing.isSubscribed } ? release() : handlers)?.receiveCancel?()
    super.cancel()
  }
}

private struct BreakpointSubscriber<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Named
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let name = "Breakpoint"
  let onSubscription: ((any Subscription) -> Bool)?
  let onOutput: ((Upstream.Output) -> Bool)?
  let onCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?
  let downstream: Downstream
  let combineIdentifier = CombineIdentifier()

  private func stop(_ isDue: Bool?) { if isDue == true { raise(SIGTRAP) } }

  func receive(subscription: any Subscription) {
    stop(onSubscription?(subscription))
    downstream.receive(subscription: subscription)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    stop(onOutput?(input))
    return downstream.receive(input)
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    stop(onCompletion?(completion))
    downstream.receive(completion: completion)
  }
}

extension Publisher {
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }

  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }

  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }

  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
