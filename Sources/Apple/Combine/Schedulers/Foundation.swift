public import Foundation

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}

extension NotificationCenter {
  /// Publishes the notifications of a name, and of an object if one is given.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Notification
    public typealias Failure = Never

    public let center: NotificationCenter
    public let name: Notification.Name
    public let object: AnyObject?

    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      (self.center, self.name, self.object) = (center, name, object)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      subscriber.receive(subscription: NotificationSubscription(self, to: subscriber))
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.center == rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}

private final class NotificationSubscription<Downstream: Subscriber>: Subscription, Named, @unchecked Sendable
where Downstream.Input == Notification, Downstream.Failure == Never {
  let name = "NotificationCenter Observer"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private var demand = Subscribers.Demand.none
  private var publisher: NotificationCenter.Publisher?
  private var observer: (any NSObjectProtocol)?

  init(_ publisher: NotificationCenter.Publisher, to downstream: Downstream) {
    self.publisher = publisher
    observer = publisher.center.addObserver(forName: publisher.name, object: publisher.object, queue: nil) {
      [weak self] in
      self?.offer($0, to: downstream)
    }
  }

  deinit { if let observer { publisher?.center.removeObserver(observer) } }

  var parts: [Mirror.Child] {
    lock.run {
      [
        ("center", publisher?.center as Any), ("name", publisher?.name as Any), ("object", publisher?.object as Any),
        ("demand", demand),
      ]
    }
  }

  private func offer(_ notification: Notification, to downstream: Downstream) {
    let isWanted = lock.run {
      guard publisher != nil, demand > .none else { return false }
      demand -= 1
      return true
    }
    guard isWanted else { return }
    let further = turn.run { downstream.receive(notification) }
    lock.run { demand += further }
  }

  func request(_ demand: Subscribers.Demand) { lock.run { if publisher != nil { self.demand += demand } } }

  func cancel() {
    let (center, ended): (NotificationCenter?, (any NSObjectProtocol)?) = lock.run {
      defer { (publisher, observer) = (nil, nil) }
      return (publisher?.center, observer)
    }
    if let ended { center?.removeObserver(ended) }
  }
}

extension Timer {
  /// Publishes the date at each firing, once it is connected.
  ///
  /// The tolerance is ignored, as Foundation's own is.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
    public typealias Output = Date
    public typealias Failure = Never

    public let interval: TimeInterval
    public let tolerance: TimeInterval?
    public let runLoop: RunLoop
    public let mode: RunLoop.Mode
    public let options: RunLoop.SchedulerOptions?

    private let lock = Lock()
    private var receivers: [TickReceiver] = []

    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      (self.interval, self.tolerance, self.runLoop) = (interval, tolerance, runLoop)
      (self.mode, self.options) = (mode, options)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      let receiver = TickReceiverOf(subscriber) { [weak self] in self?.remove($0) }
      lock.run { receivers.append(receiver) }
      subscriber.receive(subscription: receiver)
    }

    public func connect() -> any Cancellable {
      // Foundation on Linux fires a timer without a date at once.
      let timer = Timer(fire: Date() + interval, interval: interval, repeats: true) { [self] _ in
        let date = Date()
        for receiver in lock.run({ receivers }) { receiver.tick(date) }
      }
      timer.tolerance = tolerance ?? 0
      runLoop.add(timer, forMode: mode)
      return TimerConnection(timer: timer, publisher: self)
    }

    fileprivate func remove(_ receiver: TickReceiver) { lock.run { receivers.removeAll { $0 === receiver } } }
    fileprivate func disconnect() { lock.run { receivers = [] } }
  }
}

/// Ends the timer, and the subscriptions: a second connection goes on for later subscribers only.
private final class TimerConnection: Cancellable {
  private let timer: Timer
  private let publisher: Timer.TimerPublisher

  init(timer: Timer, publisher: Timer.TimerPublisher) { (self.timer, self.publisher) = (timer, publisher) }

  func cancel() {
    timer.invalidate()
    publisher.disconnect()
  }
}

private class TickReceiver {
  func tick(_ date: Date) {}
}

private final class TickReceiverOf<Downstream: Subscriber>: TickReceiver, Subscription
where Downstream.Input == Date, Downstream.Failure == Never {
  private let lock = Lock()
  private let remove: (TickReceiver) -> Void
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none

  init(_ downstream: Downstream, remove: @escaping (TickReceiver) -> Void) {
    (self.downstream, self.remove) = (downstream, remove)
  }

  override func tick(_ date: Date) {
    let receiver: Downstream? = lock.run {
      guard demand > .none else { return nil }
      demand -= 1
      return downstream
    }
    guard let receiver else { return }
    let further = receiver.receive(date)
    lock.run { demand += further }
  }

  func request(_ demand: Subscribers.Demand) { lock.run { self.demand += demand } }

  func cancel() {
    let released = lock.run {
      defer { downstream = nil }
      return downstream
    }
    if released != nil { remove(self) }
  }
}
