/// A sequence of values over time, ended by a completion or by nothing.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Attaches a subscriber. Callers use `subscribe(_:)`.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber, which is then given a subscription.
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    // An erased subscriber is taken out of its box, so that its own type reaches the publisher.
    if let erased = subscriber as? AnySubscriber<Output, Failure>, let box = erased.box {
      return box.subscribe(to: self)
    }
    receive(subscriber: subscriber)
  }

  /// Attaches a subject, which hands the values on to its own subscribers.
  ///
  /// - Returns: Ends the subscription, at its release at the latest.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// A publisher that publishes nothing before `connect()`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// - Returns: Disconnects, at its release at the latest.
  func connect() -> any Cancellable
}

/// The namespace of the publishers that operators return.
public enum Publishers {}
/// The namespace of the ready-made subscribers.
public enum Subscribers {}
/// The namespace of the ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that neither gives nor ends anything.
  public static var empty: any Subscription { EmptySubscription.shared }
}

final class EmptySubscription: Subscription, Named {
  static let shared = EmptySubscription()
  let name = "Empty"
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

public protocol TopLevelEncoder<Output> {
  associatedtype Output
  func encode<T: Encodable>(_ value: T) throws -> Output
}

public protocol TopLevelDecoder<Input> {
  associatedtype Input
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Something that can be ended.
public protocol Cancellable {
  func cancel()
}

/// A subscriber's connection to its publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Allows further values; requests add up.
  func request(_ demand: Subscribers.Demand)
}

/// Takes what a publisher publishes: one subscription, then values as far as it asks for them, then at most one completion.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  /// - Returns: How many values it wants beyond those it has asked for.
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The identity of a subscriber or of a subscription.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private static let counter = Counter()
  private let rawValue: UInt64

  /// A new one.
  public init() { rawValue = Self.counter.next() }

  /// That of an object.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  public var description: String { "0x" + String(rawValue, radix: 16) }
}

private final class Counter: @unchecked Sendable {
  private let lock = Lock()
  private var value: UInt64 = 0

  func next() -> UInt64 {
    lock.run {
      value += 1
      return value
    }
  }
}

public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// What the module's own subscribers and subscriptions show in the debugger.
protocol Named: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var name: String { get }
  var parts: [Mirror.Child] { get }
}

extension Named {
  var parts: [Mirror.Child] { [] }
  public var description: String { name }
  public var playgroundDescription: Any { description }
  public var customMirror: Mirror { Mirror(self, children: parts) }
}
