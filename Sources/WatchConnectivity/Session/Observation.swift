public import Foundation
import Synchronization

/// Options of an observation, for source compatibility: both values always come if they are known.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = Self(rawValue: 1)
  public static let old = Self(rawValue: 2)
  /// The observer is called at once with the current value.
  public static let initial = Self(rawValue: 4)
  public static let prior = Self(rawValue: 8)
}

/// An observed change.
public struct NSKeyValueObservedChange<Value> {
  public let newValue: Value?
  public let oldValue: Value?
}

/// An observation, which ends when it is invalidated or released.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) { self.end = end }

  deinit { invalidate() }

  /// Ends it.
  public func invalidate() {
    lock.lock()
    let end = self.end
    self.end = nil
    lock.unlock()
    end?()
  }
}

/// The observers of a session or a progress.
struct Observers: @unchecked Sendable {
  private var calls: [Int: () -> Void] = [:]
  private var next = 0

  var all: [() -> Void] { calls.keys.sorted().compactMap { calls[$0] } }

  mutating func add(_ call: @escaping () -> Void) -> Int {
    next += 1
    calls[next] = call
    return next
  }

  mutating func remove(_ number: Int) { calls[number] = nil }
}

/// The last value that an observer saw.
private final class LastValue<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Replaces the last value, and returns it.
  func exchange(_ new: Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    let old = value
    value = new
    return old
  }
}

/// The observers of files' progress; a progress is forgotten with its last observation.
private let progressObservers = Mutex<[ObjectIdentifier: Observers]>([:])

extension Progress {
  /// Calls a closure on the delegate's queue whenever a property of a file transfer's progress changes.
  public func observe<Value: Equatable>(
    _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let last = LastValue(self[keyPath: keyPath])
    if options.contains(.initial) {
      changeHandler(self, NSKeyValueObservedChange(newValue: self[keyPath: keyPath], oldValue: nil))
    }
    let observed = self
    let (path, handler) = (Unchecked(keyPath), Unchecked(changeHandler))
    let identity = ObjectIdentifier(self)
    let number = progressObservers.withLock { all in
      all[identity, default: Observers()].add {
        let new = observed[keyPath: path.value]
        let old = last.exchange(new)
        if old != new { handler.value(observed, NSKeyValueObservedChange(newValue: new, oldValue: old)) }
      }
    }
    return NSKeyValueObservation {
      progressObservers.withLock { all in
        all[identity]?.remove(number)
        if all[identity]?.all.isEmpty == true { all[identity] = nil }
      }
    }
  }

  /// Notifies the observers of changes.
  func noticeChanges() {
    let identity = ObjectIdentifier(self)
    for call in progressObservers.withLock({ $0[identity]?.all ?? [] }) { call() }
  }
}

extension WCSession {
  /// Calls a closure on the delegate's queue whenever a property changes.
  public func observe<Value: Equatable>(
    _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let last = LastValue(self[keyPath: keyPath])
    if options.contains(.initial) {
      changeHandler(self, NSKeyValueObservedChange(newValue: self[keyPath: keyPath], oldValue: nil))
    }
    let (path, handler) = (Unchecked(keyPath), Unchecked(changeHandler))
    let number = observers.withLock { observers in
      observers.add { [unowned self] in
        let new = self[keyPath: path.value]
        let old = last.exchange(new)
        if old != new { handler.value(self, NSKeyValueObservedChange(newValue: new, oldValue: old)) }
      }
    }
    return NSKeyValueObservation { [weak self] in self?.observers.withLock { $0.remove(number) } }
  }

  /// Notifies the observers of changes.
  func noticeChanges() { for call in observers.withLock({ $0.all }) { call() } }
}
