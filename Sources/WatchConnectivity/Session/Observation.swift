public import Foundation
import Synchronization

/// What of a change an observer wants to be told; kept for the spelling, both values always come where they are known.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = Self(rawValue: 1)
  public static let old = Self(rawValue: 2)
  /// The observer is called at once with what holds.
  public static let initial = Self(rawValue: 4)
  public static let prior = Self(rawValue: 8)
}

/// A change that an observer is told of.
public struct NSKeyValueObservedChange<Value> {
  public let newValue: Value?
  public let oldValue: Value?
}

/// An observation: ends when it is invalidated, or let go.
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

/// Who observes a session or a progress.
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

/// The value that an observer saw last.
private final class LastValue<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Puts a value in place of the last one, which it returns.
  func exchange(_ new: Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    let old = value
    value = new
    return old
  }
}

/// Who observes the progress of files; a progress that is gone is forgotten with its last observation.
private let progressObservers = Mutex<[ObjectIdentifier: Observers]>([:])

extension Progress {
  /// Has a closure called, on the delegate's queue, whenever a property of a file transfer's progress has another value.
  public func observe<Value: Equatable>(
    _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let last = LastValue(self[keyPath: keyPath])
    if options.contains(.initial) {
      changeHandler(self, NSKeyValueObservedChange(newValue: self[keyPath: keyPath], oldValue: nil))
    }
    let observed = self
    nonisolated(unsafe) let (path, handler) = (keyPath, changeHandler)
    let identity = ObjectIdentifier(self)
    let number = progressObservers.withLock { all in
      all[identity, default: Observers()].add {
        let new = observed[keyPath: path]
        let old = last.exchange(new)
        if old != new { handler(observed, NSKeyValueObservedChange(newValue: new, oldValue: old)) }
      }
    }
    return NSKeyValueObservation {
      progressObservers.withLock { all in
        all[identity]?.remove(number)
        if all[identity]?.all.isEmpty == true { all[identity] = nil }
      }
    }
  }

  /// Tells the observers what has changed.
  func noticeChanges() {
    let identity = ObjectIdentifier(self)
    for call in progressObservers.withLock({ $0[identity]?.all ?? [] }) { call() }
  }
}

extension WCSession {
  /// Has a closure called, on the delegate's queue, whenever a property has another value.
  public func observe<Value: Equatable>(
    _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let last = LastValue(self[keyPath: keyPath])
    if options.contains(.initial) {
      changeHandler(self, NSKeyValueObservedChange(newValue: self[keyPath: keyPath], oldValue: nil))
    }
    nonisolated(unsafe) let handler = changeHandler
    nonisolated(unsafe) let path = keyPath
    let number = observers.withLock { observers in
      observers.add { [unowned self] in
        let new = self[keyPath: path]
        let old = last.exchange(new)
        if old != new { handler(self, NSKeyValueObservedChange(newValue: new, oldValue: old)) }
      }
    }
    return NSKeyValueObservation { [weak self] in self?.observers.withLock { $0.remove(number) } }
  }

  /// Tells the observers what has changed.
  func noticeChanges() { for call in observers.withLock({ $0.all }) { call() } }
}
