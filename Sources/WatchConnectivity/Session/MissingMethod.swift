import Foundation

/// Detects whether a delegate implements a method, or its default was called.
///
/// Swift cannot ask whether a class implements an optional method; the defaults report themselves.
final class MissingMethod: @unchecked Sendable {
  @TaskLocal private static var current: MissingMethod?
  // Used only by the thread that makes the call.
  private var wasCalled = false

  private init() {}

  /// Records, inside ``isMissing(in:)``, that a default was called; no effect elsewhere.
  static func recordCall() { current?.wasCalled = true }

  /// Calls a delegate and returns whether a default handled the call.
  static func isMissing(in call: () -> Void) -> Bool {
    let recorder = MissingMethod()
    $current.withValue(recorder) { call() }
    return recorder.wasCalled
  }
}
