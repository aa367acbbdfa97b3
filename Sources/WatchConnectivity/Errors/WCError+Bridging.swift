public import Foundation

/// Makes `error as? NSError` and `catch let error as NSError` work on a `WCError`, and `as? WCError` on an `NSError`.
///
/// Without this conformance the first gives nil on Linux, and the second, as the only clause, crashes the program. The
/// protocol is the standard library's own for `Data`, `Date` and the like: public, but underscored.
extension WCError: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError {
    NSError(domain: WCErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout WCError?) {
    precondition(
      _conditionallyBridgeFromObjectiveC(source, result: &result), "\(source.domain) \(source.code) is no WCError")
  }

  /// Nil for an error of another domain, or with an unknown code.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout WCError?) -> Bool {
    guard source.domain == WCErrorDomain, let code = Code(rawValue: source.code) else {
      result = nil
      return false
    }
    result = WCError(code, userInfo: source.userInfo)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> WCError {
    var result: WCError?
    if let source { _conditionallyBridgeFromObjectiveC(source, result: &result) }
    return result ?? WCError(.genericError)
  }
}
