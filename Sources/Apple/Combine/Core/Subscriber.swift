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
