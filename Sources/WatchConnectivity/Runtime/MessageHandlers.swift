import Foundation
import Synchronization

/// The handlers of a message: exactly one of them is called, once.
struct MessageHandlers: @unchecked Sendable {
  /// Receives the reply; nil if none is wanted.
  enum Reply {
    case dictionary(([String: Any]) -> Void)
    case data((Data) -> Void)
  }

  var reply: Reply?
  var error: ((any Error) -> Void)?
}

/// Lets something happen once.
final class Once: Sendable {
  private let isDone = Mutex(false)

  /// Whether this is the first call.
  func isFirst() -> Bool {
    isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
  }
}

/// A value that the compiler cannot prove safe to send, and that this module sends once, to the app's queue, or never
/// changes.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
