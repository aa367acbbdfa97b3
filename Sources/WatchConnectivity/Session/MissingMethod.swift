import Foundation

/// Detects whether a delegate implements a method, or its default was called.
///
/// Swift cannot ask whether a class implements an optional method; the defaults report themselves.
final class MissingMethod: @unchecked Sendable {
  @TaskLocal private static var current: MissingMethod?
  /// The session's own delegate: those that it forwards to may lack the method.
  private let delegate: ObjectIdentifier
  // Used only by the thread that makes the call.
  private var wasCalled = false

  private init(_ delegate: any WCSessionDelegate) { self.delegate = ObjectIdentifier(delegate) }

  /// Records, inside ``isMissing(of:in:)``, that a delegate's default was called; no effect elsewhere, and for other
  /// delegates than the session's.
  static func recordCall(of delegate: any WCSessionDelegate) {
    guard let current, current.delegate == ObjectIdentifier(delegate) else { return }
    current.wasCalled = true
  }

  /// Calls the session's delegate and returns whether its default handled the call.
  static func isMissing(of delegate: any WCSessionDelegate, in call: () -> Void) -> Bool {
    let recorder = MissingMethod(delegate)
    $current.withValue(recorder) { call() }
    return recorder.wasCalled
  }
}
