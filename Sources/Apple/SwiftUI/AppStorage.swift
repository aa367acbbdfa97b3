public import Foundation

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
