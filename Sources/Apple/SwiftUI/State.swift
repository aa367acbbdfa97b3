public import Combine
public import Foundation

/// A value that someone else keeps.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

  /// A value that never changes.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public init(projectedValue: Binding<Value>) { self = projectedValue }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
  }

  /// The value, where it is not nil; nil otherwise.
  public init?(_ base: Binding<Value?>) {
    guard let first = base.wrappedValue else { return nil }
    var latest = first
    self.init(
      get: {
        latest = base.wrappedValue ?? latest
        return latest
      }, set: { base.wrappedValue = $0 })
  }

  public init<V>(_ base: Binding<V>) where Value == V? {
    self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

/// A property that a view would follow.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

extension Binding: DynamicProperty {}

private final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A value that a view would keep; copies share it.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let box: Box<Value>

  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public init(initialValue: Value) { box = Box(initialValue) }

  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    Binding(get: { [box] in box.value }, set: { [box] in box.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

/// Bindings to the properties of an observed object.
@dynamicMemberLookup
public struct ObservedWrapper<ObjectType: ObservableObject> {
  let object: ObjectType

  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
  ) -> Binding<Subject> {
    Binding(get: { [object] in object[keyPath: keyPath] }, set: { [object] in object[keyPath: keyPath] = $0 })
  }
}

/// An object that a view would follow.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  public typealias Wrapper = ObservedWrapper<ObjectType>

  public var wrappedValue: ObjectType

  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

/// An object that a view would keep: made at its first use.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private final class Maker {
    let make: () -> ObjectType
    lazy var object = make()
    init(_ make: @escaping () -> ObjectType) { self.make = make }
  }

  private let maker: Maker

  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { maker = Maker(thunk) }

  public var wrappedValue: ObjectType { maker.object }
  public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedWrapper(object: maker.object) }
}

/// An object that a view above would give.
///
/// There is none here: using it ends the process, as it does in a view that lacks it.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  public init() {}

  public var wrappedValue: ObjectType {
    fatalError("no ObservableObject of type \(ObjectType.self) found: there is no view above this one")
  }

  public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedWrapper(object: wrappedValue) }
}

/// Bindings to the properties of an object that Observation follows.
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public var projectedValue: Bindable<Value> { self }

  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding(
      get: { [wrappedValue] in wrappedValue[keyPath: keyPath] },
      set: { [wrappedValue] in wrappedValue[keyPath: keyPath] = $0 })
  }
}

/// A property in the user's defaults.
///
/// A value that is set is written at once, as a device's survives the end of the app's process.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
  private let read: () -> Value
  private let write: (Value) -> Void

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding<Value> { Binding(get: read, set: write) }

  private init(
    _ key: String, _ store: UserDefaults?, read: @escaping (UserDefaults) -> Value,
    write: @escaping (UserDefaults, Value) -> Void
  ) {
    let store = store ?? .standard
    self.read = { read(store) }
    self.write = {
      write(store, $0)
      store.synchronize()
    }
  }

  /// A value that the defaults have as it is.
  private init(plain key: String, _ store: UserDefaults?, _ initial: Value) {
    self.init(
      key, store, read: { $0.object(forKey: key) as? Value ?? initial }, write: { $0.set($1, forKey: key) })
  }
}

extension AppStorage {
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
    self.init(
      key, store, read: { $0.object(forKey: key) == nil ? wrappedValue : $0.bool(forKey: key) },
      write: { $0.set($1, forKey: key) })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
    self.init(
      key, store, read: { $0.object(forKey: key) == nil ? wrappedValue : $0.integer(forKey: key) },
      write: { $0.set($1, forKey: key) })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
    self.init(
      key, store, read: { $0.object(forKey: key) == nil ? wrappedValue : $0.double(forKey: key) },
      write: { $0.set($1, forKey: key) })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
    self.init(plain: key, store, wrappedValue)
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
    self.init(plain: key, store, wrappedValue)
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == URL {
    self.init(key, store, read: { $0.url(forKey: key) ?? wrappedValue }, write: { $0.set($1, forKey: key) })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == Int {
    self.init(
      key, store,
      read: { $0.object(forKey: key) == nil ? wrappedValue : Value(rawValue: $0.integer(forKey: key)) ?? wrappedValue },
      write: { $0.set($1.rawValue, forKey: key) })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == String {
    self.init(
      key, store, read: { $0.string(forKey: key).flatMap(Value.init(rawValue:)) ?? wrappedValue },
      write: { $0.set($1.rawValue, forKey: key) })
  }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
  private init<Wrapped>(
    optional key: String, _ store: UserDefaults?, _ type: Wrapped.Type, _ read: @escaping (UserDefaults) -> Wrapped
  ) where Value == Wrapped? {
    self.init(
      key, store, read: { $0.object(forKey: key) == nil ? nil : read($0) },
      write: { $1 == nil ? $0.removeObject(forKey: key) : $0.set($1, forKey: key) })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
    self.init(optional: key, store, Bool.self) { $0.bool(forKey: key) }
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
    self.init(optional: key, store, Int.self) { $0.integer(forKey: key) }
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
    self.init(optional: key, store, Double.self) { $0.double(forKey: key) }
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
    self.init(optional: key, store, String.self) { $0.string(forKey: key) ?? "" }
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
    self.init(optional: key, store, Data.self) { $0.data(forKey: key) ?? Data() }
  }
}
