import Foundation

/// Ends a subscription, at its release at the latest.
public final class AnyCancellable: Hashable {
  private var ending: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { ending = cancel }
  deinit { cancel() }

  public func cancel() {
    ending?()
    ending = nil
  }

  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Hands each value to those who have subscribed by then, in the order of their subscriptions.
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private let lock = NSLock()
  private var receivers: [(number: Int, receive: (Output) -> Void)] = []
  private var next = 0

  public init() {}

  public func send(_ value: Output) {
    // Called without the lock: a receiver may subscribe, or send.
    for receiver in lock.withLock({ receivers }) { receiver.receive(value) }
  }

  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    let number = lock.withLock {
      next += 1
      receivers.append((next, receiveValue))
      return next
    }
    return AnyCancellable { [weak self] in
      guard let self else { return }
      lock.withLock { receivers.removeAll { $0.number == number } }
    }
  }
}

extension PassthroughSubject where Output == Void {
  public func send() { send(()) }
}

/// A property whose values are published: the present one at once, a new one before it is stored, as with Apple's.
@propertyWrapper public final class Published<Value> {
  private let lock = NSLock()
  private let subject = PassthroughSubject<Value, Never>()
  private var value: Value

  public init(wrappedValue: Value) { value = wrappedValue }

  public var wrappedValue: Value {
    get { lock.withLock { value } }
    set {
      subject.send(newValue)
      lock.withLock { value = newValue }
    }
  }

  public var projectedValue: Stage<Value, Never> {
    Stage { receive in
      receive(self.wrappedValue)
      return self.subject.sink(receiveValue: receive)
    }
  }
}

/// An object whose changes a view observes; there is no view here.
public protocol ObservableObject: AnyObject {}
