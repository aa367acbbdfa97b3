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
