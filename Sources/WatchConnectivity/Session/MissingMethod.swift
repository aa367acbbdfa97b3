import Foundation

/// Whether the delegate's own method was called, or the default for an app without it.
///
/// Swift cannot be asked whether a class has a method of its own; the defaults say so themselves.
final class MissingMethod: @unchecked Sendable {
  @TaskLocal private static var current: MissingMethod?
  // Only the thread that makes the call touches it.
  private var wasCalled = false

  private init() {}

  /// Notes, inside ``isMissing(in:)``, that a default was called; of no effect elsewhere.
  static func note() { current?.wasCalled = true }

  /// Calls a delegate and tells whether a default took the call.
  static func isMissing(in call: () -> Void) -> Bool {
    let noted = MissingMethod()
    $current.withValue(noted) { call() }
    return noted.wasCalled
  }
}
