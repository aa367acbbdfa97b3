import Foundation

/// A lock around a few fields, never held while a subscriber, a publisher or a closure of the app is called.
final class Lock: @unchecked Sendable {
  private let lock = NSLock()

  /// Runs a closure that calls nothing outside this module.
  @inline(__always)
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}

/// Keeps one thread at a time in a subscriber, for operators that have more than one publisher above them.
final class RecursiveLock: @unchecked Sendable {
  private let lock = NSRecursiveLock()

  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}

/// Ends the process for a caller's mistake.
func trap(_ message: String, file: StaticString = #file, line: UInt = #line) -> Never {
  fatalError(message, file: file, line: line)
}

/// Ends the process if no value is asked for where Combine demands that some are.
func checkPositive(_ demand: Subscribers.Demand) {
  precondition(demand > .none, "a subscription was asked for no values")
}

/// A value that must be there.
func present<Value>(_ value: Value?) -> Value {
  guard let value else { trap("a value is missing") }
  return value
}

/// A value of a type that only this module knows it has.
func certain<Value>(_ value: Any, _ type: Value.Type = Value.self) -> Value {
  guard let value = value as? Value else { trap("a value is not \(type)") }
  return value
}
