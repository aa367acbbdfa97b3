/// A property of a class whose values are published, each before it is stored.
@propertyWrapper
public struct Published<Value> {
  let storage: PublishedStorage<Value>

  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  public init(initialValue: Value) { storage = PublishedStorage(initialValue) }

  /// Publishes the property's values, the present one first.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    let subject: PublishedSubject<Value>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }

  public var projectedValue: Publisher {
    mutating get { Publisher(subject: storage.subject) }
    // Assigning one property's publisher to another's changes nothing, as with Apple's.
    nonmutating set {}
  }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.value = newValue }
  }
}

extension Published: @unchecked Sendable where Value: Sendable {}

/// What a property's values go through.
final class PublishedSubject<Value>: Subject {
  typealias Output = Value
  typealias Failure = Never

  private let broadcast: Broadcast<Value, Never>

  init(_ value: Value) { broadcast = Broadcast(current: value) }

  var value: Value { present(broadcast.value) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    broadcast.add(subscriber, name: "PublishedSubject", owner: self)
  }

  func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
  func send(_ value: Value) { broadcast.send(value, storing: .after) }
  func send(completion: Subscribers.Completion<Never>) { broadcast.send(completion: completion) }
}

/// The value alone, until someone asks for its publisher.
final class PublishedStorage<Value>: PublishedProperty, @unchecked Sendable {
  private let lock = Lock()
  private var plain: Value?
  private var made: PublishedSubject<Value>?
  private var change: ObservableObjectPublisher?

  init(_ value: Value) { plain = value }

  var subject: PublishedSubject<Value> {
    lock.run {
      if let made { return made }
      let subject = PublishedSubject(present(plain))
      (made, plain) = (subject, nil)
      return subject
    }
  }

  var value: Value {
    get { lock.run { made?.value ?? present(plain) } }
    set {
      let (publisher, subject) = lock.run { (change, made) }
      publisher?.send()
      if let subject { return subject.send(newValue) }
      // A receiver of the change may have asked for the publisher.
      let late = lock.run {
        if made == nil { plain = newValue }
        return made
      }
      late?.send(newValue)
    }
  }

  var objectWillChange: ObservableObjectPublisher? {
    get { lock.run { change } }
    set { lock.run { change = newValue } }
  }
}

/// A property of an observable object, whatever its value's type.
protocol PublishedProperty: AnyObject {
  var objectWillChange: ObservableObjectPublisher? { get set }
}

/// The wrapper of such a property.
protocol PublishedWrapper {
  var property: any PublishedProperty { get }
}

extension Published: PublishedWrapper {
  var property: any PublishedProperty { storage }
}
