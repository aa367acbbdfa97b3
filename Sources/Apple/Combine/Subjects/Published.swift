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

/// An object that announces its changes.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before a change.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The publisher that each `@Published` property of the object, and of its superclasses, announces its changes through.
  public var objectWillChange: ObservableObjectPublisher {
    var properties: [any PublishedProperty] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        if let wrapper = child.value as? any PublishedWrapper { properties.append(wrapper.property) }
      }
      mirror = level.superclassMirror
    }
    let publisher = properties.lazy.compactMap(\.objectWillChange).first ?? OwnedPublishers.shared.publisher(of: self)
    for property in properties where property.objectWillChange == nil { property.objectWillChange = publisher }
    return publisher
  }
}

/// Announces the changes of an object to all its subscribers, whatever they have asked for.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
  public typealias Output = Void
  public typealias Failure = Never

  private let lock = Lock()
  private var receivers: [ChangeConduit] = []

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    let conduit = ChangeConduitTo(subscriber, parent: self)
    lock.run { receivers.append(conduit) }
    subscriber.receive(subscription: conduit)
  }

  public func send() {
    for receiver in lock.run({ receivers }) { receiver.send() }
  }

  fileprivate func remove(_ conduit: ChangeConduit) { lock.run { receivers.removeAll { $0 === conduit } } }
}

private class ChangeConduit {
  func send() {}
}

private final class ChangeConduitTo<Downstream: Subscriber>: ChangeConduit, Subscription, Named
where Downstream.Input == Void, Downstream.Failure == Never {
  let name = "ObservableObjectPublisher"
  private let lock = Lock()
  private let turn = RecursiveLock()
  private var downstream: Downstream?
  private weak var parent: ObservableObjectPublisher?

  init(_ downstream: Downstream, parent: ObservableObjectPublisher) {
    (self.downstream, self.parent) = (downstream, parent)
  }

  var parts: [Mirror.Child] { lock.run { downstream }.map { [("downstream", $0)] } ?? [] }

  override func send() {
    guard let receiver = lock.run({ downstream }) else { return }
    _ = turn.run { receiver.receive() }
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    let released = lock.run {
      defer { downstream = nil }
      return downstream
    }
    if released != nil { parent?.remove(self) }
  }
}

/// The publishers of objects without a `@Published` property, which have no place for it.
private final class OwnedPublishers: @unchecked Sendable {
  static let shared = OwnedPublishers()

  private struct Entry {
    weak var owner: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private let lock = Lock()
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var limit = 64

  func publisher(of owner: AnyObject) -> ObservableObjectPublisher {
    lock.run {
      let key = ObjectIdentifier(owner)
      // An address may be that of an object which is gone.
      if let entry = entries[key], entry.owner != nil { return entry.publisher }
      if entries.count >= limit {
        entries = entries.filter { $0.value.owner != nil }
        limit = max(64, entries.count * 2)
      }
      let publisher = ObservableObjectPublisher()
      entries[key] = Entry(owner: owner, publisher: publisher)
      return publisher
    }
  }
}
